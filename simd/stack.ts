// What a search has still to look at: links, and for each the time or the distance at which its box begins.
import { LINKS, STACK, STACK_KEYS } from './memory';

/**
 * Puts the children of a node that are hit (all bits set in `hit`) onto the stack, the one with the least key on top. Keys are not
 * negative, and lose their lowest two bits. Returns where the stack ends now, in bytes. Nothing here depends on a branch: which
 * children are hit, and in which order, cannot be foreseen.
 */
export function push(node: usize, hit: v128, count: i32, from: v128, top: usize): usize {
  // As whole numbers, with the number of the lane in the lowest bits; what is not hit has -1, and comes last.
  const lanes = i32x4(0, 1, 2, 3);
  let keys = v128.or(v128.and(v128.andnot(from, i32x4.splat(3)), hit), v128.or(v128.not(hit), lanes));
  // The greatest first (Batcher's network for four): within the pairs, then across, then within again.
  let other = v128.shuffle<i32>(keys, keys, 1, 0, 3, 2);
  keys = v128.shuffle<i32>(i32x4.max_s(keys, other), i32x4.min_s(keys, other), 0, 5, 2, 7);
  other = v128.shuffle<i32>(keys, keys, 3, 2, 1, 0);
  keys = v128.shuffle<i32>(i32x4.max_s(keys, other), i32x4.min_s(keys, other), 0, 1, 6, 7);
  other = v128.shuffle<i32>(keys, keys, 1, 0, 3, 2);
  keys = v128.shuffle<i32>(i32x4.max_s(keys, other), i32x4.min_s(keys, other), 0, 5, 2, 7);
  const bytes = i32x4.add(
    i32x4.mul(v128.and(keys, i32x4.splat(3)), i32x4.splat(0x04040404)),
    i32x4.splat(0x03020100),
  );
  // All four are written; those that are not hit lie above the new top.
  v128.store(STACK_KEYS + top, v128.andnot(keys, i32x4.splat(3)));
  v128.store(STACK + top, i8x16.swizzle(v128.load(node, LINKS), bytes));
  return top + ((<usize>count) << 2);
}

/** What of the stack is not beyond `most`: nothing that is will be looked at. */
export function settle(top: usize, most: f32): usize {
  while (top !== 0 && !(load<f32>(STACK_KEYS - 4 + top) <= most)) top -= 4;
  return top;
}
