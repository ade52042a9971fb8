/**
 * Closest points. The GPU finds the few triangles that may be the nearest, and is sure that no other is; the CPU measures these,
 * as its own search does.
 */
import { considerTriangle, type NearestSearch, searchNearest } from '../trimesh/closest.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { unitOf, WIDE } from './mesh-buffers.ts';
import { DOUBT, NONE, walkCode } from './walk.wgsl.ts';

/** Numbers for each point on the way there, and candidates on the way back. */
export const POINT_WORDS = 4;
export const POINT_CANDIDATES = 8;

/** From so many steps of the grid away on, all of a mesh is at one distance in single precision. */
const FAR = 4194304;
/** The largest distance, in place of infinity. */
const FARTHEST = 1e12;

/**
 * Writes the points from … to - 1 for the GPU: each in steps of the grid of the mesh, and the largest distance that counts; below 0
 * for one that is left to the CPU.
 */
export function writePoints(
  [points]: readonly ArrayLike<number>[],
  maxDistance: number,
  { tree }: Mesh,
  [from, to]: readonly [from: number, to: number],
  words: Float32Array,
): void {
  const { grid } = tree;
  const unit = unitOf(tree);
  const limit = Math.min(FARTHEST, maxDistance / unit);
  for (let i = from; i < to; i++) {
    const at = POINT_WORDS * (i - from);
    const x = (points![3 * i]! - grid[0]!) / unit;
    const y = (points![3 * i + 1]! - grid[1]!) / unit;
    const z = (points![3 * i + 2]! - grid[2]!) / unit;
    words[at + 3] = -1;
    if (!(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) + WIDE < FAR)) continue;
    words[at] = x;
    words[at + 1] = y;
    words[at + 2] = z;
    words[at + 3] = limit;
  }
}

/**
 * The nearest triangle to a point: by the candidates that the GPU has found, or by a search of its own, as `confirmRay`. Any triangles
 * may be among the candidates, more than once too; none of the nearest may be missing.
 *
 * @returns whether the GPU was of use
 */
export function confirmNearest(
  asked: NearestSearch,
  mesh: Mesh,
  candidates: Uint32Array,
  at: number,
): boolean {
  asked.slot = -1;
  if (candidates[at] === NONE) return true;
  if (candidates[at] !== DOUBT) {
    const { maxDistance } = asked;
    asked.distanceSq = maxDistance * maxDistance;
    let k = at;
    for (; k < at + POINT_CANDIDATES && candidates[k]! < mesh.triangleCount; k++)
      considerTriangle(asked, mesh, candidates[k]!);
    if (asked.slot >= 0 && (k === at + POINT_CANDIDATES || candidates[k] === NONE)) return true;
  }
  asked.slot = searchNearest(asked, mesh);
  return false;
}

/**
 * Lengths are in steps of the grid where it is widest; u = 2⁻²³, A = 65536 + the largest coordinate of the point p.
 *
 * Of each triangle, how near it is at least and at most, whatever its shape. By the regions of RTCD §5.1.5 a point q of it is
 * found that is about the nearest. However wrong that is, weights in [0, 1] make it a point of the triangle: the distance of q is no
 * less than the nearest. And no point of the triangle is nearer than its nearest corner is along g = p - q. The closer q, the closer
 * these two.
 *
 * Rounding: corners and p by u A / 2 together, which is u A over three axes at most. The differences by u of theirs, dot products
 * by 3 u of the lengths, the length of g by 4 u: together less than 12 u of the distance to the farthest corner, which is 1.74 times
 * \`span\` at most. In \`off\` the former is taken twice, the latter one and a half times.
 */
export const nearestCode = (depth: number): string => /* wgsl */ `
${walkCode(depth, POINT_CANDIDATES)}
fn ratio(part: f32, whole: f32) -> f32 {
  return select(0.0, clamp(part / max(whole, 0x1p-60), 0.0, 1.0), whole > 0x1p-60);
}

// The weights of b and c in the point of a triangle nearest to a, from the corners as seen from a.
fn weights(p: vec3<f32>, ab: vec3<f32>, ac: vec3<f32>) -> vec2<f32> {
  let d1 = dot(ab, p);
  let d2 = dot(ac, p);
  if (d1 <= 0.0 && d2 <= 0.0) { return vec2<f32>(0.0, 0.0); }
  let d3 = dot(ab, p - ab);
  let d4 = dot(ac, p - ab);
  if (d3 >= 0.0 && d4 <= d3) { return vec2<f32>(1.0, 0.0); }
  let d5 = dot(ab, p - ac);
  let d6 = dot(ac, p - ac);
  if (d6 >= 0.0 && d5 <= d6) { return vec2<f32>(0.0, 1.0); }
  let vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) { return vec2<f32>(ratio(d1, d1 - d3), 0.0); }
  let vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) { return vec2<f32>(0.0, ratio(d2, d2 - d6)); }
  let va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 >= d3 && d5 >= d6) {
    let w = ratio(d4 - d3, d4 - d3 + d5 - d6);
    return vec2<f32>(1.0 - w, w);
  }
  let v = ratio(vb, va + vb + vc);
  return vec2<f32>(v, min(ratio(vc, va + vb + vc), 1.0 - v));
}

// How near a box is at least, squared.
fn apart(p: vec3<f32>, low: vec3<f32>, high: vec3<f32>, wrong: f32) -> f32 {
  let d = max(vec3<f32>(0.0), max(low * params.steps - p, p - high * params.steps) - wrong);
  return dot(d, d) * (1.0 - 0x1p-20);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
  let query = id.x;
  if (query >= params.count) { return; }
  let asked = queries[query];
  if (asked.w < 0.0) {
    giveUp(query);
    return;
  }
  let p = asked.xyz;
  let wrong = 0x1p-22 * (WIDE + most(abs(p)));
  // Triangles that are no nearer than this do not count, nor boxes by its square.
  var end = asked.w + asked.w * 0x1p-20 + wrong;
  var endSq = end * end * (1.0 + 0x1p-20);

  loop {
    if (link >= 0) {
      let at = u32(link) >> 3u;
      let m = nodes[at];
      let n = nodes[at + 1u];
      let sqM = apart(p, lowOf(m.x, m.y), highOf(m.y, m.z), wrong);
      let sqN = apart(p, lowOf(m.w, n.x), highOf(n.x, n.y), wrong);
      if (descend(n.zw, sqM, sqN, sqM <= endSq, sqN <= endSq)) { continue; }
    } else {
      let leaf = slotsOf(link);
      for (var slot = leaf.x; slot < leaf.y; slot++) {
        let at = 9u * slot;
        let a = vec3<f32>(triangles[at], triangles[at + 1u], triangles[at + 2u]);
        let b = vec3<f32>(triangles[at + 3u], triangles[at + 4u], triangles[at + 5u]);
        let c = vec3<f32>(triangles[at + 6u], triangles[at + 7u], triangles[at + 8u]);
        let fromA = p - a;
        let weight = weights(fromA, b - a, c - a);
        let g = (fromA - weight.x * (b - a)) - weight.y * (c - a);
        let gg = dot(g, g);
        let perLength = inverseSqrt(max(gg, 0x1p-40));
        let span = max(most(abs(fromA)), max(most(abs(p - b)), most(abs(p - c))));
        let off = wrong + 0x1p-18 * span;
        let along = min(dot(g, fromA), min(dot(g, p - b), dot(g, p - c)));
        let low = along * perLength - off;
        if (low > end) { continue; }
        let high = max(gg, 0x1p-40) * perLength + off;
        if (high < end) {
          end = high;
          endSq = end * end * (1.0 + 0x1p-20);
        }
        if (!keep(slot, low, end)) {
          giveUp(query);
          return;
        }
      }
    }
    if (!goBack(endSq)) { break; }
  }
  answer(query, end);
}
`;
