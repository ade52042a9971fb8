/**
 * The same moves in the same scene, seen otherwise: turned with `up`, mirrored, with axes swapped, shifted, enlarged, built
 * of other shapes. All that a move reports goes along, so that no sign, no axis and no unit can be wrong anywhere. No number
 * here comes from the library.
 */
import { expect, test } from 'vitest';
import { quad } from '../../tests/kit/character-setups.ts';
import { Rng } from '../../tests/kit/index.ts';
import { factor } from '../../tests/kit/property.ts';
import { boxSolid } from '../../tests/kit/solids.ts';
import type { Pose, Quat, ReadonlyVec3, Vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { box, collider, compound, halfSpace, hull, type Shape, sphere } from '../shapes/index.ts';
import { mesh } from '../shapes/mesh.ts';
import { Character, type CharacterShape, ColliderList } from './index.ts';

/** How a scene is seen: scaled, mirrored in x or with x and z swapped, turned, shifted, in this order. */
interface View {
  readonly scale: number;
  readonly mirror: 'none' | 'x' | 'xz';
  readonly turn: Quat;
  readonly shift: Vec3;
}

const STILL: Quat = { x: 0, y: 0, z: 0, w: 1 };
const PLAIN: View = { scale: 1, mirror: 'none', turn: STILL, shift: { x: 0, y: 0, z: 0 } };

function flip({ mirror }: View, { x, y, z }: ReadonlyVec3): Vec3 {
  if (mirror === 'none') return { x, y, z };
  return mirror === 'x' ? { x: -x, y, z } : { x: z, y, z: x };
}

const direction = (view: View, v: ReadonlyVec3): Vec3 => v3.rotate(flip(view, v), view.turn);
const length = (view: View, v: ReadonlyVec3): Vec3 => v3.scale(direction(view, v), view.scale);
const place = (view: View, p: ReadonlyVec3): Vec3 => v3.add(length(view, p), view.shift);
/** Sizes along the axes: they have no sign. */
function sizes({ mirror, scale }: View, { x, y, z }: ReadonlyVec3): Vec3 {
  return mirror === 'xz'
    ? { x: scale * z, y: scale * y, z: scale * x }
    : { x: scale * x, y: scale * y, z: scale * z };
}

const times = (a: Quat, b: Quat): Quat => ({
  x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
  y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
  z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
  w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
});

/** A mirror turns an axis as it does any vector, and the sense of the turn about it round. */
function turnOf(view: View, { x, y, z, w }: Quat): Quat {
  if (view.mirror === 'none') return times(view.turn, { x, y, z, w });
  const axis = flip(view, { x, y, z });
  return times(view.turn, { x: -axis.x, y: -axis.y, z: -axis.z, w });
}

/** A thing in a scene, as plain data. */
type Thing =
  | { readonly kind: 'box'; readonly half: Vec3; readonly pose: Pose }
  | { readonly kind: 'sphere'; readonly radius: number; readonly pose: Pose }
  | { readonly kind: 'mesh' | 'hull'; readonly positions: readonly number[]; readonly pose: Pose }
  | { readonly kind: 'plane'; readonly normal: Vec3; readonly d: number };

function positionsOf(view: View, positions: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = 0; i < positions.length; i += 9) {
    const corners = [0, 3, 6].map((k) => {
      const at = i + k;
      return v3.scale(
        flip(view, { x: positions[at]!, y: positions[at + 1]!, z: positions[at + 2]! }),
        view.scale,
      );
    });
    // Seen in a mirror, triangles go round the other way.
    if (view.mirror !== 'none') [corners[1], corners[2]] = [corners[2]!, corners[1]!];
    for (const { x, y, z } of corners) out.push(x, y, z);
  }
  return out;
}

function shapeOf(view: View, thing: Thing): Shape {
  switch (thing.kind) {
    case 'box': {
      const { x, y, z } = sizes(view, thing.half);
      return box(x, y, z);
    }
    case 'sphere':
      return sphere(view.scale * thing.radius);
    case 'mesh':
      return mesh(positionsOf(view, thing.positions));
    case 'hull':
      return hull(positionsOf(view, thing.positions));
    case 'plane':
      return halfSpace(flip(view, thing.normal), view.scale * thing.d);
  }
}

const poseOf = (view: View, { position, quaternion }: Pose): Pose => ({
  position: place(view, position),
  quaternion: turnOf(view, quaternion),
});

const ORIGIN: Pose = { position: { x: 0, y: 0, z: 0 }, quaternion: STILL };

function heroShape(view: View, shape: CharacterShape): CharacterShape {
  if ('radii' in shape) return { radii: sizes(view, shape.radii) };
  if ('halfSize' in shape) return { halfSize: sizes(view, shape.halfSize) };
  return { radius: view.scale * shape.radius, halfHeight: view.scale * shape.halfHeight };
}

/** A frame: the velocity along the ground, a speed upwards if it jumps, and how the platform is moved before. */
interface Frame {
  readonly run: Vec3;
  readonly jump: number;
  readonly drift: Vec3;
  readonly spin: Quat;
  /** A shape to take on. */
  readonly shape: CharacterShape | null;
}

interface Scene {
  readonly things: Thing[];
  readonly shape: CharacterShape;
  readonly position: Vec3;
  readonly frames: Frame[];
}

/** What a move reports, as numbers by name: lengths, directions and the rest are told apart by how they are seen. */
interface Told {
  readonly vectors: Record<string, Vec3>;
  readonly values: Record<string, number>;
  readonly flags: string;
}

/** Plays a scene. What is reported is seen from the plain view again. */
function play(
  scene: Scene,
  view: View,
  build = (list: ColliderList): void => addAll(list, scene, view),
): Told[] {
  const list = new ColliderList();
  build(list);
  const up = direction(view, { x: 0, y: 1, z: 0 });
  const k = view.scale;
  const hero = new Character(list, {
    ...heroShape(view, scene.shape),
    position: place(view, scene.position),
    up,
    stepHeight: 0.3 * k,
    mass: 2,
  });
  const platform = list.get(0)!.pose as Pose;
  const back = (v: ReadonlyVec3, scale: number): Vec3 => {
    const { x, y, z, w } = view.turn;
    return v3.scale(flip(view, v3.rotate(v, { x: -x, y: -y, z: -z, w })), 1 / scale);
  };
  return scene.frames.map(({ run, jump, drift, spin, shape }) => {
    Object.assign(platform.position, v3.add(platform.position, length(view, drift)));
    // The spin of the scene, seen in the view: M s M⁻¹ on the left of what is there.
    const { x, y, z, w } = view.turn;
    const seen = times(turnOf(view, spin), { x: -x, y: -y, z: -z, w });
    Object.assign(platform.quaternion, times(seen, platform.quaternion));
    const told: Told = { vectors: {}, values: {}, flags: '' };
    let flags = '';
    if (shape) flags += hero.resize(heroShape(view, shape)) ? 'resized ' : 'cramped ';
    const fall = v3.dot(hero.velocity, up) / k;
    const want = { x: run.x, y: jump > 0 ? jump : fall - 9.8 / 60, z: run.z };
    Object.assign(hero.velocity, length(view, want));
    const hit = hero.moveAndSlide(1 / 60);
    const { vectors, values } = told;
    vectors['position'] = back(v3.sub(hero.position, view.shift), k);
    vectors['velocity'] = back(hero.velocity, k);
    vectors['floorNormal'] = back(hero.floorNormal, 1);
    vectors['platformVelocity'] = back(hero.platformVelocity, k);
    vectors['lastMotion'] = back(hero.lastMotion, k);
    values['recovered'] = hero.recovered / k;
    flags += `${hit} floor ${hero.onFloor} ${hero.floorId} wall ${hero.onWall} ceiling ${hero.onCeiling} stuck ${hero.stuck}`;
    hero.collisions.forEach((c, i) => {
      vectors[`${i} point`] = back(v3.sub(c.point, view.shift), k);
      vectors[`${i} normal`] = back(c.normal, 1);
      vectors[`${i} travel`] = back(c.travel, k);
      vectors[`${i} remainder`] = back(c.remainder, k);
      vectors[`${i} colliderVelocity`] = back(c.colliderVelocity, k);
      values[`${i} impulse`] = c.impulse / k;
      values[`${i} time`] = c.time;
      flags += `, ${c.side} of ${c.id}`;
    });
    return { ...told, flags };
  });
}

function addAll(list: ColliderList, { things }: Scene, view: View): void {
  for (const thing of things)
    list.add(collider(shapeOf(view, thing), poseOf(view, thing.kind === 'plane' ? ORIGIN : thing.pose)));
}

/** Balls are met through casts, which may stop 1e-6 of the sizes early; the rest is equal to 1e-9. */
const CLOSE = 2e-6;

/** The first thing that two plays tell otherwise; null if there is none. */
function difference(a: readonly Told[], b: readonly Told[]): string | null {
  for (const [i, one] of a.entries()) {
    const other = b[i]!;
    if (one.flags !== other.flags) return `frame ${i}: ${one.flags}\n  but ${other.flags}`;
    for (const [name, v] of Object.entries(one.vectors)) {
      const w = other.vectors[name]!;
      if (!(v3.distance(v, w) <= CLOSE * (1 + v3.length(v))))
        return `frame ${i}: ${name} ${JSON.stringify(v)}, but ${JSON.stringify(w)}`;
    }
    for (const [name, v] of Object.entries(one.values))
      if (!(Math.abs(v - other.values[name]!) <= CLOSE * (1 + Math.abs(v))))
        return `frame ${i}: ${name} ${v}, but ${other.values[name]}`;
  }
  return null;
}

const NONE: Vec3 = { x: 0, y: 0, z: 0 };

function aboutY(angle: number): Quat {
  return { x: 0, y: Math.sin(angle / 2), z: 0, w: Math.cos(angle / 2) };
}

/**
 * A platform, a floor, a turned wall, stairs, a slope, a ceiling, a ball and a hull, at odd angles: nothing is symmetric, so
 * that what is mixed up shows.
 */
function scene(rng: Rng): Scene {
  const at = (x: number, y: number, z: number, quaternion = STILL): Pose => ({
    position: { x, y, z },
    quaternion: { ...quaternion },
  });
  const things: Thing[] = [
    { kind: 'box', half: { x: 1.3, y: 0.11, z: 0.9 }, pose: at(-2.1, 0.11, 0.4, aboutY(0.3)) },
    rng.chance(0.5)
      ? { kind: 'plane', normal: v3.normalize({ x: 0.03, y: 1, z: -0.02 }), d: 0 }
      : {
          kind: 'mesh',
          positions: quad([-9, 0, -9], [-9, 0.1, 9], [9, 0.3, 9.1], [9, 0.2, -8]),
          pose: at(0, 0, 0),
        },
    { kind: 'box', half: { x: 0.2, y: 2, z: 3 }, pose: at(2.3, 1.5, 0.7, rng.rotation()) },
    { kind: 'box', half: { x: 3, y: 0.3, z: 2.2 }, pose: at(-0.4, rng.range(2, 2.4), -1.7, aboutY(0.7)) },
    { kind: 'sphere', radius: 0.7, pose: at(0.4, 0.2, 2.2) },
  ];
  for (let i = 1; i < 4; i++)
    things.push({
      kind: 'box',
      half: { x: 1, y: 0.12 * i, z: 0.8 },
      pose: at(0.6 * i, 0.1 + 0.12 * i, -2.4, aboutY(0.05)),
    });
  const soup: number[] = [];
  for (let i = 0; i < 4; i++) {
    const c = rng.vec(3);
    for (let k = 0; k < 3; k++) {
      const v = rng.vec(1.2);
      soup.push(c.x + v.x, Math.abs(c.y) + v.y, c.z + v.z);
    }
  }
  things.push({ kind: 'mesh', positions: soup, pose: at(0.2, 0.3, -0.1, rng.rotation()) });
  things.push({
    kind: 'hull',
    positions: Array.from({ length: 4 }, () => [rng.vec(0.8), rng.vec(0.8), rng.vec(0.8)])
      .flat()
      .flatMap(({ x, y, z }) => [x, y, z]),
    pose: at(rng.range(-2, 2), 0.5, rng.range(-2, 2), rng.rotation()),
  });
  const shapes: CharacterShape[] = [
    { radii: { x: 0.31, y: 0.7, z: 0.43 } },
    { radius: 0.33, halfHeight: 0.4 },
    { halfSize: { x: 0.3, y: 0.7, z: 0.37 } },
  ];
  const frames: Frame[] = [];
  const onPlatform = rng.chance(0.4);
  let run = rng.vec(4);
  for (let i = 0; i < 40; i++) {
    if (i % 8 === 0) run = v3.scale(rng.direction(), rng.range(0, 6));
    const moves = i > 6 && i % 3 > 0;
    frames.push({
      run: onPlatform && i < 20 ? NONE : run,
      jump: i === 25 ? 4 : 0,
      drift: moves ? { x: 0.013, y: 0.004 * (i % 2), z: -0.021 } : NONE,
      spin: moves ? aboutY(0.01) : STILL,
      shape: i === 30 ? { radius: 0.25, halfHeight: 0.1 } : i === 35 ? rng.pick(shapes) : null,
    });
  }
  return {
    things,
    shape: rng.pick(shapes),
    position: onPlatform
      ? { x: -2.3, y: 1, z: 0.5 }
      : { x: rng.range(-3, 3), y: rng.range(0.7, 1.5), z: rng.range(-3, 3) },
    frames,
  };
}

/** The shortest turn from y to a direction: the one that a character's own axes make. */
function turnTo({ x, y, z }: Vec3): Quat {
  const size = Math.hypot(z, x, 1 + y);
  return { x: z / size, y: 0, z: -x / size, w: (1 + y) / size };
}

const VIEWS: [string, (rng: Rng) => View][] = [
  ['mirrored in x', () => ({ ...PLAIN, mirror: 'x' })],
  ['with x and z swapped', () => ({ ...PLAIN, mirror: 'xz' })],
  ['shifted', (rng) => ({ ...PLAIN, shift: rng.vec(20) })],
  ['enlarged, or made small', (rng) => ({ ...PLAIN, scale: 10 ** rng.range(-3, 3) })],
  ['turned with its up', (rng) => ({ ...PLAIN, turn: turnTo(rng.direction()) })],
];

/** A scene whose start is free, and what it tells. */
function freeScene(rng: Rng): [Scene, Told[]] {
  for (;;) {
    const drawn = scene(rng);
    const told = play(drawn, PLAIN);
    if (told[0]!.values['recovered'] === 0 && !told[0]!.flags.includes('stuck true')) return [drawn, told];
  }
}

/**
 * Runs scenes twice. Where rounding has the say, as between two ways out that are as long, the two may part: in less than
 * one of a hundred. Anything that is wrong parts far more.
 */
function compare(title: string, differs: (scene: Scene, told: Told[], rng: Rng) => string | null): void {
  test(title, () => {
    const rng = new Rng(77);
    const off: string[] = [];
    const seen = { carried: 0, pushed: 0, resized: 0, floor: 0, wall: 0, ceiling: 0 };
    const scenes = Math.max(40, 100 * factor);
    for (let i = 0; i < scenes; i++) {
      const [drawn, told] = freeScene(rng);
      const found = differs(drawn, told, rng);
      if (found !== null) off.push(`scene ${i}, ${found}`);
      for (const { vectors, values, flags } of told) {
        if (v3.length(vectors['platformVelocity']!) > 0) seen.carried++;
        if (values['recovered']! > 0) seen.pushed++;
        if (flags.includes('resized')) seen.resized++;
        for (const side of ['floor', 'wall', 'ceiling'] as const)
          if (flags.includes(`${side} of`)) seen[side]++;
      }
    }
    expect(off.length, off.join('\n')).toBeLessThanOrEqual(Math.max(1, scenes / 100));
    for (const [name, times] of Object.entries(seen)) expect(times, name).toBeGreaterThan(0);
  });
}

for (const [name, view] of VIEWS)
  compare(`a scene ${name} is moved through as the scene itself`, (drawn, told, rng) =>
    difference(told, play(drawn, view(rng))),
  );

const corners = ({ x, y, z }: Vec3): Vec3[] =>
  [...Array(8).keys()].map((i) => ({ x: i & 1 ? x : -x, y: i & 2 ? y : -y, z: i & 4 ? z : -z }));

/** The twelve triangles of a box. */
function boxTriangles({ x, y, z }: Vec3): number[] {
  const { positions, index } = boxSolid(-1, 1);
  return [...index].flatMap((i) => [
    x * positions[3 * i]!,
    y * positions[3 * i + 1]!,
    z * positions[3 * i + 2]!,
  ]);
}

/** The same body, built otherwise. What is moved, the platform, keeps its pose. */
function rebuilt(thing: Thing, isMoved: boolean, asMesh: boolean): [Shape, Pose] {
  const shape = shapeOf(PLAIN, thing);
  if (thing.kind === 'plane') return [shape, ORIGIN];
  const pose = poseOf(PLAIN, thing.pose);
  if (thing.kind === 'box')
    return [asMesh ? mesh(boxTriangles(thing.half)) : hull(corners(thing.half)), pose];
  if (thing.kind !== 'mesh' || isMoved) return [shape, pose];
  const baked: number[] = [];
  for (let i = 0; i < thing.positions.length; i += 3) {
    const [px, py, pz] = thing.positions.slice(i, i + 3);
    const { x, y, z } = v3.add(v3.rotate({ x: px!, y: py!, z: pz! }, pose.quaternion), pose.position);
    baked.push(x, y, z);
  }
  return [mesh(baked), ORIGIN];
}

for (const asMesh of [false, true])
  compare(
    `boxes as ${asMesh ? 'closed meshes' : 'hulls'}, and triangles put where they are, are the same`,
    (drawn, told) => {
      const build = (list: ColliderList): void => {
        for (const [i, thing] of drawn.things.entries())
          list.add(collider(...rebuilt(thing, i === 0, asMesh)));
      };
      return difference(told, play(drawn, PLAIN, build));
    },
  );

const withoutIds = (told: Told[]): Told[] =>
  told.map((one) => ({
    ...one,
    flags: one.flags.replace(/floor (true|false) -?\d+/, '$1').replace(/ of \d+/g, ''),
  }));

compare('a compound is its children', (drawn, told) => {
  const [platform, ...others] = drawn.things;
  // Itself put somewhere, and the children the other way.
  const away = { x: 0.3, y: -2, z: 1 };
  const children: { shape: Shape; pose: Pose }[] = [];
  for (const thing of others) {
    if (thing.kind === 'plane') continue;
    const { position, quaternion } = poseOf(PLAIN, thing.pose);
    children.push({ shape: shapeOf(PLAIN, thing), pose: { position: v3.sub(position, away), quaternion } });
  }
  const build = (list: ColliderList): void => {
    list.add(collider(...rebuilt(platform!, true, false)));
    list.add(collider(compound(children as never), { position: away, quaternion: STILL }));
    for (const thing of others) if (thing.kind === 'plane') list.add(collider(shapeOf(PLAIN, thing)));
  };
  return difference(withoutIds(told), withoutIds(play(drawn, PLAIN, build)));
});

compare('a ball is a capsule without a height', (drawn) => {
  const [radius, things] = [0.35, drawn.things.filter(({ kind }) => kind !== 'sphere')];
  const ball = { ...drawn, things, shape: { radii: { x: radius, y: radius, z: radius } } };
  const capsule = { ...drawn, things, shape: { radius, halfHeight: 0 } };
  return difference(play(ball, PLAIN), play(capsule, PLAIN));
});
