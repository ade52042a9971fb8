/** Portals as one goes through them: each is two doors, one for either direction. */
import { checkPoints, mustBeList, mustBeWhole, mustHave, refuse } from '../math/check.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { BspTree } from './bsp-tree.ts';
import type { BspPortal } from './portals.ts';

/** @internal */
export interface Door {
  readonly points: readonly ReadonlyVec3[];
  /** The normal points into `to`. */
  readonly normal: Vec3;
  readonly d: number;
  /** The leaf behind it, where one comes from, and that in front of it. */
  readonly from: number;
  readonly to: number;
  readonly number: number;
  /** A ball around it. */
  readonly center: Vec3;
  readonly radius: number;
}

/** @internal */
export interface Doors {
  readonly all: readonly Door[];
  /** For each leaf those that lead out of it. */
  readonly from: readonly (readonly Door[])[];
}

/** Worked out when first needed, and kept with the list of portals, which is checked then. @internal */
export function doorsOf(caller: string, { leafCount }: BspTree, portals: readonly BspPortal[]): Doors {
  mustBeList(caller, 'portals', portals);
  const known = made.get(portals);
  if (known !== undefined && known.from.length === leafCount) return known;
  portals.forEach((portal, i) => {
    checkPortal(caller, `portals[${i}]`, portal, leafCount);
  });
  const doors = makeDoors(leafCount, portals);
  made.set(portals, doors);
  return doors;
}

function checkPortal(caller: string, name: string, portal: BspPortal, leafCount: number): void {
  mustHave(caller, name, portal, 'a portal', 'points');
  const { points, front, back } = portal;
  mustBeWhole(caller, `${name}.front`, front, 0, leafCount - 1);
  mustBeWhole(caller, `${name}.back`, back, 0, leafCount - 1);
  checkPoints(caller, `${name}.points`, points);
  if (points.length < 3) refuse(caller, `${name}.points`, `must be at least 3, got ${points.length}`);
}

const made = /* @__PURE__ */ new WeakMap<readonly BspPortal[], Doors>();

function makeDoors(leafCount: number, portals: readonly BspPortal[]): Doors {
  const all: Door[] = [];
  const from: Door[][] = Array.from({ length: leafCount }, () => []);
  for (const { points, front, back } of portals) {
    const { normal, d } = planeAround(points);
    const center = v3.scale(
      points.reduce((sum, p) => v3.add(sum, p, sum), vec3()),
      1 / points.length,
    );
    const radius = points.reduce((most, p) => Math.max(most, v3.distance(p, center)), 0);
    const both = [
      { points, normal, d, from: back, to: front, number: all.length, center, radius },
      {
        points,
        normal: v3.negate(normal),
        d: -d,
        from: front,
        to: back,
        number: all.length + 1,
        center,
        radius,
      },
    ];
    for (const door of both) {
      all.push(door);
      from[door.from]!.push(door);
    }
  }
  return { all, from };
}

function planeAround(points: readonly ReadonlyVec3[]): { normal: Vec3; d: number } {
  const sum = vec3();
  for (let k = 2; k < points.length; k++)
    v3.add(sum, v3.cross(v3.sub(points[k - 1]!, points[0]!), v3.sub(points[k]!, points[0]!)), sum);
  const normal = v3.normalize(sum);
  return { normal, d: v3.dot(normal, points[0]!) };
}

/**
 * Can a line that comes through `first` go through `next` as well? It has to end in front of the one and to have started behind the
 * other. @internal
 */
export function isAhead(first: Door, next: Door, thickness: number): boolean {
  const ahead = v3.dot(first.normal, next.center) - first.d;
  if (ahead < -next.radius - thickness) return false;
  const behind = v3.dot(next.normal, first.center) - next.d;
  if (behind > first.radius + thickness) return false;
  return (
    (ahead >= -thickness || next.points.some((p) => v3.dot(first.normal, p) - first.d >= -thickness)) &&
    (behind <= thickness || first.points.some((p) => v3.dot(next.normal, p) - next.d <= thickness))
  );
}
