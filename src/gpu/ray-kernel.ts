/**
 * First hits of rays. The GPU finds the few triangles that may be the first, and is sure that no other is; the CPU tests these
 * exactly, as its own search does with the triangles that it comes to.
 */
import type { Mesh } from '../trimesh/mesh.ts';
import { beginRayTests, type RaySearch, searchRay, testTriangle } from '../trimesh/ray.ts';
import { unitOf, WIDE } from './mesh-buffers.ts';
import { DOUBT, NONE, walkCode } from './walk.wgsl.ts';

/** Numbers for each ray on the way there, and candidates on the way back. */
export const RAY_WORDS = 8;
export const RAY_CANDIDATES = 4;

/** Directions are taken to have at least this much of their largest component along every axis, in the tests of boxes. */
const LEAST = 1 / 1048576;
/** Sizes of directions beyond these are left to the CPU. */
const SHORT = 1e-30;
const LONG = 1e30;
/** So many steps of the grid away nothing is left of single precision. */
const FAR = 1073741824;
/** For the rounding of an entry in double precision. */
const FINE = 3.552713678800501e-15; // 2^-48
/** By how much of the distance the CPU's own times may be off: see `rayCode`. */
const LATE = 1 / 524288;
/** The largest time, in place of infinity. */
const LATEST = 1e30;

/**
 * Writes the rays from … to - 1 for the GPU: where each enters the grid of the mesh, in steps of it; how far the origin is, at most,
 * from any point of the grid; the direction, by its largest component; the last time that counts, from the entry, in steps along
 * that axis. A ray that passes the grid by has a time below 0, one that is left to the CPU a distance below 0.
 */
export function writeRays(
  [origins, directions]: readonly ArrayLike<number>[],
  tMax: number,
  { tree }: Mesh,
  [from, to]: readonly [from: number, to: number],
  words: Float32Array,
): void {
  const { grid } = tree;
  const unit = unitOf(tree);
  const gx = grid[0]!;
  const gy = grid[1]!;
  const gz = grid[2]!;
  const wx = (WIDE * grid[3]!) / unit;
  const wy = (WIDE * grid[4]!) / unit;
  const wz = (WIDE * grid[5]!) / unit;
  for (let i = from; i < to; i++) {
    const at = RAY_WORDS * (i - from);
    const dx = directions![3 * i]!;
    const dy = directions![3 * i + 1]!;
    const dz = directions![3 * i + 2]!;
    const most = Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dz));
    const x = (origins![3 * i]! - gx) / unit;
    const y = (origins![3 * i + 1]! - gy) / unit;
    const z = (origins![3 * i + 2]! - gz) / unit;
    const away = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) + WIDE;
    words[at + 3] = -1;
    if (!(most > SHORT && most < LONG && away < FAR)) continue;
    const ux = dx / most;
    const uy = dy / most;
    const uz = dz / most;
    const bent = 4 * LEAST * away;
    const fine = FINE * away;
    const flatX = Math.abs(ux) < LEAST;
    const flatY = Math.abs(uy) < LEAST;
    const flatZ = Math.abs(uz) < LEAST;
    const ix = 1 / (flatX ? LEAST : ux);
    const iy = 1 / (flatY ? LEAST : uy);
    const iz = 1 / (flatZ ? LEAST : uz);
    // A ray that was made steeper, or turned the other way, is off by so much where it is in the grid.
    const padX = ((flatX ? bent : 0) + fine) * Math.abs(ix);
    const padY = ((flatY ? bent : 0) + fine) * Math.abs(iy);
    const padZ = ((flatZ ? bent : 0) + fine) * Math.abs(iz);
    const x0 = -x * ix;
    const y0 = -y * iy;
    const z0 = -z * iz;
    const x1 = (wx - x) * ix;
    const y1 = (wy - y) * iy;
    const z1 = (wz - z) * iz;
    const enter = Math.max(0, Math.min(x0, x1) - padX, Math.min(y0, y1) - padY, Math.min(z0, z1) - padZ);
    const leave = Math.min(Math.max(x0, x1) + padX, Math.max(y0, y1) + padY, Math.max(z0, z1) + padZ);
    const end = (tMax * most) / unit;
    words[at] = x + enter * ux;
    words[at + 1] = y + enter * uy;
    words[at + 2] = z + enter * uz;
    words[at + 3] = enter + away;
    words[at + 4] = ux;
    words[at + 5] = uy;
    words[at + 6] = uz;
    words[at + 7] =
      enter <= leave && enter <= end + LATE * (enter + away)
        ? Math.min(LATEST, Math.max(0, end - enter))
        : -1;
  }
}

/**
 * The first hit of a ray: by the candidates that the GPU has found, or by a search of its own where it has found too many, or what
 * cannot be. Any triangles may be among the candidates, more than once too; none of those that are hit first may be missing.
 *
 * @returns whether the GPU was of use
 */
export function confirmRay(asked: RaySearch, mesh: Mesh, candidates: Uint32Array, at: number): boolean {
  if (candidates[at] === NONE) {
    asked.slot = -1;
    return true;
  }
  if (candidates[at] !== DOUBT) {
    beginRayTests(asked, mesh);
    let k = at;
    for (; k < at + RAY_CANDIDATES && candidates[k]! < mesh.triangleCount; k++)
      testTriangle(asked, mesh, candidates[k]!);
    // The sure hit that made the GPU drop others is among them, or it was none.
    if (asked.slot >= 0 && (k === at + RAY_CANDIDATES || candidates[k] === NONE)) return true;
  }
  searchRay(asked, mesh);
  return false;
}

/**
 * Lengths are in steps of the grid where it is widest, times in steps along the axis c on which the ray runs farthest, from where it
 * enters the grid; u = 2⁻²³. With R = 65536 + the largest coordinate of the entry, no coordinate or difference here exceeds R.
 *
 * Boxes: a time is coordinate · (step / d) - origin / d, off by at most 5 u R / |d| (inverse 2.5 u, products and sum 1 u each) and
 * half a u of R / |d| for entry and direction. \`apart\` is three times that. Components of the direction next to nothing are
 * taken as LEAST, which bends the ray by 2 LEAST R at most.
 *
 * Triangles are seen along the ray, moved by its slopes to the plane across c. A coordinate of that view is off by: corner and entry
 * u R / 2 together, their difference u R, slope u R / 2, difference along c u R (and ½ for its operands), product u R, last
 * difference 2 u R. Less than 7 u R in all; \`wrong\` is 16 u R. An area of two corners (q, r) and the ray is then off by
 * wrong · (|q| + |r|) + 2 wrong² and 2 u of its products, each at most a quarter of size², size being the sum of all six
 * coordinates. If two areas have different signs for certain, it is a miss. If all have one sign for certain, it is a hit.
 *
 * The time of a hit is the mean of the times of the corners, weighted by the areas. If the areas are off by E, their sum S > 6 E by
 * half of itself, the mean is off by 2 · 3 E · range / S. The CPU's own time is computed as volume / slope, and off by
 * 96 · 2⁻⁵³ · (distance) · (L1 lengths of two edges) / S, in double precision; it trusts a slope from 2⁻²⁶ of its parts
 * on, so also by no more than 2⁻²⁰ · distance. The lengths are at most (size + 3 range)².
 */
export const rayCode = (depth: number): string => /* wgsl */ `
${walkCode(depth, RAY_CANDIDATES)}
const LEAST = 0x1p-20;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let query = id.x;
  if (query >= params.count) { return; }
  let entry = queries[2u * query];
  let course = queries[2u * query + 1u];
  let distance = entry.w;
  if (distance < 0.0) {
    giveUp(query);
    return;
  }
  var end = course.w;
  if (end < 0.0) {
    answer(query, -1.0);
    return;
  }
  let o = entry.xyz;
  let u = course.xyz;
  let reach = WIDE + most(abs(o));
  let wrong = 0x1p-19 * reach + 0x1p-44 * distance;
  let late = 0x1p-19 * distance;
  end += end * 0x1p-20 + wrong;

  let flat = abs(u) < vec3<f32>(LEAST);
  let inverse = 1.0 / select(u, vec3<f32>(LEAST), flat);
  let scale = params.steps * inverse;
  let offset = -o * inverse;
  let apart = abs(inverse) * (select(vec3<f32>(0.0), vec3<f32>(4.0 * LEAST * reach), flat) + 2.0 * wrong);

  var c = 2u;
  if (abs(u.x) == 1.0) { c = 0u; } else if (abs(u.y) == 1.0) { c = 1u; }
  let a = (c + 1u) % 3u;
  let b = (c + 2u) % 3u;
  let oa = o[a];
  let ob = o[b];
  let oc = o[c];
  let sign = u[c];
  let slopeA = u[a] * sign;
  let slopeB = u[b] * sign;

  loop {
    if (link >= 0) {
      let at = u32(link) >> 3u;
      let p = nodes[at];
      let q = nodes[at + 1u];
      let p0 = lowOf(p.x, p.y) * scale + offset;
      let p1 = highOf(p.y, p.z) * scale + offset;
      let q0 = lowOf(p.w, q.x) * scale + offset;
      let q1 = highOf(q.x, q.y) * scale + offset;
      let nearP = max(0.0, most(min(p0, p1) - apart));
      let nearQ = max(0.0, most(min(q0, q1) - apart));
      let hitP = nearP <= min(end, least(max(p0, p1) + apart));
      let hitQ = nearQ <= min(end, least(max(q0, q1) + apart));
      if (descend(q.zw, nearP, nearQ, hitP, hitQ)) { continue; }
    } else {
      let leaf = slotsOf(link);
      for (var slot = leaf.x; slot < leaf.y; slot++) {
        let at = 9u * slot;
        let pc = triangles[at + c] - oc;
        let qc = triangles[at + 3u + c] - oc;
        let rc = triangles[at + 6u + c] - oc;
        let pa = triangles[at + a] - oa - slopeA * pc;
        let pb = triangles[at + b] - ob - slopeB * pc;
        let qa = triangles[at + 3u + a] - oa - slopeA * qc;
        let qb = triangles[at + 3u + b] - ob - slopeB * qc;
        let ra = triangles[at + 6u + a] - oa - slopeA * rc;
        let rb = triangles[at + 6u + b] - ob - slopeB * rc;
        let areas = vec3<f32>(qa * rb - qb * ra, ra * pb - rb * pa, pa * qb - pb * qa);
        let size = abs(pa) + abs(pb) + abs(qa) + abs(qb) + abs(ra) + abs(rb);
        let error = wrong * (size + 4.0 * wrong) + 0x1p-21 * size * size;
        let lowest = least(areas);
        let highest = most(areas);
        if (lowest < -error && highest > error) { continue; }
        let times = sign * vec3<f32>(pc, qc, rc);
        var low = least(times);
        var high = most(times);
        let range = high - low;
        low -= wrong + late;
        high += wrong + late;
        let sum = areas.x + areas.y + areas.z;
        if (abs(sum) > 6.0 * error) {
          let lengths = size + 3.0 * range + wrong;
          let off = (6.0 * error * range + 0x1p-44 * distance * lengths * lengths) / abs(sum) * 1.001 + 2.0 * wrong;
          let mean = times.x + (areas.y * (times.y - times.x) + areas.z * (times.z - times.x)) / sum;
          low = max(low, mean - off);
          high = min(high, mean + off);
        }
        if (low > end || high < 0.0) { continue; }
        if ((lowest > error || highest < -error) && low > 0.0) { end = min(end, high); }
        if (!keep(slot, low, end)) {
          giveUp(query);
          return;
        }
      }
    }
    if (!goBack(end)) { break; }
  }
  answer(query, end);
}
`;
