import { vec3 } from '../../src/math/types.ts';
import { makeAabb } from '../../src/primitives/types.ts';
import { box, collider, cylinder } from '../../src/shapes/index.ts';
import * as query from '../kit/public-names.ts';
import type { Sample } from '../kit/sample.ts';

const quaternion = { x: 0.1, y: 0.2, z: 0.3, w: 0.9 };
const a = collider(box(0.5, 0.4, 0.3), { position: vec3(-4, 0.2, 0.1), quaternion });
const b = collider(cylinder(0.5, 0.4), { position: vec3(1.8, 0.3, 0.1), quaternion });
/** Round: it has no lists of numbers in it, which could be taken for those of an answer. */
const round = collider(cylinder(0.3, 0.2), { position: vec3(-4, 0.2, 0.1), quaternion });
const trusted = ['a', 'b', 'body', 'mover', 'target'];
const origins = [0.1, 5, 0.2, 1.8, 4, 0.1, 1.8, 0.4, 0.2];
const directions = [0, -1, 0.1, 0.2, -3, 0.1, 1, 2, 3];

const ONCE = 'a record and a list of lists, however many there are';

/** Both move. */
const castBoth = (
  mover: query.Body,
  motion: query.Motion,
  target: query.Body,
  targetMotion: query.Motion,
  out?: query.CastHit,
) => query.cast(mover, motion, target, { targetMotion, out });

export const samples: Sample[] = [
  {
    fn: query.raycastMany,
    args: { origins, directions, body: b },
    trusted,
    out: { maxDistance: 9.5, out: query.raycastMany(origins, directions, b) },
    allocates: ONCE,
  },
  {
    fn: query.closestPointMany,
    args: { points: origins, body: b },
    trusted,
    out: { out: query.closestPointMany(origins, b) },
    allocates: ONCE,
  },
  {
    fn: query.intersectsMany,
    args: {
      a,
      poses: { positions: origins, quaternions: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0, 0, 0, 1] },
      b,
    },
    trusted,
    out: { out: new Uint8Array(3) },
    allocates: ONCE,
  },
  {
    fn: query.castMany,
    args: {
      mover: round,
      casts: {
        translations: [6, 0.1, 0.2, 1, 2, 3, -4, 0.5, 0.25],
        positions: [-4, 0.2, 0.1, 0.5, 5, 0.2, 6, 0.3, 0.1],
        quaternions: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0, 0, 0, 1],
      },
      target: b,
    },
    trusted,
    out: { out: query.castMany(round, { translations: directions }, b) },
    allocates: 'a pose, a motion and a record, once for all casts',
  },
  {
    fn: castBoth,
    args: {
      mover: a,
      motion: { translation: vec3(6, 0.1, 0.2) },
      target: b,
      targetMotion: { translation: vec3(-1, 0.3, 0.1) },
    },
    trusted,
    out: query.makeCastHit(),
    allocates: 'as `cast` does',
  },
  {
    fn: castBoth,
    args: {
      mover: a,
      motion: { linear: vec3(6, 0.1, 0.2), angular: vec3(1, 0.5, 0.25), duration: 0.75 },
      target: b,
      targetMotion: {
        translation: vec3(-1, 0.3, 0.1),
        axis: vec3(1, 0.5, 0.2),
        angle: 0.5,
        pivot: vec3(1, 2, 3),
      },
    },
    trusted,
    out: query.makeCastHit(),
    allocates: 'pieces of the bodies',
  },
  {
    fn: query.sweptBoundsOf,
    args: { body: a, motion: { translation: vec3(6, 0.1, 0.2) } },
    trusted,
    out: makeAabb(),
  },
  {
    fn: query.sweptBoundsOf,
    args: { body: a, motion: { axis: vec3(1, 0.1, 0.2), angle: 0.5, pivot: vec3(1, 2, 3) } },
    trusted,
    out: makeAabb(),
    allocates: 'three numbers of the turn are boxed',
  },
  {
    fn: query.sweptBoundsOf,
    args: { body: a, motion: { linear: vec3(1, 0.1, 0.2), angular: vec3(1, 2, 3), duration: 0.5 } },
    trusted,
    out: makeAabb(),
    allocates: 'four numbers of the turn are boxed',
  },
];
