/** Levels, random moves and an oracle for characters. The oracle shares no code with them: it looks at every triangle. */

import { ColliderList } from '../../src/character/character-world.ts';
import type { CharacterShape } from '../../src/character/swept-shape.ts';
import type { ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import { box, collider, halfSpace, heightField, hull, type Shape } from '../../src/shapes/index.ts';
import { mesh } from '../../src/shapes/mesh.ts';
import type { Rng } from './rng.ts';
import { voxels } from './voxels.ts';

type V = readonly [number, number, number];
export type Triangle = readonly [V, V, V];

const sub = (a: V, b: V): V => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: V, b: V): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V, b: V): V => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const mix = (a: V, b: V, t: number): V => [
  a[0] + (b[0] - a[0]) * t,
  a[1] + (b[1] - a[1]) * t,
  a[2] + (b[2] - a[2]) * t,
];

/** Distance between two segments: the least over the ends and, if it is inside, the common perpendicular. */
function segments(p: V, q: V, a: V, b: V): number {
  let best = Math.min(
    pointSegment(p, a, b),
    pointSegment(q, a, b),
    pointSegment(a, p, q),
    pointSegment(b, p, q),
  );
  const u = sub(q, p);
  const v = sub(b, a);
  const n = cross(u, v);
  const nn = dot(n, n);
  if (nn > 1e-20) {
    const w = sub(a, p);
    const s = dot(cross(w, v), n) / nn;
    const t = dot(cross(w, u), n) / nn;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) best = Math.min(best, Math.abs(dot(w, n)) / Math.sqrt(nn));
  }
  return best;
}

function pointSegment(p: V, a: V, b: V): number {
  const e = sub(b, a);
  const ee = dot(e, e);
  const t = ee > 0 ? Math.min(1, Math.max(0, dot(sub(p, a), e) / ee)) : 0;
  const d = sub(p, mix(a, b, t));
  return Math.sqrt(dot(d, d));
}

/** Is the point over the inside of the triangle? Then its height, else infinity. */
function height(p: V, [a, b, c]: Triangle): number {
  const n = cross(sub(b, a), sub(c, a));
  const nn = dot(n, n);
  if (!(nn > 0)) return Infinity;
  for (const [q, r] of [
    [a, b],
    [b, c],
    [c, a],
  ] as const)
    if (dot(cross(sub(r, q), sub(p, q)), n) < 0) return Infinity;
  return Math.abs(dot(sub(p, a), n)) / Math.sqrt(nn);
}

/** The distance of a point from a triangle. */
export function pointTriangle(p: V, t: Triangle): number {
  return Math.min(
    height(p, t),
    pointSegment(p, t[0], t[1]),
    pointSegment(p, t[1], t[2]),
    pointSegment(p, t[2], t[0]),
  );
}

function segmentTriangle(p: V, q: V, t: Triangle): number {
  const [a, b, c] = t;
  const n = cross(sub(b, a), sub(c, a));
  const hp = dot(sub(p, a), n);
  const hq = dot(sub(q, a), n);
  if (hp * hq < 0 && height(mix(p, q, hp / (hp - hq)), t) < Infinity) return 0;
  return Math.min(
    pointTriangle(p, t),
    pointTriangle(q, t),
    segments(p, q, a, b),
    segments(p, q, b, c),
    segments(p, q, c, a),
  );
}

/** What is left of a triangle in a box about the origin. */
function isInBox(half: V, t: Triangle): boolean {
  let kept: V[] = [...t];
  for (let k = 0; k < 3; k++)
    for (const sign of [1, -1]) {
      const next: V[] = [];
      for (let i = 0; i < kept.length; i++) {
        const a = kept[i]!;
        const b = kept[(i + 1) % kept.length]!;
        const ha = half[k]! - sign * a[k]!;
        const hb = half[k]! - sign * b[k]!;
        if (ha >= 0) next.push(a);
        if (ha * hb < 0) next.push(mix(a, b, ha / (ha - hb)));
      }
      kept = next;
    }
  return kept.length > 0;
}

const list = (p: ReadonlyVec3): V => [p.x, p.y, p.z];

/** A level: what characters walk in, and all of its triangles in the world. */
export interface Level {
  readonly list: ColliderList;
  readonly triangles: Triangle[];
  /** Half-spaces. */
  readonly planes: { n: V; d: number }[];
  /** Six numbers a triangle: the boxes around them, made when first asked for. */
  boxes: Float64Array;
}

/** Is the shape, made larger by `more`, free of everything in the level? Its y axis is up. */
export function isFree(level: Level, shape: CharacterShape, at: ReadonlyVec3, more: number): boolean {
  const c = list(at);
  const reach =
    'radii' in shape
      ? Math.max(shape.radii.x, shape.radii.y, shape.radii.z)
      : 'halfHeight' in shape
        ? shape.radius + shape.halfHeight
        : Math.hypot(shape.halfSize.x, shape.halfSize.y, shape.halfSize.z);
  const { triangles } = level;
  const boxes = boxesOf(level);
  const far = reach + more;
  for (let i = 0; i < triangles.length; i++) {
    const at6 = 6 * i;
    if (
      boxes[at6]! <= c[0] + far &&
      boxes[at6 + 3]! >= c[0] - far &&
      boxes[at6 + 2]! <= c[2] + far &&
      boxes[at6 + 5]! >= c[2] - far &&
      boxes[at6 + 1]! <= c[1] + far &&
      boxes[at6 + 4]! >= c[1] - far &&
      meets(shape, c, triangles[i]!, more)
    )
      return false;
  }
  for (const { n, d } of level.planes) {
    let r = 0;
    if ('radii' in shape) {
      const { x, y, z } = shape.radii;
      r = Math.hypot(x * n[0], y * n[1], z * n[2]);
    } else if ('halfHeight' in shape) r = shape.radius + shape.halfHeight * Math.abs(n[1]);
    else {
      const { x, y, z } = shape.halfSize;
      r = x * Math.abs(n[0]) + y * Math.abs(n[1]) + z * Math.abs(n[2]);
    }
    if (dot(n, c) - d < r + more) return false;
  }
  return true;
}

/**
 * Is there ground to walk on where the shape comes to rest from here, no farther than `far` up or down? That is where it
 * cannot slide down steeper than the limit, whichever way: it says nothing of normals and of what is touched. The edge of a
 * ledge is none.
 */
export function isGroundAt(
  level: Level,
  shape: CharacterShape,
  at: ReadonlyVec3,
  { gap, far, slope }: { readonly gap: number; readonly far: number; readonly slope: number },
): boolean {
  const isFreeAt = (x: number, y: number, z: number): boolean => isFree(level, shape, { x, y, z }, gap);
  const step = far / 100;
  let [free, y] = [Number.NaN, at.y];
  while (y <= at.y + far && !isFreeAt(at.x, y, at.z)) y += step;
  for (; y >= at.y - far && isFreeAt(at.x, y, at.z); y -= step) free = y;
  if (Number.isNaN(free) || y < at.y - far) return false;
  let blocked = y;
  for (let i = 0; i < 40; i++) {
    const middle = (free + blocked) / 2;
    if (isFreeAt(at.x, middle, at.z)) free = middle;
    else blocked = middle;
  }
  const aside = 10 * gap;
  const drop = 1.02 * aside * Math.tan(slope);
  for (let i = 0; i < 64; i++) {
    const angle = (i * Math.PI) / 32;
    if (isFreeAt(at.x + aside * Math.cos(angle), free - drop, at.z + aside * Math.sin(angle))) return false;
  }
  return true;
}

/** The boxes around all triangles: what is far from all that is asked about is passed over by them. */
export function boxesOf(level: Level): Float64Array {
  const { triangles } = level;
  if (level.boxes.length === 6 * triangles.length) return level.boxes;
  const boxes = new Float64Array(6 * triangles.length);
  triangles.forEach(([a, b, c], i) => {
    for (let k = 0; k < 3; k++) {
      boxes[6 * i + k] = Math.min(a[k]!, b[k]!, c[k]!);
      boxes[6 * i + 3 + k] = Math.max(a[k]!, b[k]!, c[k]!);
    }
  });
  level.boxes = boxes;
  return boxes;
}

function meets(shape: CharacterShape, c: V, t: Triangle, more: number): boolean {
  const [p, q, r] = t.map((v) => sub(v, c)) as unknown as Triangle;
  if ('radii' in shape) {
    const { x, y, z } = shape.radii;
    const scale = (v: V): V => [v[0] / x, v[1] / y, v[2] / z];
    return pointTriangle([0, 0, 0], [scale(p), scale(q), scale(r)]) < 1 + more / Math.max(x, y, z);
  }
  if ('halfHeight' in shape) {
    const h = shape.halfHeight;
    return segmentTriangle([0, -h, 0], [0, h, 0], [p, q, r]) < shape.radius + more;
  }
  const { x, y, z } = shape.halfSize;
  return isInBox([x + more, y + more, z + more], [p, q, r]);
}

/** Adds a shape to a level, and its triangles to those that the oracle looks at. */
export function addTo(
  level: Level,
  shape: Shape,
  position: Vec3 = { x: 0, y: 0, z: 0 },
  quaternion = { x: 0, y: 0, z: 0, w: 1 },
): number {
  const rotate = (v: ReadonlyVec3): V => {
    const { x, y, z, w } = quaternion;
    const tx = 2 * (y * v.z - z * v.y);
    const ty = 2 * (z * v.x - x * v.z);
    const tz = 2 * (x * v.y - y * v.x);
    return [v.x + w * tx + y * tz - z * ty, v.y + w * ty + z * tx - x * tz, v.z + w * tz + x * ty - y * tx];
  };
  const put = (v: ReadonlyVec3): V => {
    const r = rotate(v);
    return [r[0] + position.x, r[1] + position.y, r[2] + position.z];
  };
  if (shape.kind === 'mesh' || shape.kind === 'heightField') {
    const m = shape.kind === 'mesh' ? shape : shape.mesh;
    const vertex = (i: number) =>
      put({ x: m.vertices[3 * i]!, y: m.vertices[3 * i + 1]!, z: m.vertices[3 * i + 2]! });
    for (let i = 0; i < m.triangleCount; i++)
      level.triangles.push([
        vertex(m.corners[3 * i]!),
        vertex(m.corners[3 * i + 1]!),
        vertex(m.corners[3 * i + 2]!),
      ]);
  } else if (shape.kind === 'halfSpace') {
    const n = rotate(shape.normal);
    level.planes.push({ n, d: shape.d + dot(n, list(position)) });
  } else if ('faces' in shape && shape.faces)
    for (const face of shape.faces.faces)
      for (let k = 2; k < face.length; k++)
        level.triangles.push(
          [face[0]!, face[k - 1]!, face[k]!].map((i) => put(shape.faces!.vertices[i]!)) as never,
        );
  return level.list.add(collider(shape, { position, quaternion }));
}

export const makeLevel = (): Level => ({
  list: new ColliderList(),
  triangles: [],
  planes: [],
  boxes: new Float64Array(0),
});

/** One of many kinds of levels, all about the origin, some ten units large. */
export function randomLevel(rng: Rng): Level {
  const kind = rng.pick(['soup', 'caves', 'terrain', 'boxes', 'tiles', 'wedges'] as const);
  const level = makeLevel();
  const far = { x: 0, y: 0, z: 0 };
  const turn = rng.chance(0.3) ? rng.rotation() : undefined;
  if (kind === 'soup') {
    const positions: number[] = [];
    for (let i = 0; i < 60; i++) {
      const { x, y, z } = rng.vec(6);
      const size = rng.pick([0.5, 2, 6]);
      for (let k = 0; k < 3; k++) {
        const v = rng.vec(size);
        positions.push(x + v.x, y + v.y, z + v.z);
      }
    }
    addTo(level, mesh(positions), far, turn);
  } else if (kind === 'caves') {
    const { positions, index } = voxels(rng, 6, 0.6);
    addTo(
      level,
      mesh(
        positions.map((p) => 2 * p - 6),
        index,
      ),
      far,
      turn,
    );
  } else if (kind === 'terrain') {
    const rough = rng.pick([0.2, 1, 3]);
    for (const x of [-6, 0])
      for (const z of [-6, 0]) {
        const heights = Array.from({ length: 49 }, (_, i) => {
          const seed = Math.sin((x + (i % 7)) * 12.9898 + (z + Math.floor(i / 7)) * 78.233) * 43758.5453;
          return rough * (seed - Math.floor(seed)) - 1;
        });
        addTo(level, heightField(heights, { columns: 7, rows: 7 }), { x, y: 0, z });
      }
  } else if (kind === 'boxes') {
    addTo(level, halfSpace({ x: 0, y: 1, z: 0 }, -2));
    for (let i = 0; i < 12; i++)
      addTo(level, box(rng.range(0.1, 2), rng.range(0.1, 1), rng.range(0.1, 2)), rng.vec(5), rng.rotation());
    for (let i = 0; i < 3; i++)
      addTo(level, hull(Array.from({ length: 12 }, () => rng.vec(1.5))), rng.vec(5), rng.rotation());
  } else if (kind === 'tiles') {
    for (let x = -6; x < 6; x += 2)
      for (let z = -6; z < 6; z += 2)
        addTo(level, box(1, 0.5, 1), { x: x + 1, y: rng.pick([0, 0, 0.25, 0.5, 1e-9]), z: z + 1 });
  } else {
    const positions: number[] = [];
    for (let i = 0; i < 8; i++) {
      const { x, y, z } = rng.vec(4);
      const d = rng.direction();
      const e = rng.direction();
      const angle = rng.pick([1e-6, 1e-3, 0.05, 0.5]);
      for (const s of [-1, 1])
        positions.push(
          x,
          y,
          z,
          x + 9 * d.x,
          y + 9 * d.y,
          z + 9 * d.z,
          x + 9 * (d.x + s * angle * e.x),
          y + 9 * (d.y + s * angle * e.y),
          z + 9 * (d.z + e.z * s * angle),
        );
    }
    addTo(level, mesh(positions), far, turn);
  }
  return level;
}

export function randomShape(rng: Rng): CharacterShape {
  const kind = rng.int(0, 2);
  const size = () => rng.pick([0.1, 0.3, 0.5, 1]) * rng.range(0.5, 1);
  if (kind === 0)
    return rng.chance(0.3)
      ? { radii: { x: 0.4, y: 0.4, z: 0.4 } }
      : { radii: { x: size(), y: size(), z: size() } };
  if (kind === 1) return { radius: size(), halfHeight: rng.pick([0, 0.2, 0.5, 1]) };
  return { halfSize: { x: size(), y: size(), z: size() } };
}
