/** Points of a shape that stand for its surface. */
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { loadTriangle, type Mesh, makeCorners } from '../trimesh/mesh.ts';
import { boundsOf } from './bounds.ts';
import { isField, sizeOfBox } from './fields/field.ts';
import { closestPointShape, signedDistanceShape } from './one-body/any-shape.ts';
import { releaseBody, takeBody } from './one-body/body-context.ts';
import type { ConvexShape, Shape } from './shape.ts';

/** What curved shapes are sampled by where nothing is said: in parts of their size. */
const COARSE = 1 / 16;
const ROOT3 = 1.7320508075688774;

/** The radius that the samples of a shape stand for: its rounding. */
export const sampleRadiusOf = (shape: Shape): number => (hasFewSamples(shape) ? shape.core.radius : 0);

/** Is it corners and a rounding? */
const hasFewSamples = (shape: Shape): shape is ConvexShape =>
  'core' in shape && (shape.faces !== null || FEW.includes(shape.kind));
const FEW = ['sphere', 'point', 'capsule', 'segment'];

/** As `Solid.sample`. */
export function sampleShape(shape: Shape, spacing: number): number[] {
  if (shape.kind === 'halfSpace') return [];
  if (shape.kind === 'mesh' || shape.kind === 'heightField')
    return sampleMesh(shape.kind === 'mesh' ? shape : shape.mesh, spacing);
  if (!hasFewSamples(shape)) return sampleCubes(shape, spacing);
  const { core, faces } = shape;
  const out: number[] = [];
  if (faces === null) {
    if (core.data.length < 6) return [0, 0, 0];
    const [a, b] = [pointAt(core.data, 0), pointAt(core.data, 3)];
    push(a, out);
    push(b, out);
    sampleSegment(a, b, spacing, out);
    return out;
  }
  for (const p of faces.vertices) push(p, out);
  for (const face of faces.faces)
    for (let i = 1; i + 1 < face.length; i++)
      sampleTriangle(
        faces.vertices[face[0]!]!,
        faces.vertices[face[i]!]!,
        faces.vertices[face[i + 1]!]!,
        spacing,
        out,
      );
  return out;
}

const pointAt = (data: ArrayLike<number>, at: number): ReadonlyVec3 =>
  vec3(data[at]!, data[at + 1]!, data[at + 2]!);

const push = ({ x, y, z }: ReadonlyVec3, out: number[]): void => {
  out.push(x, y, z);
};

function sampleMesh(mesh: Mesh, spacing: number): number[] {
  const out = Array.from(mesh.vertices);
  if (spacing === Infinity) return out;
  const corners = makeCorners();
  for (let i = 0; i < mesh.triangleCount; i++) {
    loadTriangle(mesh, i, corners);
    sampleTriangle(corners.a, corners.b, corners.c, spacing, out);
  }
  return out;
}

function sampleSegment(a: ReadonlyVec3, b: ReadonlyVec3, spacing: number, out: number[]): void {
  const n = Math.ceil(v3.distance(a, b) / (2 * spacing));
  for (let i = 1; i < n; i++) push(v3.lerp(a, b, i / n), out);
}

/** All but the corners: no point of a triangle is farther than L / √3 from a corner, with L the longest side. */
function sampleTriangle(
  a: ReadonlyVec3,
  b: ReadonlyVec3,
  c: ReadonlyVec3,
  spacing: number,
  out: number[],
): void {
  const longest = Math.max(v3.distance(a, b), v3.distance(b, c), v3.distance(c, a));
  const n = Math.ceil(longest / (ROOT3 * spacing));
  for (let i = 0; i <= n; i++)
    for (let j = 0; i + j <= n; j++) {
      if ((i === 0 && j === 0) || i === n || j === n) continue;
      const [u, v, w] = [1 - (i + j) / n, i / n, j / n];
      out.push(u * a.x + v * b.x + w * c.x, u * a.y + v * b.y + w * c.y, u * a.z + v * b.z + w * c.z);
    }
}

/**
 * Of each cube that the surface may go through, the nearest point of the shape, or the middle of the cube if that is inside: it is
 * within two radii of the cube of each point of the surface in there.
 */
function sampleCubes(shape: Shape, spacing: number): number[] {
  const { min, max } = boundsOf(shape);
  const size = sizeOfBox({ min, max });
  const least = (spacing < Infinity ? spacing : COARSE * size) / (2 * ROOT3);
  const out: number[] = [];
  const center = v3.lerp(min, max, 0.5);
  const stack = [center.x, center.y, center.z, size / 2];
  const p = vec3();
  const context = takeBody();
  try {
    while (stack.length > 0) {
      const half = stack.pop()!;
      p.z = stack.pop()!;
      p.y = stack.pop()!;
      p.x = stack.pop()!;
      const away = isField(shape) ? shape.bound(p) : signedDistanceShape(shape, p, context);
      if (!(Math.abs(away) <= ROOT3 * half)) continue;
      if (half > least) {
        const h = half / 2;
        for (let i = 0; i < 8; i++)
          stack.push(p.x + (i & 1 ? h : -h), p.y + (i & 2 ? h : -h), p.z + (i & 4 ? h : -h), h);
        continue;
      }
      context.limit = Infinity;
      if (away <= 0) push(p, out);
      else if (closestPointShape(shape, p, context) && context.found.distance <= ROOT3 * half)
        push(context.found.point, out);
    }
  } finally {
    releaseBody();
  }
  return out;
}
