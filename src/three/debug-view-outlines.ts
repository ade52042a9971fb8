/** The lines that shapes are drawn with, each in the space of the shape. All their ends lie on its surface. */
import { BufferAttribute, BufferGeometry } from 'three';
import { supportCore } from '../convex/core.ts';
import { atan2, sincos } from '../math/trig.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import type { ConvexShape, FieldShape } from '../shapes/shape.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { linesOfBody } from '../world/debug-lines.ts';

const TAU = 6.283185307179586;
/** Segments of a full circle. */
const SEGMENTS = 48;
const X = vec3(1, 0, 0);
const Y = vec3(0, 1, 0);
const Z = vec3(0, 0, 1);

/** Outlines of unit size, which are stretched to that of a shape. */
export type UnitOutline = 'sphere' | 'box' | 'cylinder' | 'cone' | 'cap' | 'tube' | 'square' | 'point';

/** A list of segments to be drawn. */
class Outline {
  private readonly numbers: number[] = [];

  line(a: ReadonlyVec3, b: ReadonlyVec3): void {
    this.numbers.push(a.x, a.y, a.z, b.x, b.y, b.z);
  }

  /** Through the points of a curve at 0, 1 … steps. */
  curve(steps: number, at: (step: number) => ReadonlyVec3): void {
    let last = at(0);
    for (let i = 1; i <= steps; i++) {
      const next = at(i);
      this.line(last, next);
      last = next;
    }
  }

  /** center + u cos + v sin, all around or a part of it. */
  arc(center: ReadonlyVec3, u: ReadonlyVec3, v: ReadonlyVec3, from = 0, to = TAU): void {
    const steps = Math.max(1, Math.ceil(((to - from) / TAU) * SEGMENTS - 1e-9));
    this.curve(steps, (i) => {
      const { sin, cos } = sincos(from + ((to - from) * i) / steps);
      return v3.addScaled(v3.addScaled(center, u, cos), v, sin);
    });
  }

  toGeometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    return geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.numbers), 3));
  }
}

/**
 * sphere, box, cylinder, cone: of radius, half size and half height 1. cap: the upper half of the sphere. tube: the lines along
 * the side of the cylinder, where a cap goes on. square: a grid in the xz plane. point: an octahedron.
 */
export function unitOutline(kind: UnitOutline): BufferGeometry {
  const outline = new Outline();
  const ring = (y: number, radius = 1): void =>
    outline.arc(vec3(0, y, 0), vec3(radius, 0, 0), vec3(0, 0, radius));
  /** Lines down the side, from the rim at y = 1 to that at y = -1. */
  const sides = (count: number, top: number): void => {
    for (let i = 0; i < count; i++) {
      const { sin, cos } = sincos((TAU * i) / count);
      outline.line(vec3(top * cos, 1, top * sin), vec3(cos, -1, sin));
    }
  };
  switch (kind) {
    case 'sphere':
      ring(0);
      outline.arc(vec3(), X, Y);
      outline.arc(vec3(), Y, Z);
      break;
    case 'box':
      for (let i = 0; i < 4; i++) {
        const u = i & 1 ? 1 : -1;
        const v = i & 2 ? 1 : -1;
        outline.line(vec3(-1, u, v), vec3(1, u, v));
        outline.line(vec3(u, -1, v), vec3(u, 1, v));
        outline.line(vec3(u, v, -1), vec3(u, v, 1));
      }
      break;
    case 'cylinder':
      ring(1);
      ring(-1);
      sides(8, 1);
      break;
    case 'cone':
      ring(-1);
      sides(8, 0);
      break;
    case 'cap':
      ring(0);
      outline.arc(vec3(), X, Y, 0, TAU / 2);
      outline.arc(vec3(), Z, Y, 0, TAU / 2);
      break;
    case 'tube':
      sides(4, 1);
      break;
    case 'square':
      for (let i = -4; i <= 4; i++) {
        outline.line(vec3(i / 4, 0, -1), vec3(i / 4, 0, 1));
        outline.line(vec3(-1, 0, i / 4), vec3(1, 0, i / 4));
      }
      break;
    case 'point':
      for (const [u, v] of [
        [X, Y],
        [Y, Z],
        [Z, X],
      ] as const)
        outline.curve(4, (i) => v3.scale(i % 2 ? v : u, i % 4 < 2 ? 1 : -1));
      break;
  }
  return outline.toGeometry();
}

/** Of a convex shape that no unit outline can be stretched to. */
export function convexOutline(shape: ConvexShape): BufferGeometry {
  const outline = new Outline();
  if (shape.faces !== null) roundedFaces(shape.faces, shape.core.radius, outline);
  else if (shape.kind === 'cylinder' || shape.kind === 'cone') revolvedProfile(shape, outline);
  else
    for (const [u, v] of [
      [X, Y],
      [Y, Z],
      [Z, X],
    ] as const)
      outline.curve(2 * SEGMENTS, (i) => supportAlong(shape, u, v, (TAU * i) / (2 * SEGMENTS)));
  return outline.toGeometry();
}

/** The point of the surface that lies farthest along u cos + v sin, u and v being unit vectors at right angles. */
function supportAlong({ core }: ConvexShape, u: ReadonlyVec3, v: ReadonlyVec3, angle: number): Vec3 {
  const { sin, cos } = sincos(angle);
  const direction = v3.addScaled(v3.scale(u, cos), v, sin);
  const p = vec3();
  supportCore(core, direction, -1, p);
  return v3.addScaled(p, direction, core.radius, p);
}

/**
 * All points within `radius` of a polyhedron: its faces, moved outward, and arcs around both ends of its edges from face to
 * face. Around the edge e of a face with normal n, e × n points away from the face.
 */
function roundedFaces(
  { vertices, faces, planes }: ReadonlyPolyhedron,
  radius: number,
  outline: Outline,
): void {
  /** The face to the left of each edge, by the numbers of its ends. */
  const sides = new Map<number, number>();
  const key = (from: number, to: number): number => from * vertices.length + to;
  faces.forEach((loop, face) => {
    loop.forEach((from, i) => {
      sides.set(key(from, loop[(i + 1) % loop.length]!), face);
    });
  });
  faces.forEach((loop, face) => {
    const { normal } = planes[face]!;
    loop.forEach((from, i) => {
      const to = loop[(i + 1) % loop.length]!;
      const a = vertices[from]!;
      const b = vertices[to]!;
      const isFirst = from < to;
      if (radius === 0) {
        if (isFirst) outline.line(a, b);
        return;
      }
      outline.line(v3.addScaled(a, normal, radius), v3.addScaled(b, normal, radius));
      const other = sides.get(key(to, from));
      if (!isFirst || other === undefined) return;
      const away = v3.cross(v3.normalize(v3.sub(b, a)), normal);
      const next = planes[other]!.normal;
      const angle = atan2(Math.max(0, v3.dot(away, next)), v3.dot(normal, next));
      const [u, v] = [v3.scale(normal, radius), v3.scale(away, radius)];
      outline.arc(a, u, v, 0, angle);
      outline.arc(b, u, v, 0, angle);
    });
  });
}

/** A rounded cylinder or cone: what it looks like from the side, and rings where it is rounded. */
function revolvedProfile(shape: ConvexShape, outline: Outline): void {
  for (const across of [X, Z])
    outline.curve(2 * SEGMENTS, (i) => supportAlong(shape, across, Y, (TAU * i) / (2 * SEGMENTS)));
  for (const angle of [-TAU / 8, TAU / 8]) {
    const { x, y } = supportAlong(shape, X, Y, angle);
    outline.arc(vec3(0, y, 0), vec3(x, 0, 0), vec3(0, 0, x));
  }
}

/** The edges of all triangles, each once, on the very vertices of the mesh. */
/** Where planes across the axes cut its surface. */
export function fieldOutline(shape: FieldShape): BufferGeometry {
  return new BufferGeometry().setAttribute(
    'position',
    new BufferAttribute(Float32Array.from(linesOfBody(shape)), 3),
  );
}

export function meshOutline({ vertices, corners, buffer }: Mesh): BufferGeometry {
  const count = vertices.length / 3;
  const keys = new Float64Array(corners.length);
  for (let i = 0; i < corners.length; i++) {
    const a = corners[i]!;
    const b = corners[i % 3 === 2 ? i - 2 : i + 1]!;
    keys[i] = a < b ? a * count + b : b * count + a;
  }
  keys.sort();
  const edges = new Uint32Array(2 * keys.length);
  let used = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (i > 0 && key === keys[i - 1]) continue;
    edges[used++] = Math.floor(key / count);
    edges[used++] = key % count;
  }
  // The graphics card takes single precision, and no memory that threads share.
  const isReady = vertices instanceof Float32Array && buffer instanceof ArrayBuffer;
  const positions = isReady ? vertices : new Float32Array(vertices);
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions as Float32Array<ArrayBuffer>, 3));
  return geometry.setIndex(new BufferAttribute(edges.slice(0, used), 1));
}
