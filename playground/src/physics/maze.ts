/** A level of boxes: a floor, walls with doors between cells, stairs and pillars. Made of triangles, as a game's would be. */

/** A small generator of numbers in [0, 1), so that the level is the same for all. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export interface LevelGeometry {
  readonly positions: Float64Array;
  readonly index: Uint32Array;
}

const FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
];

export function maze(cells: number, cell = 4, seed = 7): LevelGeometry {
  const random = numbers(seed);
  const positions: number[] = [];
  const index: number[] = [];
  const block = (x: number, y: number, z: number, w: number, h: number, d: number): void => {
    const first = positions.length / 3;
    for (let i = 0; i < 8; i++) positions.push(x + (i & 1 ? w : 0), y + (i & 2 ? h : 0), z + (i & 4 ? d : 0));
    for (const [a, b, c, e] of FACES as [number, number, number, number][])
      index.push(first + a, first + b, first + c, first + a, first + c, first + e);
  };
  const size = cells * cell;
  block(0, -1, 0, size, 1, size);
  for (let i = 0; i <= cells; i++) {
    const at = i * cell - 0.1;
    const isRim = i === 0 || i === cells;
    for (let j = 0; j < cells; j++) {
      // A wall along x and one along z, each with a door unless it is the rim.
      const door = 1 + random() * (cell - 2.6);
      for (const alongX of [true, false]) {
        const wall = (from: number, to: number): void => {
          const [a, length] = [j * cell + from, to - from];
          if (alongX) block(a, 0, at, length, 2.5, 0.2);
          else block(at, 0, a, 0.2, 2.5, length);
        };
        if (isRim) wall(0, cell);
        else {
          wall(0.1, door);
          wall(door + 1.4, cell - 0.1);
        }
      }
    }
  }
  for (let i = 0; i < cells; i++)
    for (let j = 0; j < cells; j++) {
      const [x, z] = [i * cell + 1.2 + random(), j * cell + 1.2 + random()];
      if (random() < 0.4) block(x, 0, z, 0.4, 2, 0.4);
      else if (random() < 0.5)
        for (let step = 0; step < 4; step++) block(x + 0.3 * step, 0, z, 0.3, 0.2 * (step + 1), 1);
    }
  return { positions: Float64Array.from(positions), index: Uint32Array.from(index) };
}
