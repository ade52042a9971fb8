/**
 * How far characters get, beside Jolt's `CharacterVirtual` in the same random scenes: floors that tilt towards a turned
 * wall, corners that lean, stairs up and down, rough floors. It counts the walks of which ours goes less than half as
 * far as Jolt's, which must be none, and the other way round. `GRAZE_COUNT` scenes of each kind, `GRAZE_SEED`.
 */
import { Character, type CharacterOptions, collider, mesh, World } from 'graze';
import initJolt from 'jolt-physics/wasm';
import { Rng } from '../../tests/kit/rng.ts';
import { addStatic, makeShape, makeWalker, makeWorld } from '../peers/jolt.ts';

const COUNT = Number(process.env['GRAZE_COUNT'] ?? 300);
const SEED = Number(process.env['GRAZE_SEED'] ?? 1);
const GRAVITY = 9.8;
const STEP = 0.3;
const LIMIT = 0.8;
const RATES = [20, 24, 30, 60, 75, 90, 120, 144, 240];

type V = readonly [number, number, number];

interface Scene {
  readonly positions: readonly number[];
  /** Half sizes: radius, and from the centre to the feet. */
  readonly radius: number;
  readonly height: number;
  readonly isBox: boolean;
  readonly start: V;
  /** Horizontal. */
  readonly velocity: { readonly x: number; readonly z: number };
  readonly hz: number;
  readonly seconds: number;
  /** Does it stand first? */
  readonly settles: boolean;
}

/** How far it got: along what was wanted, and down. */
interface Walked {
  readonly along: number;
  readonly down: number;
}

const quad = (a: V, b: V, c: V, d: V): number[] => [...a, ...b, ...c, ...a, ...c, ...d];

/** A large square at a distance from the origin, square to a normal. */
function square([x, y, z]: V, far: number): number[] {
  const length = Math.hypot(x, y, z);
  const n = [x / length, y / length, z / length] as const;
  const flat = Math.abs(n[1]) > 0.9;
  const a = flat ? ([n[1], -n[0], 0] as const) : ([n[2], 0, -n[0]] as const);
  const s = 1 / Math.hypot(...a);
  const u = [a[0] * s, a[1] * s, a[2] * s] as const;
  const v = [n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]] as const;
  const at = (p: number, q: number): V => [
    far * n[0] + p * u[0] + q * v[0],
    far * n[1] + p * u[1] + q * v[1],
    far * n[2] + p * u[2] + q * v[2],
  ];
  return quad(at(-40, -40), at(40, -40), at(40, 40), at(-40, 40));
}

const someone = (rng: Rng) => {
  const radius = rng.range(0.25, 0.5);
  return { radius, height: rng.range(Math.max(0.6, radius + 0.05), 1), isBox: rng.chance(0.3) };
};

const leanOf = (rng: Rng): number => rng.sign() * 10 ** rng.range(-9, -1);

/** A floor that tilts, and one wall, two or three that are turned and lean. */
function tilted(rng: Rng): Scene {
  const who = someone(rng);
  const [angle, speed] = [rng.range(0, 7), rng.range(4, 20)];
  const off = rng.range(-1.5, 1.5);
  const positions = square([leanOf(rng), 1, leanOf(rng)], 0);
  for (let i = rng.int(1, 3), a = angle; i > 0; i--, a += rng.range(0.3, 2.9))
    positions.push(...square([Math.cos(a), leanOf(rng), Math.sin(a)], -rng.range(0.8, 2)));
  return {
    ...who,
    positions,
    start: [0, who.height * 1.1, 0],
    velocity: { x: -speed * Math.cos(angle + off), z: -speed * Math.sin(angle + off) },
    hz: rng.pick(RATES),
    seconds: 1,
    settles: true,
  };
}

/** In the air, into a corner of two walls that lean. */
function corner(rng: Rng): Scene {
  const who = someone(rng);
  const angle = rng.range(0, 7);
  const second = angle + rng.range(0.5, 2.5);
  const speed = rng.range(4, 20);
  const [p, q] = [rng.range(0.05, 1), rng.range(0.05, 1)];
  return {
    ...who,
    positions: [
      ...square([Math.cos(angle), leanOf(rng), Math.sin(angle)], -rng.range(0.8, 2)),
      ...square([Math.cos(second), leanOf(rng), Math.sin(second)], -rng.range(0.8, 2)),
    ],
    start: [0, 0, 0],
    velocity: {
      x: -speed * (p * Math.cos(angle) + q * Math.cos(second)),
      z: -speed * (p * Math.sin(angle) + q * Math.sin(second)),
    },
    hz: rng.pick(RATES),
    seconds: 1,
    settles: false,
  };
}

const stairs =
  (isUp: boolean) =>
  (rng: Rng): Scene => {
    const who = someone(rng);
    const [rise, tread, steps] = [rng.range(0.1, 0.29), rng.range(0.15, 0.4), 10];
    const positions = quad([-30, 0, -30], [-30, 0, 30], [1, 0, 30], [1, 0, -30]);
    for (let i = 0; i < steps; i++) {
      const [x, y, top] = [1 + tread * i, rise * i, rise * (i + 1)];
      const end = i === steps - 1 ? 60 : x + tread;
      positions.push(...quad([x, y, -30], [x, y, 30], [x, top, 30], [x, top, -30]));
      positions.push(...quad([x, top, -30], [x, top, 30], [end, top, 30], [end, top, -30]));
    }
    const [speed, angle, beyond] = [rng.range(4, 20), rng.range(-0.8, 0.8), 2 + steps * tread];
    return {
      ...who,
      positions,
      start: isUp ? [0, who.height * 1.05, 0] : [beyond, rise * steps + who.height * 1.05, 0],
      velocity: { x: (isUp ? speed : -speed) * Math.cos(angle), z: speed * Math.sin(angle) },
      hz: rng.pick(RATES),
      seconds: beyond / (speed * Math.cos(angle)),
      settles: true,
    };
  };

/** Triangles that are all but in one plane. */
function rough(rng: Rng): Scene {
  const who = someone(rng);
  const [cells, lean] = [rng.int(6, 24), 10 ** rng.range(-9, -1)];
  const side = 60 / cells;
  const heights = Array.from({ length: (cells + 1) ** 2 }, () => rng.range(0, lean * side));
  const at = (i: number, k: number): V => [i * side - 30, heights[i * (cells + 1) + k]!, k * side - 30];
  const positions: number[] = [];
  for (let i = 0; i < cells; i++)
    for (let k = 0; k < cells; k++)
      positions.push(...quad(at(i, k), at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)));
  const [speed, angle] = [rng.range(4, 20), rng.range(0, 7)];
  return {
    ...who,
    positions,
    start: [0, who.height * 1.1 + lean * side, 0],
    velocity: { x: speed * Math.cos(angle), z: speed * Math.sin(angle) },
    hz: rng.pick(RATES),
    seconds: 1,
    settles: true,
  };
}

interface Hero {
  /** A frame with that horizontal velocity, under gravity. */
  move(vx: number, vz: number, dt: number): void;
  stands(): boolean;
  at(): { x: number; y: number; z: number };
}

/** Lets one walk. */
function walk(hero: Hero, { velocity: { x: vx, z: vz }, hz, seconds, settles }: Scene): Walked {
  for (let i = 0; settles && i < hz && !hero.stands(); i++) hero.move(0, 0, 1 / hz);
  const from = hero.at();
  for (let i = 0; i < Math.round(seconds * hz); i++) hero.move(vx, vz, 1 / hz);
  const to = hero.at();
  return {
    along: ((to.x - from.x) * vx + (to.z - from.z) * vz) / Math.hypot(vx, vz),
    down: from.y - to.y,
  };
}

function ours(scene: Scene): Hero {
  const { radius, height, isBox, positions, start } = scene;
  const world = new World();
  world.add(collider(mesh([...positions])), { fixed: true });
  const shape = isBox
    ? { halfSize: { x: radius, y: height, z: radius } }
    : { radius, halfHeight: height - radius };
  const [x, y, z] = start;
  const options: CharacterOptions = {
    ...shape,
    stepHeight: STEP,
    slopeLimit: LIMIT,
    position: { x, y, z },
  };
  const hero = new Character(world, options);
  return {
    move(vx, vz, dt) {
      hero.velocity.x = vx;
      hero.velocity.z = vz;
      hero.velocity.y -= GRAVITY * dt;
      hero.moveAndSlide(dt);
    },
    stands: () => hero.onFloor,
    at: () => ({ ...hero.position }),
  };
}

const Jolt = await initJolt();
const jolt = makeWorld(Jolt);
const system = jolt.GetPhysicsSystem();
const bodies = system.GetBodyInterface();
const move = makeWalker(Jolt, jolt, GRAVITY, STEP);

function joltWalks(scene: Scene): Walked {
  const { radius, height, isBox, positions, start } = scene;
  const triangles = {
    positions: Float32Array.from(positions),
    index: Uint32Array.from(positions.slice(0, positions.length / 3), (_, i) => i),
    count: positions.length / 9,
  };
  const body = addStatic(Jolt, jolt, makeShape(Jolt, triangles));
  const shape = isBox
    ? new Jolt.BoxShape(new Jolt.Vec3(radius, height, radius))
    : new Jolt.CapsuleShape(height - radius, radius);
  shape.AddRef();
  const own = new Jolt.CharacterVirtualSettings();
  own.mShape = shape;
  own.mMaxSlopeAngle = LIMIT;
  own.mBackFaceMode = Jolt.EBackFaceMode_CollideWithBackFaces;
  own.mSupportingVolume = new Jolt.Plane(new Jolt.Vec3(0, 1, 0), isBox ? height - 0.1 : height - radius);
  const [x, y, z] = start;
  const hero = new Jolt.CharacterVirtual(own, new Jolt.RVec3(x, y, z), new Jolt.Quat(0, 0, 0, 1), system);
  const stands = (): boolean => hero.GetGroundState() === Jolt.EGroundState_OnGround;
  const walked = walk(
    {
      move: (vx, vz, dt) => move(hero, vx, vz, dt),
      stands,
      at() {
        const p = hero.GetPosition();
        return { x: p.GetX(), y: p.GetY(), z: p.GetZ() };
      },
    },
    scene,
  );
  Jolt.destroy(hero);
  bodies.RemoveBody(body.GetID());
  bodies.DestroyBody(body.GetID());
  return walked;
}

const KINDS: Record<string, (rng: Rng) => Scene> = {
  'tilted floor, one to three turned walls': tilted,
  'leaning corner, in the air': corner,
  'stairs up': stairs(true),
  'stairs down': stairs(false),
  'rough floor': rough,
};

let short = 0;
for (const [kind, make] of Object.entries(KINDS)) {
  let [less, joltLess] = [0, 0];
  for (let i = 0; i < COUNT; i++) {
    const scene = make(new Rng(SEED * 1_000_003 + i));
    const [mine, theirs] = [walk(ours(scene), scene), joltWalks(scene)];
    // On the ground the way counts, in the air the fall: no more of it than gravity gives. Pushed below a wall that leans
    // over, Jolt's goes down up to three times as fast.
    const free = (GRAVITY / 2) * scene.seconds * (scene.seconds + 1 / scene.hz);
    const [a, b] = scene.settles
      ? [mine.along, theirs.along]
      : [Math.min(free, mine.down), Math.min(free, theirs.down)];
    // Less than a frame of the way is within the gaps that the two keep.
    const { velocity: v, hz } = scene;
    const least = scene.settles ? Math.hypot(v.x, v.z) / hz + 0.1 : 0.1;
    if (b > least && a < b / 2) {
      less++;
      if (less <= 3)
        console.log(`case ${i}: ${a} beside ${b}, ${JSON.stringify({ ...scene, positions: [] })}`);
    }
    if (a > least && b < a / 2) joltLess++;
  }
  console.log(`${kind}: of ${COUNT}, graze goes less than half as far in ${less}, Jolt in ${joltLess}`);
  short += less;
}
if (short > 0) process.exitCode = 1;
