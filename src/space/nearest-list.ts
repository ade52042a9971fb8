/** The best so far of a search for the k nearest. */

/**
 * The k nearest of those that were offered, in a heap whose root is the farthest of them. Of two at the same distance the
 * one with the smaller number is the nearer one, so that the result does not depend on the order of the search.
 *
 * @internal
 */
export class NearestList {
  /** Squared distance that must not be exceeded by what is offered: of the farthest once there are k, before that the given one. */
  limit = Infinity;
  /** The squared distance of what is offered: a field, since an argument would be boxed. */
  offered = 0.5;
  count = 0;
  private k = 0;
  private distances = new Float64Array(8);
  private ids = new Int32Array(8);

  /** Begins a search for k within a squared distance. */
  reset(k: number, limit: number): void {
    this.k = k;
    this.count = 0;
    this.limit = k > 0 ? limit : -1;
    if (this.ids.length >= k) return;
    this.distances = new Float64Array(k);
    this.ids = new Int32Array(k);
  }

  /** Takes a point at the squared distance `offered`, if it is among the k nearest so far. */
  offer(id: number): void {
    const { distances, ids, k, offered: distanceSq } = this;
    if (!(distanceSq <= this.limit)) return;
    if (this.count < k) {
      this.rise(this.count++, id);
      if (this.count === k) this.limit = distances[0]!;
      return;
    }
    if (distanceSq === distances[0]! && id > ids[0]!) return;
    this.sink(k, id);
    this.limit = distances[0]!;
  }

  /** Writes the numbers, the nearest first, and returns how many. The list is empty afterwards. */
  drain(out: Int32Array | number[]): number {
    const { ids, distances, count } = this;
    for (let left = count; left > 0; left--) {
      out[left - 1] = ids[0]!;
      this.offered = distances[left - 1]!;
      this.sink(left - 1, ids[left - 1]!);
    }
    this.count = 0;
    return count;
  }

  /** Puts an entry at `at`, or above where its parents are nearer. */
  private rise(from: number, id: number): void {
    const { ids, distances, offered: distance } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isFarther(distance, id, distances[parent]!, ids[parent]!)) break;
      distances[at] = distances[parent]!;
      ids[at] = ids[parent]!;
      at = parent;
    }
    distances[at] = distance;
    ids[at] = id;
  }

  /** Puts an entry at the root of a heap of `count`, or below where children are farther. */
  private sink(count: number, id: number): void {
    const { ids, distances, offered: distance } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (
        child + 1 < count &&
        isFarther(distances[child + 1]!, ids[child + 1]!, distances[child]!, ids[child]!)
      )
        child++;
      if (!isFarther(distances[child]!, ids[child]!, distance, id)) break;
      distances[at] = distances[child]!;
      ids[at] = ids[child]!;
      at = child;
    }
    distances[at] = distance;
    ids[at] = id;
  }
}

const isFarther = (d: number, id: number, otherD: number, otherId: number): boolean =>
  d > otherD || (d === otherD && id > otherId);
