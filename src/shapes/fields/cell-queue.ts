/** Cubes by a key, the least first: a binary heap in one array. */

export class Cell {
  key = 0.5;
  x = 0.5;
  y = 0.5;
  z = 0.5;
  /** Half of the side. */
  half = 0.5;
  /** What the field was at the centre. */
  value = 0.5;
  /** 1 if the key comes from a distance, 0 if from a bound of one. */
  tight = 0.5;
}

const FIELDS = 7;

export class CellQueue {
  size = 0;
  private data = new Float64Array(FIELDS * 512);

  clear(): void {
    this.size = 0;
  }

  /** The least key; Infinity if there is none. */
  get least(): number {
    return this.size > 0 ? this.data[0]! : Infinity;
  }

  add(cell: Readonly<Cell>): void {
    const { key } = cell;
    if (FIELDS * (this.size + 1) > this.data.length) this.grow();
    const { data } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (data[FIELDS * parent]! <= key) break;
      data.copyWithin(FIELDS * at, FIELDS * parent, FIELDS * parent + FIELDS);
      at = parent;
    }
    write(data, FIELDS * at, cell);
  }

  /** Takes out a cell with the least key. */
  take(out: Cell): void {
    const { data } = this;
    out.key = data[0]!;
    out.x = data[1]!;
    out.y = data[2]!;
    out.z = data[3]!;
    out.half = data[4]!;
    out.value = data[5]!;
    out.tight = data[6]!;
    const size = --this.size;
    const last = FIELDS * size;
    const key = data[last]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && data[FIELDS * (child + 1)]! < data[FIELDS * child]!) child++;
      if (data[FIELDS * child]! >= key) break;
      data.copyWithin(FIELDS * at, FIELDS * child, FIELDS * child + FIELDS);
      at = child;
    }
    data.copyWithin(FIELDS * at, last, last + FIELDS);
  }

  private grow(): void {
    const more = new Float64Array(2 * this.data.length);
    more.set(this.data);
    this.data = more;
  }
}

function write(data: Float64Array, at: number, { key, x, y, z, half, value, tight }: Readonly<Cell>): void {
  data[at] = key;
  data[at + 1] = x;
  data[at + 2] = y;
  data[at + 3] = z;
  data[at + 4] = half;
  data[at + 5] = value;
  data[at + 6] = tight;
}
