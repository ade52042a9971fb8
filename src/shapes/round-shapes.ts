/** Balls, capsules, cylinders, cones and ellipsoids. All stand about the origin, those with an axis along y. */
import { CONE, CYLINDER, ELLIPSOID, POINT, SEGMENT } from '../convex/core.ts';
import { makeAxisSearch } from '../convex/revolution-search.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { FAMILY } from '../trimesh/family-key.ts';
import { makeCore, mustBeSizes } from './cores.ts';
import { CONE_FORM, CYLINDER_FORM } from './one-body/cylinder-cone.ts';
import { ELLIPSOID_FORM } from './one-body/ellipsoid.ts';
import { TUBE } from './one-body/tube.ts';
import type { CapsuleShape, ConeShape, CylinderShape, EllipsoidShape, SphereShape } from './shape.ts';

/** A ball about the origin. A radius of 0 makes it a point. O(1). */
export function sphere(radius: number): SphereShape {
  mustBeSizes('sphere', { radius });
  return {
    kind: 'sphere',
    radius,
    core: makeCore({ type: POINT, data: [], radius, extent: 0, inner: 0 }),
    faces: null,
    [FAMILY]: TUBE,
  };
}

/** All points within `radius` of the segment from -halfHeight to halfHeight on the y axis. O(1). */
export function capsule(halfHeight: number, radius: number): CapsuleShape {
  mustBeSizes('capsule', { halfHeight, radius });
  const data = [0, -halfHeight, 0, 0, halfHeight, 0];
  const core = makeCore({ type: SEGMENT, data, radius, extent: halfHeight, inner: 0 });
  return { kind: 'capsule', halfHeight, radius, core, faces: null, [FAMILY]: TUBE };
}

/** A cylinder about the y axis with flat ends, made larger by `rounding` on all sides. O(1). */
export function cylinder(halfHeight: number, radius: number, rounding = 0): CylinderShape {
  mustBeSizes('cylinder', { halfHeight, radius, rounding });
  const extent = v3.length(vec3(halfHeight, radius));
  const inner = Math.min(halfHeight, radius);
  const core = makeCore({
    type: CYLINDER,
    data: [halfHeight, radius],
    radius: rounding,
    extent,
    inner,
    axisSearch: makeAxisSearch,
  });
  return { kind: 'cylinder', halfHeight, radius, rounding, core, faces: null, [FAMILY]: CYLINDER_FORM };
}

/** A cone about the y axis, its tip at +halfHeight, its base at -halfHeight, made larger by `rounding`. O(1). */
export function cone(halfHeight: number, radius: number, rounding = 0): ConeShape {
  mustBeSizes('cone', { halfHeight, radius, rounding });
  const extent = v3.length(vec3(halfHeight, radius));
  // The centre of mass: a quarter of the height above the base.
  const center = vec3(0, -0.5 * halfHeight);
  const core = makeCore({
    type: CONE,
    data: [halfHeight, radius],
    radius: rounding,
    extent,
    center,
    axisSearch: makeAxisSearch,
  });
  return { kind: 'cone', halfHeight, radius, rounding, core, faces: null, [FAMILY]: CONE_FORM };
}

/** An ellipsoid with its radii along the axes, made larger by `rounding`. Any radius may be 0. O(1). */
export function ellipsoid(rx: number, ry: number, rz: number, rounding = 0): EllipsoidShape {
  mustBeSizes('ellipsoid', { rx, ry, rz, rounding });
  const extent = Math.max(rx, ry, rz);
  const inner = Math.min(rx, ry, rz);
  const core = makeCore({
    type: ELLIPSOID,
    data: [rx, ry, rz],
    radius: rounding,
    extent,
    inner,
    axisSearch: makeAxisSearch,
  });
  return {
    kind: 'ellipsoid',
    radii: vec3(rx, ry, rz),
    rounding,
    core,
    faces: null,
    [FAMILY]: ELLIPSOID_FORM,
  };
}
