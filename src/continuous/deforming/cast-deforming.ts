/**
 * Whole meshes whose vertices move in straight lines: with themselves, with each other, with what stands still. Boxes around
 * the motions of the triangles, in a tree, tell which pairs to look at; each pair is decided exactly (`pair-cast.ts`).
 */
import { ContextPool } from '../../convex/context-pool.ts';
import {
  ANY_FINITE,
  checkAabb,
  checkNumbers,
  checkPoint,
  describe,
  mustBeBoolean,
  mustBeCoordinate,
  mustBeFunction,
  mustBeList,
  mustBeOptions,
  mustNotBeNegative,
  refuse,
} from '../../math/check.ts';
import * as v3 from '../../math/vec3.ts';
import type { Aabb } from '../../primitives/types.ts';
import { DeformingMesh, makeDeformingMesh } from './deforming-mesh.ts';
import type {
  DeformingConvex,
  DeformingHalfSpace,
  DeformingPart,
  DeformingTarget,
} from './deforming-target.ts';
import { MovingTriangle } from './moving-triangle.ts';
import { type DeformingHit, makeDeformingHit, PairCast } from './pair-cast.ts';
import { PlaneCast } from './plane-cast.ts';

/**
 * Which two things touch. `vertex-face`: a vertex of the mesh, a face of the mesh or of what it is cast against.
 * `edge-edge`: likewise. `face-vertex`: a vertex of what it is cast against and a face of the mesh; the vertex is named first
 * here too, and the normal points to it. `vertex-plane`: a vertex of the mesh and a half-space; the other three numbers and
 * weights are 0. `face-shape`: a face of the mesh and a shape that has no triangles; as `face-vertex`, with a point of the shape
 * as the vertex, and 0 for its number.
 */
export type DeformingKind = 'vertex-face' | 'edge-edge' | 'face-vertex' | 'vertex-plane' | 'face-shape';
const KINDS: readonly DeformingKind[] = [
  'vertex-face',
  'edge-edge',
  'face-vertex',
  'vertex-plane',
  'face-shape',
];

/** The first contact of a mesh. */
export interface DeformingContact extends DeformingHit {
  kind: DeformingKind;
  /** The numbers of the four vertices: of the vertex and the face, or of the two edges. */
  readonly vertices: Uint32Array;
  /** Is the second thing (the vertex, for `face-vertex`) one of what the mesh is cast against? */
  isOther: boolean;
  /** If that is a compound: the number of the part. Otherwise 0. */
  part: number;
}

export const makeDeformingContact = (): DeformingContact => ({
  ...makeDeformingHit(),
  kind: 'vertex-face',
  vertices: new Uint32Array(4),
  isOther: false,
  part: 0,
});

/** All contacts of a mesh, the earliest first: numbers side by side. */
export interface DeformingContacts {
  readonly count: number;
  /** 0: vertex-face, 1: edge-edge, 2: face-vertex, 3: vertex-plane, 4: face-shape. */
  readonly kind: Uint8Array;
  readonly isOther: Uint8Array;
  readonly part: Uint32Array;
  /** Four for each. */
  readonly vertices: Uint32Array;
  readonly t: Float64Array;
  /** Three for each. */
  readonly point: Float64Array;
  readonly normal: Float64Array;
  /** Four for each. */
  readonly weights: Float64Array;
}

export interface DeformingOptions {
  /** What else there is: triangles that move or stand, or any shape, by `deformingTarget`. Default: nothing. */
  readonly against?: DeformingTarget;
  /** Is the mesh tested against itself? Default: true, unless there is something else. */
  readonly self?: boolean;
  /** Things touch when they are as near as this. Default: 0. */
  readonly separation?: number;
}

type Numbers = ArrayLike<number>;

/** Pairs of nodes that wait. A tree is at most 104 deep, and a pair leaves at most two waiting a level, two numbers each. */
const stack = new Uint32Array(1024);

/** One search. Contacts go to `found`. */
class Search {
  readonly pair = new PairCast();
  private readonly plane = new PlaneCast();
  private readonly triangle = new MovingTriangle();
  /** Parts and triangles that convex shapes are to be asked about. */
  private readonly near: number[] = [];
  readonly best = makeDeformingContact();
  /** Are all wanted, or the first? */
  all: DeformingContact[] | null = null;
  isHit = false;
  /** Of a compound: which part is looked at. */
  part = 0;
  private isOther = false;
  private a!: DeformingMesh;
  private b!: DeformingMesh;
  private startA!: Numbers;
  private endA!: Numbers;
  private startB!: Numbers;
  private endB!: Numbers;

  begin(all: DeformingContact[] | null): this {
    this.all = all;
    this.isHit = false;
    this.part = 0;
    this.near.length = 0;
    return this;
  }

  /** The mesh with itself. */
  self(a: DeformingMesh, start: Numbers, end: Numbers): void {
    this.set(a, start, end, a, start, end);
    this.walk();
  }

  set(
    a: DeformingMesh,
    startA: Numbers,
    endA: Numbers,
    b: DeformingMesh,
    startB: Numbers,
    endB: Numbers,
  ): void {
    this.a = a;
    this.startA = startA;
    this.endA = endA;
    this.b = b;
    this.startB = startB;
    this.endB = endB;
    this.isOther = a !== b;
  }

  /** All pairs of triangles whose boxes overlap. */
  walk(): void {
    const { a, b, isOther } = this;
    const { skip: skipA, first: firstA, items: itemsA } = a.tree;
    const { skip: skipB, first: firstB, items: itemsB } = b.tree;
    const boxesA = a.nodeBoxes;
    const boxesB = b.nodeBoxes;
    if (skipA.length === 0 || skipB.length === 0) return;
    stack[0] = 0;
    stack[1] = 0;
    let top = 2;
    while (top > 0) {
      const j = stack[--top]!;
      const i = stack[--top]!;
      const isSame = i === j && !isOther;
      if (!isSame && !overlap(boxesA, 6 * i, boxesB, 6 * j)) continue;
      const isLeafA = skipA[i] === i + 1;
      const isLeafB = skipB[j] === j + 1;
      if (isLeafA && isLeafB) {
        for (let p = firstA[i]!; p < firstA[i + 1]!; p++)
          for (let q = isSame ? p + 1 : firstB[j]!; q < firstB[j + 1]!; q++)
            this.triangles(itemsA[p]!, itemsB[q]!);
      } else if (isSame) {
        const second = skipA[i + 1]!;
        top = push(top, i + 1, i + 1);
        top = push(top, second, second);
        top = push(top, i + 1, second);
      } else if (isLeafB || (!isLeafA && skipA[i]! - i >= skipB[j]! - j)) {
        top = push(top, i + 1, j);
        top = push(top, skipA[i + 1]!, j);
      } else {
        top = push(top, i, j + 1);
        top = push(top, i, skipB[j + 1]!);
      }
    }
  }

  /** What two triangles own, each against the other. */
  private triangles(i: number, j: number): void {
    const { a, b, isOther } = this;
    if (!overlap(a.faceBoxes, 6 * i, b.faceBoxes, 6 * j)) return;
    const ownedA = a.owned[i]!;
    const ownedB = b.owned[j]!;
    for (let k = 0; k < 3; k++) {
      if (ownedA & (1 << k)) this.vertexFace(a.indices[3 * i + k]!, j, false);
      if (ownedB & (1 << k)) this.vertexFace(b.indices[3 * j + k]!, i, true);
    }
    if (!(ownedA & 56 && ownedB & 56)) return;
    for (let k = 0; k < 3; k++) {
      if (!(ownedA & (8 << k))) continue;
      const p = a.indices[3 * i + k]!;
      const q = a.indices[3 * i + (k === 2 ? 0 : k + 1)]!;
      if (!edgeOverlap(a.vertexBoxes, 6 * p, 6 * q, b.faceBoxes, 6 * j)) continue;
      for (let l = 0; l < 3; l++) {
        if (!(ownedB & (8 << l))) continue;
        const r = b.indices[3 * j + l]!;
        const s = b.indices[3 * j + (l === 2 ? 0 : l + 1)]!;
        if (!isOther && (p === r || p === s || q === r || q === s)) continue;
        this.edges(p, q, r, s);
      }
    }
  }

  private edges(p: number, q: number, r: number, s: number): void {
    const u = this.a.vertexBoxes;
    const v = this.b.vertexBoxes;
    // A difference is off by 2^-53 of itself.
    const apart = this.pair.separation * (1 + 1e-15);
    for (let k = 0; k < 3; k++) {
      const low = Math.min(u[6 * p + k]!, u[6 * q + k]!);
      const high = Math.max(u[6 * p + 3 + k]!, u[6 * q + 3 + k]!);
      if (Math.min(v[6 * r + k]!, v[6 * s + k]!) - high > apart) return;
      if (low - Math.max(v[6 * r + 3 + k]!, v[6 * s + 3 + k]!) > apart) return;
    }
    this.load(0, p, false);
    this.load(1, q, false);
    this.load(2, r, true);
    this.load(3, s, true);
    this.cast(1, p, q, r, s);
  }

  /** A vertex of a and a face of b; or the other way round. */
  private vertexFace(vertex: number, face: number, isSwapped: boolean): void {
    const of = isSwapped ? this.b : this.a;
    const faces = isSwapped ? this.a : this.b;
    if (!overlap(of.vertexBoxes, 6 * vertex, faces.faceBoxes, 6 * face)) return;
    const p = faces.indices[3 * face]!;
    const q = faces.indices[3 * face + 1]!;
    const r = faces.indices[3 * face + 2]!;
    if (!this.isOther && (vertex === p || vertex === q || vertex === r)) return;
    this.load(0, vertex, isSwapped);
    this.load(1, p, !isSwapped);
    this.load(2, q, !isSwapped);
    this.load(3, r, !isSwapped);
    this.cast(isSwapped && this.isOther ? 2 : 0, vertex, p, q, r);
  }

  private load(point: number, vertex: number, isB: boolean): void {
    const { numbers } = this.pair;
    const start = isB ? this.startB : this.startA;
    const end = isB ? this.endB : this.endA;
    const from = 3 * vertex;
    const to = 3 * point;
    numbers[to] = start[from]!;
    numbers[to + 1] = start[from + 1]!;
    numbers[to + 2] = start[from + 2]!;
    numbers[to + 12] = end[from]!;
    numbers[to + 13] = end[from + 1]!;
    numbers[to + 14] = end[from + 2]!;
  }

  private cast(kind: number, p: number, q: number, r: number, s: number): void {
    const { pair } = this;
    if (this.isLater(0)) return;
    const isFace = kind !== 1;
    if (!pair.cast(isFace) || this.isLater(pair.t)) return;
    pair.write(isFace, this.contact(kind, p, q, r, s));
  }

  /** Is there one already, and only the first is wanted? */
  private isLater(t: number): boolean {
    return this.all === null && this.isHit && !(t < this.best.t);
  }

  /** The place of a contact that is found. */
  private contact(kind: number, p: number, q: number, r: number, s: number): DeformingContact {
    const { all, best } = this;
    const to = all === null ? best : makeDeformingContact();
    this.isHit = true;
    to.kind = KINDS[kind]!;
    to.isOther = this.isOther;
    to.part = this.part;
    to.vertices[0] = p;
    to.vertices[1] = q;
    to.vertices[2] = r;
    to.vertices[3] = s;
    all?.push(to);
    return to;
  }

  /** Every vertex that a triangle has, once, against a half-space. */
  halfSpace(a: DeformingMesh, start: Numbers, end: Numbers, { normal, d }: DeformingHalfSpace): void {
    const { plane, pair } = this;
    const { indices, owned } = a;
    const { numbers } = plane;
    this.isOther = true;
    plane.normal = normal;
    plane.d = d;
    plane.separation = pair.separation;
    for (let i = 0; i < indices.length; i++) {
      const face = (i / 3) | 0;
      if (!(owned[face]! & (1 << (i - 3 * face)))) continue;
      const vertex = indices[i]!;
      for (let k = 0; k < 3; k++) {
        numbers[k] = start[3 * vertex + k]!;
        numbers[3 + k] = end[3 * vertex + k]!;
      }
      if (!plane.cast() || this.isLater(plane.t)) continue;
      const { t } = plane;
      const to = this.contact(3, vertex, 0, 0, 0);
      to.t = t;
      to.weights.fill(0);
      to.weights[0] = 1;
      to.point.x = (1 - t) * numbers[0]! + t * numbers[3]!;
      to.point.y = (1 - t) * numbers[1]! + t * numbers[4]!;
      to.point.z = (1 - t) * numbers[2]! + t * numbers[5]!;
      v3.copy(normal, to.normal);
    }
  }

  /** Notes every triangle whose box meets that of a convex shape. */
  findNear({ tree, nodeBoxes, faceBoxes }: DeformingMesh, { min, max }: Readonly<Aabb>): void {
    const { near, part } = this;
    const { skip, first, items } = tree;
    const box = Float64Array.of(min.x, min.y, min.z, max.x, max.y, max.z);
    for (let node = 0; node < skip.length; ) {
      const isMet = overlap(nodeBoxes, 6 * node, box, 0);
      if (isMet && skip[node] === node + 1)
        for (let i = first[node]!; i < first[node + 1]!; i++)
          if (overlap(faceBoxes, 6 * items[i]!, box, 0)) near.push(part, items[i]!);
      node = isMet ? node + 1 : skip[node]!;
    }
  }

  /** Casts the triangles that `findNear` has noted. */
  convex({ indices }: DeformingMesh, start: Numbers, end: Numbers, parts: readonly DeformingPart[]): void {
    const { triangle, near, pair } = this;
    const { numbers } = triangle;
    this.isOther = true;
    triangle.separation = pair.separation;
    for (let i = 0; i < near.length; i += 2) {
      this.part = near[i]!;
      const face = 3 * near[i + 1]!;
      const p = indices[face]!;
      const q = indices[face + 1]!;
      const r = indices[face + 2]!;
      for (let k = 0; k < 3; k++) {
        numbers[k] = start[3 * p + k]!;
        numbers[3 + k] = start[3 * q + k]!;
        numbers[6 + k] = start[3 * r + k]!;
        numbers[9 + k] = end[3 * p + k]!;
        numbers[12 + k] = end[3 * q + k]!;
        numbers[15 + k] = end[3 * r + k]!;
      }
      if (!(parts[this.part] as DeformingConvex).cast(triangle) || this.isLater(triangle.t)) continue;
      const to = this.contact(4, 0, p, q, r);
      to.t = triangle.t;
      to.weights[0] = 1;
      to.weights[1] = triangle.u;
      to.weights[2] = triangle.v;
      to.weights[3] = triangle.w;
      v3.copy(triangle.point, to.point);
      v3.copy(triangle.normal, to.normal);
    }
  }
}

function push(top: number, i: number, j: number): number {
  stack[top] = i;
  stack[top + 1] = j;
  return top + 2;
}

function overlap(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i]! <= b[j + 3]! &&
    a[i + 3]! >= b[j]! &&
    a[i + 1]! <= b[j + 4]! &&
    a[i + 4]! >= b[j + 1]! &&
    a[i + 2]! <= b[j + 5]! &&
    a[i + 5]! >= b[j + 2]!
  );
}

/** Does the box around two vertices overlap that at j? */
function edgeOverlap(v: Float64Array, p: number, q: number, b: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++)
    if (
      (v[p + k]! > b[j + 3 + k]! && v[q + k]! > b[j + 3 + k]!) ||
      (v[p + 3 + k]! < b[j + k]! && v[q + 3 + k]! < b[j + k]!)
    )
      return false;
  return true;
}

/** A user's support may cast while a cast is under way. */
const searches = /* @__PURE__ */ new ContextPool(() => new Search());

/**
 * When does a mesh whose vertices move in straight lines from `positions0` to `positions1` first touch itself, or what it is cast
 * against? All pairs of a vertex and a face and of two edges count that have no vertex in common. Exact for each, as
 * `castVertexFace` is: nothing is missed and nothing is made up.
 *
 * `indices` are three numbers a triangle; or, to build the tree once for many steps, a `deformingMesh` of them. Positions have
 * three numbers a vertex. A first step costs O(n log n), another one O(n), and the pairs whose boxes overlap.
 *
 * @returns the first contact; null if there is none
 */
export function castDeforming(
  positions0: Numbers,
  positions1: Numbers,
  indices: Numbers | DeformingMesh,
  options: DeformingOptions = {},
  out?: DeformingContact,
): DeformingContact | null {
  const search = searches.take();
  try {
    run('castDeforming', positions0, positions1, indices, options, search.begin(null));
    if (!search.isHit) return null;
    const to = out ?? makeDeformingContact();
    const { best } = search;
    to.t = best.t;
    to.kind = best.kind;
    to.isOther = best.isOther;
    to.part = best.part;
    v3.copy(best.point, to.point);
    v3.copy(best.normal, to.normal);
    for (let i = 0; i < 4; i++) {
      to.weights[i] = best.weights[i]!;
      to.vertices[i] = best.vertices[i]!;
    }
    return to;
  } finally {
    searches.release();
  }
}

/** The first contact of every pair that touches: as `castDeforming`, for all of them, the earliest first. */
export function castDeformingAll(
  positions0: Numbers,
  positions1: Numbers,
  indices: Numbers | DeformingMesh,
  options: DeformingOptions = {},
): DeformingContacts {
  const all: DeformingContact[] = [];
  const search = searches.take();
  try {
    run('castDeformingAll', positions0, positions1, indices, options, search.begin(all));
  } finally {
    search.all = null;
    searches.release();
  }
  all.sort((a, b) => a.t - b.t);
  const count = all.length;
  const to = {
    count,
    kind: new Uint8Array(count),
    isOther: new Uint8Array(count),
    part: new Uint32Array(count),
    vertices: new Uint32Array(4 * count),
    t: new Float64Array(count),
    point: new Float64Array(3 * count),
    normal: new Float64Array(3 * count),
    weights: new Float64Array(4 * count),
  };
  for (const [i, { kind, isOther, part, vertices, t, point, normal, weights }] of all.entries()) {
    to.kind[i] = KINDS.indexOf(kind);
    to.isOther[i] = isOther ? 1 : 0;
    to.part[i] = part;
    to.t[i] = t;
    to.vertices.set(vertices, 4 * i);
    to.weights.set(weights, 4 * i);
    to.point.set([point.x, point.y, point.z], 3 * i);
    to.normal.set([normal.x, normal.y, normal.z], 3 * i);
  }
  return to;
}

function run(
  caller: string,
  positions0: Numbers,
  positions1: Numbers,
  indices: Numbers | DeformingMesh,
  options: DeformingOptions,
  search: Search,
): void {
  mustBeOptions(caller, 'options', options, 'against self separation');
  const { against, separation = 0 } = options;
  const { self = against === undefined } = options;
  if (!(typeof separation === 'number' && separation >= 0 && separation < Infinity))
    mustNotBeNegative(caller, 'options.separation', separation);
  mustBeBoolean(caller, 'options.self', self);
  const mesh = read(caller, '', positions0, positions1, indices);
  search.pair.separation = separation;
  if (self) {
    mesh.fit(positions0, positions1, separation);
    search.self(mesh, positions0, positions1);
  }
  if (against !== undefined) castParts(caller, positions0, positions1, mesh, against, search);
}

/** The mesh against something else. */
function castParts(
  caller: string,
  positions0: Numbers,
  positions1: Numbers,
  mesh: DeformingMesh,
  against: DeformingTarget,
  search: Search,
): void {
  const { separation } = search.pair;
  const parts = partsOf(caller, against);
  // The triangles of each part that has some.
  const others = parts.map((part, i) =>
    checkPart(caller, against === part ? 'options.against' : `options.against.parts[${i}]`, part),
  );
  let radius = 0;
  for (const part of parts) radius = Math.max(radius, radiusOf(part));
  mesh.fit(positions0, positions1, separation + radius);
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    search.part = i;
    if (part.kind === 'halfSpace') search.halfSpace(mesh, positions0, positions1, part);
    else if (part.kind === 'convex') search.findNear(mesh, part.bounds);
    else {
      const { positions0: from, positions1: to = from } = part;
      // Two that share what does not change: each needs boxes of its own.
      const other = others[i] === mesh ? new DeformingMesh(mesh.indices, mesh.vertexCount) : others[i]!;
      const margin = separation + radiusOf(part);
      other.fit(from, to, margin);
      search.pair.separation = margin;
      search.set(mesh, positions0, positions1, other, from, to);
      search.walk();
      search.pair.separation = separation;
    }
  }
  // Last, when no box is needed any more: a user's support may fit this mesh to another motion.
  search.convex(mesh, positions0, positions1, parts);
}

function partsOf(caller: string, against: DeformingTarget): readonly DeformingPart[] {
  if (typeof against !== 'object' || against === null)
    refuse(caller, 'options.against', 'must be a record of triangles, or made by deformingTarget');
  if (against.kind !== 'compound') return [against];
  mustBeList(caller, 'options.against.parts', against.parts);
  return against.parts;
}

const radiusOf = (part: DeformingPart): number =>
  part.kind === 'halfSpace' || part.kind === 'convex' ? 0 : (part.radius ?? 0);

/** The triangles of a part that has some. */
function checkPart(caller: string, name: string, part: DeformingPart): DeformingMesh | null {
  if (typeof part !== 'object' || part === null)
    refuse(caller, name, 'must be a record of triangles, or made by deformingTarget');
  switch (part.kind) {
    case 'halfSpace': {
      checkPoint(caller, `${name}.normal`, part.normal);
      const { x, y, z } = part.normal;
      if (x === 0 && y === 0 && z === 0) refuse(caller, `${name}.normal`, 'must not be zero');
      mustBeCoordinate(caller, `${name}.d`, part.d);
      return null;
    }
    case 'convex':
      mustBeFunction(caller, `${name}.cast`, part.cast);
      checkAabb(caller, `${name}.bounds`, part.bounds);
      return null;
    case 'triangles':
    case undefined: {
      const { positions0, positions1 = positions0, radius = 0 } = part;
      mustNotBeNegative(caller, `${name}.radius`, radius);
      return read(caller, `${name}.`, positions0, positions1, part.indices);
    }
    default:
      return refuse(
        caller,
        `${name}.kind`,
        `must be that of a part, got ${describe((part as { kind: unknown }).kind)}`,
      );
  }
}

/** Looks at positions and indices. */
function read(
  caller: string,
  of: string,
  positions0: Numbers,
  positions1: Numbers,
  indices: Numbers | DeformingMesh,
): DeformingMesh {
  checkNumbers(caller, `${of}positions0`, positions0, ANY_FINITE);
  if (positions1 !== positions0) checkNumbers(caller, `${of}positions1`, positions1, ANY_FINITE);
  if (positions0.length % 3 !== 0)
    refuse(caller, `${of}positions0`, `must have three numbers a vertex, got ${positions0.length}`);
  if (positions1.length !== positions0.length)
    refuse(
      caller,
      `${of}positions1`,
      `must be as many as ${of}positions0, ${positions0.length}; got ${positions1.length}`,
    );
  const vertexCount = positions0.length / 3;
  if (!(indices instanceof DeformingMesh))
    return makeDeformingMesh(caller, `${of}indices`, indices, vertexCount);
  if (indices.vertexCount !== vertexCount)
    refuse(
      caller,
      `${of}positions0`,
      `must have ${indices.vertexCount} vertices, as the mesh has, got ${vertexCount}`,
    );
  return indices;
}
