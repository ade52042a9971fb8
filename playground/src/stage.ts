/** The 3D view: a three.js scene drawn when something changed, things to drag and turn, and colours from the style sheet. */
import { accelerate, DebugView } from 'graze/three';
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';

export type DragMode = 'move' | 'turn';
type Tone = 'first' | 'second' | 'hit' | 'good' | 'text' | 'soft' | 'grid' | 'back' | 'accent';

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(45, 1, 0.05, 200);
  readonly content = new THREE.Group();
  /** Points and lines over everything. Whoever draws clears it first. */
  readonly marks = new DebugView({ depthTest: false });
  /** Called whenever something was dragged. */
  onChange: () => void = () => {};
  /** Called with a file that was dropped onto the view, if the scene wants any. */
  onDrop: ((file: File) => void) | null = null;
  /** Called before every picture with the seconds since the last one, if the scene moves by itself. */
  onFrame: ((seconds: number) => void) | null = null;
  /** Called when the scene is left. */
  onLeave: (() => void) | null = null;
  mode: DragMode = 'move';
  private readonly renderer: THREE.WebGLRenderer;
  private readonly controls: OrbitControls;
  private readonly raycaster = new THREE.Raycaster();
  private readonly draggables: THREE.Object3D[] = [];
  private grid: THREE.GridHelper | null = null;
  private dirty = true;
  private colours = new Map<string, THREE.Color>();

  private readonly canvas: HTMLCanvasElement;

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.localClippingEnabled = true;
    this.controls = new OrbitControls(this.camera, canvas);
    this.lookFrom();
    this.controls.addEventListener('change', () => this.invalidate());
    this.raycaster.firstHitOnly = true;
    this.raycaster.params.Line.threshold = 0.05;
    // Whatever a scene puts there later can be picked as quickly; its tree is built by the first click.
    accelerate(this.content, { lazy: true });
    this.scene.add(this.content, this.marks, new THREE.HemisphereLight(0xffffff, 0x556070, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(3, 6, 4);
    this.scene.add(sun);
    new ResizeObserver(() => this.resize()).observe(canvas);
    canvas.addEventListener('pointerdown', (event) => this.startDrag(event));
    canvas.addEventListener('dragover', (event) => event.preventDefault());
    canvas.addEventListener('drop', (event) => {
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) this.onDrop?.(file);
    });
    this.resize();
    let last = 0;
    const frame = (now: number) => {
      requestAnimationFrame(frame);
      if (this.onFrame) {
        // After a pause in another tab, time has stood still here too.
        this.onFrame(Math.min(0.1, (now - last) / 1000));
        this.dirty = true;
      }
      last = now;
      if (!this.dirty) return;
      this.dirty = false;
      this.renderer.render(this.scene, this.camera);
    };
    requestAnimationFrame(frame);
  }

  invalidate(): void {
    this.dirty = true;
  }

  /** A colour of the style sheet, as it is in the current theme. */
  colour(tone: Tone): THREE.Color {
    let colour = this.colours.get(tone);
    if (!colour) {
      colour = new THREE.Color(
        getComputedStyle(document.documentElement).getPropertyValue(`--${tone}`).trim(),
      );
      this.colours.set(tone, colour);
    }
    return colour;
  }

  themeChanged(): void {
    this.colours = new Map();
    this.scene.background = this.colour('back');
    if (this.grid) this.scene.remove(this.grid);
    this.grid = new THREE.GridHelper(12, 12, this.colour('grid'), this.colour('grid'));
    this.grid.position.y = -1.6;
    this.scene.add(this.grid);
    this.invalidate();
  }

  clear(): void {
    for (const child of [...this.content.children]) dispose(child);
    this.content.clear();
    this.marks.clear();
    this.marks.pointSize = 0.06;
    this.marks.normalLength = 0.3;
    this.draggables.length = 0;
    this.onDrop = null;
    this.onFrame = null;
    this.onLeave?.();
    this.onLeave = null;
    this.invalidate();
  }

  /** Looks at the middle from a place. */
  lookFrom(x = 4.2, y = 3.4, z = 6.4): void {
    this.camera.position.set(x, y, z);
    this.controls.target.set(0, 0, 0);
    this.controls.update();
  }

  /** Keeps a place in the middle, seen from where it was seen before: the view moves along. */
  follow(x: number, y: number, z: number): void {
    const { target } = this.controls;
    this.camera.position.x += x - target.x;
    this.camera.position.y += y - target.y;
    this.camera.position.z += z - target.z;
    target.set(x, y, z);
    this.controls.update();
  }

  /** How far from the middle the view is. */
  setDistance(distance: number): void {
    const { target } = this.controls;
    this.camera.position.sub(target).setLength(distance).add(target);
    this.controls.update();
  }

  /** The direction of the view along the ground: x and z of a unit vector. */
  heading(): [number, number] {
    const d = this.camera.getWorldDirection(new THREE.Vector3());
    const length = Math.hypot(d.x, d.z) || 1;
    return [d.x / length, d.z / length];
  }

  /** Puts an object into the view that people can drag and turn. */
  addDraggable(object: THREE.Object3D): void {
    this.content.add(object);
    this.draggables.push(object);
  }

  /** Takes an object out of the view. */
  remove(object: THREE.Object3D): void {
    this.content.remove(object);
    const at = this.draggables.indexOf(object);
    if (at >= 0) this.draggables.splice(at, 1);
    dispose(object);
  }

  /** Where a point of the world is on the screen, in CSS pixels. */
  project(p: { x: number; y: number; z: number }): [number, number] {
    const v = new THREE.Vector3(p.x, p.y, p.z).project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + ((v.x + 1) / 2) * box.width, box.top + ((1 - v.y) / 2) * box.height];
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.fov = width < height ? 60 : 45;
    // The card covers the right of the view, or the bottom of a phone's: the middle of the scene moves aside.
    const aside = width < 600 ? [0, height * 0.16] : [170, 0];
    this.camera.setViewOffset(width, height, aside[0]!, aside[1]!, width, height);
    this.invalidate();
  }

  private pointer(event: PointerEvent): THREE.Vector2 {
    const box = this.canvas.getBoundingClientRect();
    return new THREE.Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
  }

  private startDrag(event: PointerEvent): void {
    this.raycaster.setFromCamera(this.pointer(event), this.camera);
    const hit = this.raycaster.intersectObjects(this.draggables, true)[0];
    if (!hit || event.button !== 0) return;
    let object = hit.object;
    while (object.parent && !this.draggables.includes(object)) object = object.parent;
    const turn = this.mode === 'turn' || event.shiftKey;
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
      this.camera.getWorldDirection(new THREE.Vector3()),
      hit.point,
    );
    const grip = object.position.clone().sub(hit.point);
    this.controls.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    let [x, y] = [event.clientX, event.clientY];
    const move = (e: PointerEvent) => {
      if (turn) {
        const up = new THREE.Vector3(0, 1, 0).applyQuaternion(this.camera.quaternion);
        const right = new THREE.Vector3(1, 0, 0).applyQuaternion(this.camera.quaternion);
        object.quaternion.premultiply(new THREE.Quaternion().setFromAxisAngle(up, (e.clientX - x) / 120));
        object.quaternion.premultiply(new THREE.Quaternion().setFromAxisAngle(right, (e.clientY - y) / 120));
        [x, y] = [e.clientX, e.clientY];
      } else {
        this.raycaster.setFromCamera(this.pointer(e), this.camera);
        const to = this.raycaster.ray.intersectPlane(plane, new THREE.Vector3());
        if (to) object.position.copy(to.add(grip));
      }
      this.onChange();
      this.invalidate();
    };
    const stop = () => {
      this.controls.enabled = true;
      this.canvas.removeEventListener('pointermove', move);
      this.canvas.removeEventListener('pointerup', stop);
      this.canvas.removeEventListener('pointercancel', stop);
    };
    this.canvas.addEventListener('pointermove', move);
    this.canvas.addEventListener('pointerup', stop);
    this.canvas.addEventListener('pointercancel', stop);
  }
}

export function dispose(object: THREE.Object3D): void {
  object.traverse((child) => {
    if (child instanceof THREE.Mesh || child instanceof THREE.Line || child instanceof THREE.Points) {
      child.geometry.dispose();
      for (const material of [child.material].flat()) material.dispose();
    }
  });
}
