/**
 * What the searches on the GPU share: how the packed tree is read there, and the list of triangles that may be the answer.
 *
 * WGSL promises less than IEEE 754: results of +, -, × may be rounded either way, so they are off by u = 2⁻²³ of their size (and
 * products may be fused into sums); quotients by 2.5 u, inverse square roots by 2 u; what is below 2⁻¹²⁶ may be 0, and infinities
 * and what is no number must not occur. All bounds in the kernels are for that, at least twice as wide as they must be.
 */

/** Written in place of a list of candidates: the CPU asks for itself. */
export const DOUBT = 0xfffffffe;
/** Written after the last candidate. */
export const NONE = 0xffffffff;

/** The part that every search begins with, for lists of `most` candidates and trees of a depth. */
export const walkCode = (depth: number, most: number): string => /* wgsl */ `
const DOUBT = ${DOUBT}u;
const NONE = ${NONE}u;
const MOST = ${most}u;
const WIDE = 65536.0;

struct Params {
  steps: vec3<f32>,
  count: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> triangles: array<f32>;
@group(0) @binding(3) var<storage, read> queries: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read_write> answers: array<vec4<u32>>;

// The child that the walk has come to, those that wait, and from when on they count.
var<private> link: i32 = 0;
var<private> waiting: array<i32, ${depth}>;
var<private> waitingFrom: array<f32, ${depth}>;
var<private> top: u32 = 0u;

// Triangles that may be the answer, and from when on.
var<private> slots: array<u32, ${most}>;
var<private> lows: array<f32, ${most}>;
var<private> found: u32 = 0u;

// The sides of the two boxes of a node: see PackedTree.
fn lowOf(a: u32, b: u32) -> vec3<f32> {
  return vec3<f32>(f32(a & 0xffffu), f32(a >> 16u), f32(b & 0xffffu));
}
fn highOf(b: u32, c: u32) -> vec3<f32> {
  return vec3<f32>(f32(b >> 16u), f32(c & 0xffffu), f32(c >> 16u));
}

// Goes to the child that counts; if both do, to the one that begins first, and the other waits. False if neither does.
fn descend(links: vec2<u32>, from0: f32, from1: f32, hit0: bool, hit1: bool) -> bool {
  let swap = select(hit1, from1 < from0, hit0 && hit1);
  link = i32(select(links.x, links.y, swap));
  if (hit0 && hit1) {
    waiting[top] = i32(select(links.y, links.x, swap));
    waitingFrom[top] = max(from0, from1);
    top++;
  }
  return hit0 || hit1;
}

// Goes to the last child that waits, of those that begin before the end. False if there is none.
fn goBack(end: f32) -> bool {
  while (top > 0u && waitingFrom[top - 1u] > end) { top--; }
  if (top == 0u) { return false; }
  top--;
  link = waiting[top];
  return true;
}

// The first triangle of a leaf, and the one after the last.
fn slotsOf(leaf: i32) -> vec2<u32> {
  let code = u32(~leaf);
  return vec2<u32>(code >> 4u, (code >> 4u) + (code & 15u));
}

fn least(v: vec3<f32>) -> f32 {
  return min(v.x, min(v.y, v.z));
}
fn most(v: vec3<f32>) -> f32 {
  return max(v.x, max(v.y, v.z));
}

// Drops what begins after the end.
fn tidy(end: f32) {
  var kept = 0u;
  for (var k = 0u; k < found; k++) {
    if (lows[k] <= end) {
      slots[kept] = slots[k];
      lows[kept] = lows[k];
      kept++;
    }
  }
  found = kept;
}

// Puts a triangle on the list. False if there are too many.
fn keep(slot: u32, low: f32, end: f32) -> bool {
  if (found == MOST) {
    tidy(end);
    if (found == MOST) { return false; }
  }
  slots[found] = slot;
  lows[found] = low;
  found++;
  return true;
}

fn answer(query: u32, end: f32) {
  tidy(end);
  for (var k = found; k < MOST; k++) { slots[k] = NONE; }
  for (var k = 0u; k < MOST; k += 4u) {
    answers[(query * MOST + k) / 4u] = vec4<u32>(slots[k], slots[k + 1u], slots[k + 2u], slots[k + 3u]);
  }
}

fn giveUp(query: u32) {
  answers[query * MOST / 4u] = vec4<u32>(DOUBT, NONE, NONE, NONE);
}
`;
