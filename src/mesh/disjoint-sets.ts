/** Sets that are only ever joined: union–find with path halving. */

/** Each of `count` things in a set of its own. */
export function disjointSets(count: number): Int32Array {
  const parent = new Int32Array(count);
  for (let i = 0; i < count; i++) parent[i] = i;
  return parent;
}

/** The thing that stands for the set of `i`: the lowest number in it. */
export function findRoot(parent: Int32Array, i: number): number {
  let at = i;
  while (parent[at] !== at) {
    parent[at] = parent[parent[at]!]!;
    at = parent[at]!;
  }
  return at;
}

export function joinSets(parent: Int32Array, i: number, j: number): void {
  const a = findRoot(parent, i);
  const b = findRoot(parent, j);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}
