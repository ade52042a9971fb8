/** Boxes that move, against the mesh of a solid-leaf tree: by the tree of the mesh, and a sweep at each triangle that it tells. */
import { overlapAabbBsp, type SolidBsp, sweepAabbBsp } from '../../src/bsp/index.ts';
import type { ReadonlyVec3 } from '../../src/math/index.ts';
import * as v3 from '../../src/math/vec3.ts';
import { type ReadonlyAabb, type SweepSpan, sweepAabbTriangle } from '../../src/primitives/index.ts';
import { overlapAabbMesh, trianglesAabbMesh } from '../../src/trimesh/index.ts';
import { isInside } from '../../src/trimesh/inside.ts';
import { check, near } from './property.ts';

/**
 * The first triangle that is touched, of those at the same time the one with the lowest number; null for none. By pieces of the
 * motion, short ones first: those behind the first touch are not looked at.
 */
export function firstTriangle(
  { min, max }: ReadonlyAabb,
  motion: ReadonlyVec3,
  { mesh, polygons, world }: SolidBsp,
): { span: SweepSpan; triangle: number } | null {
  const far = v3.length(min) + v3.length(max) + v3.length(motion);
  const more = { x: 1e-12 * far, y: 1e-12 * far, z: 1e-12 * far };
  const boxAt = (t: number) => ({ min: v3.addScaled(min, motion, t), max: v3.addScaled(max, motion, t) });
  let first: { span: SweepSpan; triangle: number } | null = null;
  let from = 0;
  for (let step = v3.distance(world.min, world.max) / 50 / v3.length(motion); from < 1; step *= 1.5) {
    const to = Math.min(1, from + step);
    const [a, b] = [boxAt(from), boxAt(to)];
    const around = { min: v3.sub(v3.min(a.min, b.min), more), max: v3.add(v3.max(a.max, b.max), more) };
    for (const triangle of trianglesAabbMesh(around, mesh)) {
      const [a, b, c] = polygons[triangle]!;
      const span = sweepAabbTriangle({ min, max }, motion, a!, b!, c!);
      const later = first && span && (span.enter - first.span.enter || triangle - first.triangle);
      if (span && !(later && later > 0)) first = { span, triangle };
    }
    // What touches at the end of a piece may have been found with a time just behind it, and others at that time not yet.
    if (first && first.span.enter < to * (1 - 1e-9)) break;
    from = to;
  }
  return first;
}

/** Does a sweep of a box get the answers of the mesh, to the last bit? Returns whether it starts in the solid. */
export function compareSweep(box: ReadonlyAabb, motion: ReadonlyVec3, bsp: SolidBsp): boolean {
  const hit = sweepAabbBsp(box, motion, bsp);
  const startsSolid = overlapAabbMesh(box, bsp.mesh) || isInside(box.min, bsp.mesh);
  check(
    (hit?.startsSolid ?? false) === startsSolid,
    () => `startsSolid is not ${startsSolid} of ${JSON.stringify(box)}`,
  );
  check(overlapAabbBsp(box, bsp) === startsSolid, 'overlap');
  if (startsSolid) {
    check(hit!.t === 0 && hit!.triangle === -1, 'starts at 0');
    check(v3.dot(hit!.normal, motion) <= 0, 'against the motion');
    return true;
  }
  const first = firstTriangle(box, motion, bsp);
  const told = () => `${hit?.t} at ${hit?.triangle} is not ${first?.span.enter} at ${first?.triangle}`;
  check(hit?.t === first?.span.enter && hit?.triangle === first?.triangle, told);
  if (hit === null || first === null) return false;
  check(v3.distance(hit.normal, first.span.normal) === 0, 'normal');
  const center = v3.lerp(box.min, box.max, 0.5);
  const far = v3.length(center) + v3.length(motion);
  near(v3.distance(hit.point, v3.addScaled(center, motion, hit.t)), 0, 1e-14 * (1 + far), 'centre');
  return false;
}
