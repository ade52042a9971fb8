/** The card beside the view: what the scene is, its choices, and the numbers that the library gives. */

export type Value = number | boolean | string | null | { x: number; y: number; z: number };

export class Panel {
  private readonly controls = document.createElement('div');
  private readonly list = document.createElement('dl');
  /** The numbers on show, at full precision: the browser test compares them with the library. */
  readonly values: Record<string, Value> = {};

  private readonly root: HTMLElement;

  constructor(root: HTMLElement) {
    this.root = root;
  }

  open(title: string, blurb: string, source: string): void {
    const heading = document.createElement('h2');
    heading.textContent = title;
    const text = document.createElement('p');
    text.textContent = `${blurb} `;
    const from = document.createElement('code');
    from.textContent = source;
    text.append(from);
    this.controls.replaceChildren();
    this.clear();
    this.root.replaceChildren(heading, text, this.controls, this.list);
  }

  choice<T extends string>(
    label: string,
    options: readonly T[],
    value: T,
    onChange: (value: T) => void,
  ): void {
    const select = document.createElement('select');
    for (const option of options) select.add(new Option(option, option, false, option === value));
    select.addEventListener('change', () => onChange(select.value as T));
    this.row(label, select);
  }

  slider(
    label: string,
    [min, max, step]: [number, number, number],
    value: number,
    onChange: (value: number) => void,
  ): void {
    const input = document.createElement('input');
    Object.assign(input, { type: 'range', min: String(min), max: String(max), step: String(step) });
    input.value = String(value);
    input.addEventListener('input', () => onChange(Number(input.value)));
    this.row(label, input);
  }

  button(label: string, onClick: () => void): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = label;
    button.addEventListener('click', onClick);
    this.row('', button);
  }

  private row(label: string, control: HTMLElement): void {
    const row = document.createElement('label');
    const name = document.createElement('span');
    name.textContent = label;
    row.append(name, control);
    this.controls.append(row);
  }

  clear(): void {
    this.list.replaceChildren();
    for (const key of Object.keys(this.values)) delete this.values[key];
  }

  /** Lines of text below the numbers. */
  notes(lines: readonly string[]): void {
    for (const line of lines) {
      const data = document.createElement('dd');
      data.className = 'note';
      data.textContent = line;
      this.list.append(data);
    }
  }

  /** Images below the numbers, two in a row. */
  pictures(images: readonly { name: string; image: ImageData }[]): void {
    const data = document.createElement('dd');
    data.className = 'pictures';
    for (const { name, image } of images) {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.width, image.height];
      canvas.getContext('2d')!.putImageData(image, 0, 0);
      const figure = document.createElement('figure');
      figure.append(canvas, name);
      data.append(figure);
    }
    this.list.append(data);
  }

  show(name: string, value: Value, tone?: 'hit' | 'good'): void {
    this.values[name] = value;
    const term = document.createElement('dt');
    term.textContent = name;
    const data = document.createElement('dd');
    data.textContent = format(value);
    data.dataset['name'] = name;
    if (tone) data.dataset['tone'] = tone;
    this.list.append(term, data);
  }
}

function format(value: Value): string {
  if (value === null) return '—';
  if (typeof value === 'number') return short(value);
  if (typeof value === 'object') return `${short(value.x)}  ${short(value.y)}  ${short(value.z)}`;
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
}

const short = (x: number): string =>
  Number.isInteger(x)
    ? String(x)
    : Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5
      ? x.toFixed(4)
      : x.toExponential(3);
