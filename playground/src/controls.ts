/** Where someone wants to go, by keyboard, gamepad or touch: x to the right, y ahead, each in [-1, 1]. */

const KEYS: Record<string, readonly [number, number]> = {
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  KeyW: [0, 1],
  KeyS: [0, -1],
  KeyA: [-1, 0],
  KeyD: [1, 0],
};

export class WalkControls {
  x = 0;
  y = 0;
  jump = false;
  crouch = false;
  private readonly held = new Set<string>();
  private stick: { id: number; x: number; y: number; dx: number; dy: number } | null = null;
  private readonly stop = new AbortController();

  constructor(view: HTMLElement) {
    const { signal } = this.stop;
    const key = (event: KeyboardEvent) => {
      if (!(event.code in KEYS) && event.code !== 'Space' && event.code !== 'KeyC') return;
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.type === 'keydown') this.held.add(event.code);
      else this.held.delete(event.code);
      event.preventDefault();
    };
    window.addEventListener('keydown', key, { signal });
    window.addEventListener('keyup', key, { signal });
    window.addEventListener('blur', () => this.held.clear(), { signal });
    // A finger on the left of the view is a stick; on the right it turns the view, as everywhere.
    const touch = (event: PointerEvent) => {
      if (event.pointerType !== 'touch') return;
      const box = view.getBoundingClientRect();
      if (event.type === 'pointerdown' && this.stick === null && event.clientX < box.left + box.width / 2)
        this.stick = { id: event.pointerId, x: event.clientX, y: event.clientY, dx: 0, dy: 0 };
      const { stick } = this;
      if (stick?.id !== event.pointerId) return;
      event.stopImmediatePropagation();
      stick.dx = Math.max(-1, Math.min(1, (event.clientX - stick.x) / 60));
      stick.dy = Math.max(-1, Math.min(1, (stick.y - event.clientY) / 60));
      if (event.type === 'pointerup' || event.type === 'pointercancel') this.stick = null;
    };
    for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const)
      view.addEventListener(type, touch, { signal, capture: true });
  }

  /** Reads all of them. */
  read(): void {
    let [x, y] = [0, 0];
    for (const code of this.held) {
      x += KEYS[code]?.[0] ?? 0;
      y += KEYS[code]?.[1] ?? 0;
    }
    this.jump = this.held.has('Space');
    this.crouch = this.held.has('KeyC');
    if (this.stick) {
      x += this.stick.dx;
      y += this.stick.dy;
    }
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (!pad) continue;
      const dead = (value = 0) => (Math.abs(value) < 0.15 ? 0 : value);
      x += dead(pad.axes[0]);
      y -= dead(pad.axes[1]);
      this.jump ||= pad.buttons[0]?.pressed ?? false;
      this.crouch ||= pad.buttons[1]?.pressed ?? false;
    }
    const length = Math.max(1, Math.hypot(x, y));
    this.x = x / length;
    this.y = y / length;
  }

  close(): void {
    this.stop.abort();
  }
}
