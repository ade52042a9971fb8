import { check, cloud, exact, near, property, type Rng } from '../../tests/kit/index.ts';
import { exactDeterminant } from './exact-determinant.ts';
import type { Vec3 } from './types.ts';

const { qv, vsub, vcross, vdot, sign, toNumber } = exact;

/** Mixes regimes between points, so that differences round; repeats points, so that determinants vanish. */
function points(rng: Rng): Vec3[] {
  const list: Vec3[] = [];
  while (list.length < 6) list.push(...cloud(rng, 2).points);
  if (rng.chance(0.5)) list[4] = rng.pick(list.slice(0, 4));
  if (rng.chance(0.3)) list[5] = rng.pick(list.slice(0, 4));
  if (rng.chance(0.3)) {
    const [a, b] = list as [Vec3, Vec3];
    const t = rng.pick([0.5, 1 / 3, 2, rng.unit()]);
    list[3] = { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y), z: a.z + t * (b.z - a.z) };
    list[2] = a;
  }
  return list;
}

property('[R11.3.3] the determinant of differences has the exact sign and ten digits', 20_000, (rng) => {
  const [a, b, c, d, e, f] = points(rng) as [Vec3, Vec3, Vec3, Vec3, Vec3, Vec3];
  const value = exactDeterminant(a, b, c, d, e, f);
  const [ab, cd, ef] = [vsub(qv(b), qv(a)), vsub(qv(d), qv(c)), vsub(qv(f), qv(e))];
  const truth = vdot(ab, vcross(cd, ef));
  check(Math.sign(value) === sign(truth), () => `sign of ${value}, which is ${toNumber(truth)}`);
  near(value, toNumber(truth), 1e-10 * Math.abs(toNumber(truth)));
  check(
    exactDeterminant(a, b, e, f, c, d) === -value || value !== 0,
    'zero stays zero when rows change places',
  );
});
