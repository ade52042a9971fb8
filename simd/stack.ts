// What a search has still to look at: links, each with the time or the distance at which its box begins.
import { LANES, LINKS } from './memory';

/** Puts the children of a node that are hit onto the stack, the nearest on top. Returns where the stack ends now. */
export function push(node: usize, hits: i32, from: v128, top: usize): usize {
  v128.store(LANES, from);
  const bottom = top;
  do {
    const lane = (<usize>ctz(hits)) << 2;
    hits &= hits - 1;
    const key = load<f32>(LANES + lane);
    let at = top;
    while (at > bottom && load<f32>(at - 4) < key) {
      store<u64>(at, load<u64>(at - 8));
      at -= 8;
    }
    store<i32>(at, load<i32>(node + lane, LINKS));
    store<f32>(at, key, 4);
    top += 8;
  } while (hits !== 0);
  return top;
}
