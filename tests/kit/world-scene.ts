/** Random scenes of all kinds of shapes, and a list of colliders that is asked one by one: the reference for a world. */
import type { Pose, Vec3 } from '../../src/math/types.ts';
import type { Body, Motion } from '../../src/query/index.ts';
import { cast, contacts, distance, intersects, raycast } from '../../src/query/index.ts';
import {
  box,
  capsule,
  cone,
  cylinder,
  halfSpace,
  hull,
  type Shape,
  sphere,
  triangle,
} from '../../src/shapes/index.ts';
import type { ColliderOptions, Filter, Use } from '../../src/world/index.ts';
import { EVERY_SHAPE } from './every-shape.ts';
import type { Rng } from './rng.ts';

const v = (x: number, y: number, z: number): Vec3 => ({ x, y, z });

/** One of each kind, at least. */
export const SHAPES: Record<string, Shape> = {
  ...EVERY_SHAPE,
  // Of sizes that add up without rounding, so that scenes can have things that touch exactly.
  sphere: sphere(0.5),
  box: box(0.5, 1, 0.5),
  'rounded box': box(0.5, 0.25, 0.3, 0.25),
  capsule: capsule(0.5, 0.5),
  cylinder: cylinder(0.5, 0.5),
  cone: cone(0.75, 0.5),
  hull: hull([v(-1, 0, 0), v(1, 0, 0), v(0, 1, 0), v(0, -1, 0), v(0, 0, 1), v(0.2, 0.1, -1)]),
  triangle: triangle(v(-1, -0.5, 0), v(1, -0.5, 0), v(0, 1, 0)),
  'far from its origin': hull([v(5, 0, 0), v(6, 0, 0.2), v(5, 1, 0), v(5, 0, 1)]),
  tiny: sphere(1e-5),
  large: box(6, 0.5, 6),
  'half-space': halfSpace(v(0.1, 1, 0.2), -4),
  'level half-space': halfSpace(v(0, 1, 0), -3),
};
const NAMES = Object.keys(SHAPES);

/** Half-spaces touch about everything: few of them. */
export function randomShape(rng: Rng): Shape {
  const name = rng.pick(NAMES);
  return SHAPES[name.includes('half-space') && rng.chance(0.7) ? 'sphere' : name]!;
}

/** Lattice places, where things touch exactly, and others. */
export function randomPose(rng: Rng, size: number): Pose {
  const lattice = rng.chance(0.5);
  const at = () => (lattice ? rng.int(-Math.ceil(size), Math.ceil(size)) : rng.range(-size, size));
  return {
    position: v(at(), at(), at()),
    quaternion: lattice && rng.chance(0.5) ? { x: 0, y: 0, z: 0, w: 1 } : rng.rotation(),
  };
}

const USES: Use[] = ['ray', 'cast', 'overlap', 'contact', 'event'];

export function randomOptions(rng: Rng): ColliderOptions {
  return {
    ...(rng.chance(0.3) && { group: rng.int(0, 7) }),
    ...(rng.chance(0.3) && { mask: rng.int(0, 7) }),
    ...(rng.chance(0.2) && { sensor: true }),
    ...(rng.chance(0.3) && { fixed: true }),
    ...(rng.chance(0.3) && { owner: rng.int(1, 3) }),
    ...(rng.chance(0.2) && { uses: USES.filter(() => rng.chance(0.7)) }),
  };
}

export function randomFilter(rng: Rng, ids: number[]): Filter {
  if (rng.chance(0.4)) return {};
  const some = () => ids.filter(() => rng.chance(0.3));
  return {
    ...(rng.chance(0.3) && { group: rng.int(1, 7) }),
    ...(rng.chance(0.3) && { mask: rng.int(1, 7) }),
    ...(rng.chance(0.3) && { owner: rng.int(1, 3) }),
    ...(rng.chance(0.3) && { sensors: true }),
    ...(rng.chance(0.3) && { ignore: rng.pick([rng.int(1, 30), some(), new Set(some())]) }),
    ...(rng.chance(0.3) && { predicate: (c) => c.id % 3 !== 1 }),
  };
}

/** What the list knows of a collider. */
export interface Listed {
  readonly id: number;
  shape: Shape;
  live: Pose;
  pose: Pose;
  options: ColliderOptions;
}

const bits = (n: number | undefined, otherwise: number) => (n === undefined ? otherwise : n | 0);

/** A list of colliders, each asked in turn, in the order of their numbers. */
export class ListedWorld {
  readonly list: Listed[] = [];
  /** Pairs that touched at the last update: 'a b' and whether one was a sensor. */
  touched = new Map<string, boolean>();

  find(id: number): Listed {
    return this.list.find((c) => c.id === id)!;
  }

  private seen(use: Use, filter: Filter): Listed[] {
    return this.list.filter(({ id, options }) => {
      const { ignore } = filter;
      if (options.uses && !options.uses.includes(use)) return false;
      if (options.sensor && !filter.sensors) return false;
      if (filter.mask !== undefined && !(bits(options.group, 1) & filter.mask)) return false;
      if (filter.group !== undefined && !(bits(options.mask, -1) & filter.group)) return false;
      if (filter.owner !== undefined && filter.owner === options.owner) return false;
      if (typeof ignore === 'number' ? ignore === id : new Set(ignore).has(id)) return false;
      return filter.predicate?.({ id } as never) ?? true;
    });
  }

  raycastAll(ray: { origin: Vec3; direction: Vec3 }, tMax: number, filter: Filter) {
    return byTime(
      this.seen('ray', filter).map((c) => ({ id: c.id, ...raycast(ray, c, { maxDistance: tMax }) })),
    );
  }

  castAll(body: Body, motion: Motion, filter: Filter) {
    return byTime(this.seen('cast', filter).map((c) => ({ id: c.id, ...cast(body, motion, c) })));
  }

  overlaps(body: Body, filter: Filter): number[] {
    return this.seen('overlap', filter)
      .filter((c) => intersects(body, c))
      .map((c) => c.id);
  }

  nearest(body: Body, maxDistance: number, filter: Filter) {
    return (
      this.seen('contact', filter)
        .map((c) => ({ id: c.id, ...distance(body, c, { maxDistance }) }))
        .filter((s) => s.separation !== undefined)
        .sort((a, b) => a.separation! - b.separation! || a.id - b.id)[0] ?? null
    );
  }

  contacts(body: Body, margin: number, filter: Filter) {
    return this.seen('contact', filter).flatMap((c) =>
      contacts(body, c, { margin }).map((contact) => ({ ...contact, id: c.id })),
    );
  }

  /** Reads poses and returns events, as `World.update`. */
  update(pairFilter?: (a: number, b: number) => boolean) {
    for (const c of this.list) if (!c.options.fixed) c.pose = structuredClone(c.live);
    const now = new Map<string, boolean>();
    for (const [i, a] of this.list.entries())
      for (const b of this.list.slice(i + 1)) {
        const [p, q] = [a.options, b.options];
        if (!(bits(p.group, 1) & bits(q.mask, -1)) || !(bits(q.group, 1) & bits(p.mask, -1))) continue;
        if (p.owner !== undefined && p.owner === q.owner) continue;
        if ((p.uses && !p.uses.includes('event')) || (q.uses && !q.uses.includes('event'))) continue;
        if (p.fixed && q.fixed) continue;
        if (pairFilter && !pairFilter(a.id, b.id)) continue;
        if (intersects(a, b)) now.set(`${a.id} ${b.id}`, Boolean(p.sensor || q.sensor));
      }
    const events = [...new Set([...now.keys(), ...this.touched.keys()])].map((key) => {
      const [a, b] = key.split(' ').map(Number);
      const phase = !now.has(key) ? 'leave' : this.touched.has(key) ? 'stay' : 'enter';
      return { a: a!, b: b!, phase, sensor: now.get(key) ?? this.touched.get(key)! };
    });
    this.touched = now;
    return events.sort((x, y) => x.a - y.a || x.b - y.b);
  }
}

function byTime<T extends { t?: number; id: number }>(hits: T[]): T[] {
  return hits.filter((h) => h.t !== undefined).sort((a, b) => a.t! - b.t! || a.id - b.id);
}
