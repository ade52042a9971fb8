/** Triangles that share their edges in a row. RTCD §2.2.2. */
import { checkNumbers, describe, mustBeOptions, refuse } from '../math/check.ts';

export interface TriangleStripOptions {
  /** The index that ends one strip, so that the next begins: 65535 or 4294967295 in most files. None unless given. */
  readonly restart?: number;
}

/**
 * The triangles of a strip, as the index that `mesh` takes: each three indices in a row are a triangle, every other one
 * turned around so that all face the same way. Triangles with the same index twice, which only lead from one strip to the
 * next, are left out; so are strips of fewer than three indices. O(n).
 */
export function trianglesFromStrip(
  strip: ArrayLike<number>,
  options: TriangleStripOptions = {},
): Uint32Array {
  checkNumbers('trianglesFromStrip', 'strip', strip);
  mustBeOptions('trianglesFromStrip', 'options', options, 'restart');
  const { restart } = options;
  if (restart !== undefined && !isIndex(restart))
    refuse('trianglesFromStrip', 'options.restart', `must be a whole number, got ${describe(restart)}`);
  const index: number[] = [];
  let start = 0;
  for (let i = 0; i < strip.length; i++) {
    const c = strip[i]!;
    if (!isIndex(c))
      refuse('trianglesFromStrip', 'strip', `must hold numbers of vertices, got ${describe(c)} at ${i}`);
    if (c === restart) {
      start = i + 1;
      continue;
    }
    if (i - start < 2) continue;
    const a = strip[i - 2]!;
    const b = strip[i - 1]!;
    if (a === b || b === c || c === a) continue;
    if ((i - start) % 2 === 0) index.push(a, b, c);
    else index.push(b, a, c);
  }
  return Uint32Array.from(index);
}

const isIndex = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 0xffffffff;
