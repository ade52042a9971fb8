/** One case of the fuzz: a motion, and from where it stops some more, as a game would go on. */
import type { Pose, ReadonlyVec3, Vec3 } from '../../src/math/types.ts';
import type { Rng } from './rng.ts';
import {
  goOn,
  latticeCase,
  type MotionKind,
  meetingCase,
  oneSidedPair,
  randomPair,
  type SweepCase,
} from './sweep-cases.ts';
import { checkSweep, type SweepApi, type SweepStatistics } from './sweep-oracle.ts';

/** The same with sheets that are touched from the front only. */
export function runOneSided(
  api: SweepApi,
  stats: SweepStatistics,
  rng: Rng,
  prove: boolean,
  only: MotionKind | null = null,
): void {
  const pair = oneSidedPair(rng);
  for (let k = 0; k < 4; k++) runOn(api, stats, rng, prove, only, meetingCase(rng, only, pair));
}

/** `only`: the kind of motion to look at. */
export function runSweeps(
  api: SweepApi,
  stats: SweepStatistics,
  rng: Rng,
  prove: boolean,
  only: MotionKind | null = null,
): void {
  if (rng.chance(0.3)) {
    runOn(api, stats, rng, prove, only, latticeCase(rng, only));
    return;
  }
  // Preparing the bodies is half the work: they meet more than once.
  const pair = randomPair(rng);
  for (let k = 0; k < 4; k++) runOn(api, stats, rng, prove, only, meetingCase(rng, only, pair));
}

function runOn(
  api: SweepApi,
  stats: SweepStatistics,
  rng: Rng,
  prove: boolean,
  only: MotionKind | null,
  first: SweepCase | null,
): void {
  let c = first;
  for (let k = 0; c !== null && k < 6; k++) {
    const { hit, pose, gap, state } = checkSweep(api, stats, c, prove);
    if (state !== 'judged') return;
    if (!hit && rng.chance(0.7)) return;
    const { normal, point } = hit ?? { normal: rng.direction(), point: pose.position };
    c = nextCase(rng, c, pose, normal, point, hit ? gap : 0, only);
  }
}

const times = (v: ReadonlyVec3, s: number): Vec3 => ({ x: v.x * s, y: v.y * s, z: v.z * s });

/** From a contact: away, along, further into it, or anywhere; sometimes from a little nearer than it stopped. */
function nextCase(
  rng: Rng,
  c: SweepCase,
  pose: Pose,
  n: Vec3,
  point: Vec3,
  gap: number,
  only: MotionKind | null,
): SweepCase | null {
  const size = Math.max(c.mover.size, c.target.size) || c.scale;
  const from: Pose = { position: { ...pose.position }, quaternion: pose.quaternion };
  if (rng.chance(0.4)) {
    const nearer = gap * rng.pick([0.5, 0.99, 0.999999, 0.9, 0.1]);
    from.position.x -= nearer * n.x;
    from.position.y -= nearer * n.y;
    from.position.z -= nearer * n.z;
  }
  const length = size * 10 ** rng.range(-7, 1.5);
  const d = rng.direction();
  const across = { x: n.y * d.z - n.z * d.y, y: n.z * d.x - n.x * d.z, z: n.x * d.y - n.y * d.x };
  const tilt = rng.pick([0, 0, 1e-3, 1e-6, -1e-3, -1e-6, -1]);
  const translation = rng.pick<Vec3>([
    times(n, length),
    times({ x: across.x + tilt * n.x, y: across.y + tilt * n.y, z: across.z + tilt * n.z }, length),
    times(across, length),
    times(d, length),
    'translation' in c.motion ? times(c.motion.translation, rng.pick([1, 1e-3])) : times(d, length),
  ]);
  if (only === 'translation' || (only === null && rng.chance(0.5)))
    return goOn(rng, c, from, { translation });
  const axis = rng.pick<Vec3>([n, d, across, d]);
  const pivot = rng.pick<Vec3>([
    point,
    pose.position,
    { x: point.x + size * d.y, y: point.y + size * d.z, z: point.z + size * d.x },
    { x: point.x + size * n.x, y: point.y + size * n.y, z: point.z + size * n.z },
  ]);
  const angle = rng.sign() * rng.pick([1e-6, 1e-3, rng.range(0.05, 3), Math.PI, 7]);
  if (axis.x === 0 && axis.y === 0 && axis.z === 0) return null;
  const both = only === 'both' || (only === null && rng.chance(0.2));
  return goOn(rng, c, from, both ? { translation, axis, angle, pivot } : { axis, angle, pivot });
}
