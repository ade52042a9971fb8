/** Triangles that are put together from parts, down to an exact number of vertices. */
import type { LevelGeometry } from '../physics/maze.ts';

export type Point = readonly [x: number, y: number, z: number];

/** Where a part stands: moved, and turned about the vertical. */
export interface Place {
  readonly at: Point;
  readonly turn?: number;
}

/** A surface over u and v, both from 0 to 1. */
type Surface = (u: number, v: number) => Point;

interface SheetOptions {
  /** Its first and its last row are a point each. */
  readonly poles?: boolean;
  /** Its last column is its first. */
  readonly wrap?: boolean;
  readonly place?: Place;
}

const ORIGIN: Place = { at: [0, 0, 0] };

/** Triangles of one colour: the first of them, and how many. */
export interface Group<Tone> {
  readonly tone: Tone;
  readonly first: number;
  readonly count: number;
}

export class Triangles<Tone = never> {
  readonly positions: number[] = [];
  readonly index: number[] = [];
  private readonly starts: { readonly tone: Tone; readonly first: number }[] = [];

  /** The colour of what comes next. */
  paint(tone: Tone): this {
    this.starts.push({ tone, first: this.index.length / 3 });
    return this;
  }

  groups(): Group<Tone>[] {
    const { starts, index } = this;
    return starts.map(({ tone, first }, i) => ({
      tone,
      first,
      count: (starts[i + 1]?.first ?? index.length / 3) - first,
    }));
  }

  get vertexCount(): number {
    return this.positions.length / 3;
  }

  private vertex([x, y, z]: Point, { at, turn = 0 }: Place): number {
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    this.positions.push(at[0] + c * x + s * z, at[1] + y, at[2] - s * x + c * z);
    return this.vertexCount - 1;
  }

  private face(a: number, b: number, c: number, d: number): void {
    if (a !== b && b !== c && c !== a) this.index.push(a, b, c);
    if (a !== c && c !== d && d !== a) this.index.push(a, c, d);
  }

  add({
    positions,
    index,
  }: {
    readonly positions: readonly number[];
    readonly index: readonly number[];
  }): this {
    const first = this.vertexCount;
    for (const x of positions) this.positions.push(x);
    for (const i of index) this.index.push(first + i);
    return this;
  }

  /** Rows × columns quadrilaterals over a surface. Seen from outside u goes up and v to the right. */
  sheet(
    rows: number,
    columns: number,
    surface: Surface,
    { poles = false, wrap = false, place = ORIGIN }: SheetOptions = {},
  ): this {
    const numbers = Array.from({ length: rows + 1 }, (_, i) => {
      const isPole = poles && (i === 0 || i === rows);
      const row: number[] = [];
      for (let j = 0; j <= columns; j++)
        if (isPole && j > 0) row.push(row[0]!);
        else if (wrap && j === columns) row.push(row[0]!);
        else row.push(this.vertex(surface(i / rows, j / columns), place));
      return row;
    });
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++)
        this.face(numbers[i]![j]!, numbers[i]![j + 1]!, numbers[i + 1]![j + 1]!, numbers[i + 1]![j]!);
    return this;
  }

  /** A parallelogram of two triangles: a corner and the two sides from there. */
  panel([x, y, z]: Point, [ux, uy, uz]: Point, [vx, vy, vz]: Point, place?: Place): this {
    return this.sheet(
      1,
      1,
      (u, v) => [x + u * ux + v * vx, y + u * uy + v * vy, z + u * uz + v * vz],
      place && { place },
    );
  }

  /** A box that stands on its place, twelve triangles. */
  box(w: number, h: number, d: number, place: Place = ORIGIN): this {
    const corners = Array.from({ length: 8 }, (_, i) =>
      this.vertex([(i & 1 ? w : -w) / 2, i & 2 ? h : 0, (i & 4 ? d : -d) / 2], place),
    );
    for (const [a, b, c, e] of BOX_SIDES) this.face(corners[a]!, corners[b]!, corners[c]!, corners[e]!);
    return this;
  }

  /** A solid of revolution: radius and height along its outline, from the bottom up. Its ends are closed, flat. */
  lathe(
    outline: (u: number) => readonly [radius: number, height: number],
    rows: number,
    columns: number,
    place?: Place,
  ): this {
    return this.sheet(
      rows + 2,
      columns,
      (u, v) => {
        const row = Math.round(u * (rows + 2)) - 1;
        const [radius, height] = outline(Math.max(0, Math.min(1, row / rows)));
        const r = row < 0 || row > rows ? 0 : radius;
        const angle = -2 * Math.PI * v;
        return [r * Math.cos(angle), height, r * Math.sin(angle)];
      },
      { poles: true, wrap: true, ...(place && { place }) },
    );
  }

  /** A rounded box (a superellipsoid) that stands on its place; `squareness` 1 is an ellipsoid, 0.2 nearly a box. */
  cushion([w, h, d]: Point, squareness: number, n: number, place?: Place): this {
    const power = (x: number) => Math.sign(x) * Math.abs(x) ** squareness;
    return this.sheet(
      n,
      2 * n,
      (u, v) => {
        const [up, around] = [Math.PI * (u - 0.5), -2 * Math.PI * v];
        const ring = power(Math.cos(up));
        return [
          (w / 2) * ring * power(Math.cos(around)),
          (h / 2) * (1 + power(Math.sin(up))),
          (d / 2) * ring * power(Math.sin(around)),
        ];
      },
      { poles: true, wrap: true, ...(place && { place }) },
    );
  }

  /** A tube along a closed curve. */
  ring(curve: (u: number) => Point, radius: number, rows: number, columns: number, place?: Place): this {
    const first = this.vertexCount;
    const step = 1e-4;
    for (let i = 0; i < rows; i++) {
      const u = i / rows;
      const p = curve(u);
      const q = curve(u + step);
      const tangent = unit([q[0] - p[0], q[1] - p[1], q[2] - p[2]]);
      const side = unit(cross(tangent, Math.abs(tangent[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
      const up = cross(side, tangent);
      for (let j = 0; j < columns; j++) {
        const [c, s] = [Math.cos((2 * Math.PI * j) / columns), Math.sin((2 * Math.PI * j) / columns)];
        this.vertex(
          [0, 1, 2].map((k) => p[k]! + radius * (c * side[k]! + s * up[k]!)) as unknown as Point,
          place ?? ORIGIN,
        );
      }
    }
    const at = (i: number, j: number) => first + (i % rows) * columns + (j % columns);
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) this.face(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    return this;
  }

  /**
   * Cuts the longest edges in two until there are so many vertices, of the triangles from `from` on: each cut is one vertex more, and a
   * closed surface stays closed.
   */
  cutTo(vertexCount: number, from = 0): this {
    const { positions, index } = this;
    const vertices = this.vertexCount;
    const missing = vertexCount - vertices;
    if (missing < 0) throw new Error(`${vertices} vertices are more than ${vertexCount}`);
    const edges = new Map<number, { a: number; b: number; triangles: number[] }>();
    for (let t = from; t < index.length / 3; t++)
      for (let k = 0; k < 3; k++) {
        const [a, b] = [index[3 * t + k]!, index[3 * t + ((k + 1) % 3)]!];
        const key = vertices * Math.min(a, b) + Math.max(a, b);
        const edge = edges.get(key);
        if (edge) edge.triangles.push(t);
        else edges.set(key, { a, b, triangles: [t] });
      }
    const length = ({ a, b }: { a: number; b: number }) =>
      [0, 1, 2].reduce((sum, k) => sum + (positions[3 * a + k]! - positions[3 * b + k]!) ** 2, 0);
    const isCut = new Set<number>();
    const sorted = [...edges.values()]
      .map((edge) => ({ ...edge, l: length(edge) }))
      .sort((p, q) => q.l - p.l);
    let cuts = 0;
    for (const { a, b, triangles } of sorted) {
      if (cuts === missing) break;
      if (triangles.some((t) => isCut.has(t))) continue;
      const middle = this.vertex(
        [0, 1, 2].map((k) => (positions[3 * a + k]! + positions[3 * b + k]!) / 2) as unknown as Point,
        ORIGIN,
      );
      for (const t of triangles) {
        isCut.add(t);
        const corners = index.slice(3 * t, 3 * t + 3);
        const k = corners.findIndex((v, i) => (v === a || v === b) && [a, b].includes(corners[(i + 1) % 3]!));
        const [p, q, r] = [corners[k]!, corners[(k + 1) % 3]!, corners[(k + 2) % 3]!];
        index.splice(3 * t, 3, p, middle, r);
        index.push(middle, q, r);
      }
      cuts++;
    }
    if (cuts < missing) throw new Error(`${missing - cuts} vertices are missing`);
    return this;
  }

  toGeometry(): LevelGeometry {
    return { positions: Float64Array.from(this.positions), index: Uint32Array.from(this.index) };
  }
}

const BOX_SIDES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
] as const;

const cross = ([ax, ay, az]: Point, [bx, by, bz]: Point): Point => [
  ay * bz - az * by,
  az * bx - ax * bz,
  ax * by - ay * bx,
];

function unit([x, y, z]: Point): Point {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}
