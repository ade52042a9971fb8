/** Making the cores of convex shapes. */
import { type ConvexCore, NO_TABLE, POINT, POLYTOPE } from '../convex/core.ts';
import { supportTable } from '../convex/support-table.ts';
import { mustNotBeNegative } from '../math/check.ts';
import { mustBeInRange } from '../math/size-range.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { SupportMap } from '../polytope/types.ts';
import { outward } from '../volumes/volume-rounding.ts';

const NONE = new Uint32Array(0);

interface CoreParts {
  readonly type: number;
  readonly data: readonly number[] | Float64Array;
  readonly radius: number;
  /** How far the core itself reaches from the origin. */
  readonly extent: number;
  readonly center?: ReadonlyVec3;
  /** The radius of a ball about the centre that is in the core itself, if known. */
  readonly inner?: number;
  readonly graph?: NeighbourLists | null;
  readonly table?: Uint16Array;
  readonly custom?: SupportMap;
  readonly axisSearch?: ConvexCore['axisSearch'];
}

/** The neighbours of every vertex, one list after the other. */
export interface NeighbourLists {
  readonly firstNeighbour: Uint32Array;
  readonly neighbours: Uint32Array;
}

/** @internal */
export function makeCore(parts: CoreParts): ConvexCore {
  const { type, data, radius, extent, center, inner, graph, table, custom, axisSearch } = parts;
  const size = extent + radius;
  mustBeInRange('shape', 'size', size);
  return {
    type,
    data: Float64Array.from(data),
    radius,
    reach: outward(size),
    center: center ? v3.copy(center) : vec3(),
    inner: inner === undefined ? 0 : inner + radius,
    firstNeighbour: graph?.firstNeighbour ?? NONE,
    neighbours: graph?.neighbours ?? NONE,
    table: table ?? NO_TABLE,
    custom: custom ?? null,
    axisSearch: axisSearch ?? null,
  };
}

/** The core of a point at the origin. @internal */
export const POINT_CORE: ConvexCore = /* @__PURE__ */ makeCore({
  type: POINT,
  data: [],
  radius: 0,
  extent: 0,
});

/** With more points a table would take too long to make; hulls of so many are climbed, but for odd ones. */
const MANY = 256;

/** The core of a list of points. @internal */
export function polytopeCore(
  points: readonly ReadonlyVec3[],
  radius: number,
  center: ReadonlyVec3 = meanOf(points),
  inner = 0,
  graph: NeighbourLists | null = null,
): ConvexCore {
  let extent = 0;
  for (const p of points) extent = Math.max(extent, v3.length(p));
  const data = new Float64Array(3 * points.length);
  points.forEach(({ x, y, z }, i) => {
    data.set([x, y, z], 3 * i);
  });
  const table = graph === null && points.length <= MANY ? supportTable(data) : NO_TABLE;
  return makeCore({ type: POLYTOPE, data, radius, extent, center, inner, graph, table });
}

/** The mean, about the first point: far from the origin nothing is lost, and of equal points it is that point. */
function meanOf(points: readonly ReadonlyVec3[]): Vec3 {
  const origin = points[0]!;
  const sum = vec3();
  for (const p of points) {
    sum.x += (p.x - origin.x) / points.length;
    sum.y += (p.y - origin.y) / points.length;
    sum.z += (p.z - origin.z) / points.length;
  }
  return v3.add(sum, origin, sum);
}

/** Throws unless all are finite and at least 0. @internal */
export function mustBeSizes(caller: string, sizes: Readonly<Record<string, number>>): void {
  for (const name of Object.keys(sizes)) mustNotBeNegative(caller, name, sizes[name]!);
}
