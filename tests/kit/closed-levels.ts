/** Levels with holes, closed so that they have an inside. */
import { boxMesh } from './meshes.ts';

export interface Soup {
  readonly positions: number[];
  readonly index: number[];
}

/**
 * Closes a soup of triangles: each chain of edges without a partner gets a cone to the middle of its corners. With a box around all
 * of it, so that rooms whose walls face inwards are hollows in a solid.
 */
export function closedByCones({ positions, index }: Soup): Soup {
  const ids = new Map<string, number>();
  const own: number[] = [];
  const vertexOf = Array.from({ length: positions.length / 3 }, (_, i) => {
    const p = positions.slice(3 * i, 3 * i + 3);
    const key = p.map((c) => c + 0).join();
    if (!ids.has(key)) {
      ids.set(key, own.length / 3);
      own.push(...p);
    }
    return ids.get(key)!;
  });
  const triangles = index.map((i) => vertexOf[i]!);
  // How often an edge is walked one way, less the other.
  const surplus = new Map<string, number>();
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i]!;
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1]!;
    if (a === b) continue;
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    surplus.set(key, (surplus.get(key) ?? 0) + (a < b ? 1 : -1));
  }
  const open: [number, number][] = [];
  for (const [key, n] of surplus) {
    const [a, b] = key.split(' ').map(Number) as [number, number];
    for (let k = 0; k < Math.abs(n); k++) open.push(n > 0 ? [a, b] : [b, a]);
  }
  // Parts of the border that hang together.
  const parent = new Map<number, number>();
  const find = (v: number): number => {
    let root = v;
    while (parent.has(root)) root = parent.get(root)!;
    return root;
  };
  for (const [a, b] of open) if (find(a) !== find(b)) parent.set(find(a), find(b));
  const tips = new Map<number, number>();
  for (const [a, b] of open) {
    const root = find(a);
    if (!tips.has(root)) {
      const members = [...new Set(open.flat())].filter((v) => find(v) === root);
      tips.set(root, own.length / 3);
      for (let c = 0; c < 3; c++)
        own.push(members.reduce((sum, v) => sum + own[3 * v + c]!, 0) / members.length);
    }
    triangles.push(b, a, tips.get(root)!);
  }
  const low = [0, 1, 2].map((c) => own.reduce((m, v, i) => (i % 3 === c ? Math.min(m, v) : m), Infinity) - 2);
  const high = [0, 1, 2].map(
    (c) => own.reduce((m, v, i) => (i % 3 === c ? Math.max(m, v) : m), -Infinity) + 2,
  );
  const box = boxMesh({ x: low[0]!, y: low[1]!, z: low[2]! }, { x: high[0]!, y: high[1]!, z: high[2]! });
  const base = own.length / 3;
  return {
    positions: [...own, ...box.positions],
    index: [...triangles, ...Array.from(box.index, (i) => i + base)],
  };
}
