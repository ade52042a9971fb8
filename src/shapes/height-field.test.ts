import { expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { vec3 } from '../math/types.ts';
import { rayMesh } from '../trimesh/ray.ts';
import { heightField, heightFieldCell, heightFieldTriangle } from './height-field.ts';
import { scaled } from './scale.ts';

property('a ray from above meets the height of the cell, on the triangle of the cell', 2_000, (rng) => {
  const [columns, rows] = [rng.int(2, 7), rng.int(2, 7)];
  const spacing = { x: rng.pick([0.5, 1, 3]), z: rng.pick([1, 0.1]) };
  const heights = Array.from({ length: columns * rows }, () => rng.pick([0, 1, rng.range(-2, 2)]));
  const holes = Array.from({ length: (columns - 1) * (rows - 1) }, () => rng.chance(0.2));
  holes[rng.int(0, holes.length - 1)] = false;
  const field = heightField(heights, { columns, rows, spacing, holes });
  const count = holes.filter((hole) => !hole).length;
  check(field.mesh.triangleCount === 2 * count, 'two triangles a cell');
  for (let k = 0; k < 5; k++) {
    const [column, row] = [rng.int(0, columns - 2), rng.int(0, rows - 2)];
    const [u, v] = [rng.range(0.01, 0.99), rng.range(0.01, 0.99)];
    if (Math.abs(u + v - 1) < 1e-3) continue; // on the diagonal
    const half = u + v < 1 ? 0 : 1;
    const h = (i: number, j: number) => heights[(row + j) * columns + column + i]!;
    // The plane through three corners, told by its slopes.
    const wanted =
      half === 0
        ? h(0, 0) + u * (h(1, 0) - h(0, 0)) + v * (h(0, 1) - h(0, 0))
        : h(1, 1) + (1 - u) * (h(0, 1) - h(1, 1)) + (1 - v) * (h(1, 0) - h(1, 1));
    const origin = vec3((column + u) * spacing.x, 10, (row + v) * spacing.z);
    const hit = rayMesh({ origin, direction: vec3(0, -1, 0) }, field.mesh);
    const first = heightFieldTriangle(field, column, row);
    if (holes[row * (columns - 1) + column]) {
      check(hit === null && first === -1, 'a hole was hit');
      continue;
    }
    check(hit !== null, 'a cell was missed');
    near(hit.t, 10 - wanted, 1e-12, 'height');
    check(hit.normal.y > 0, 'faces up');
    check(hit.triangle === first + half, () => `triangle ${hit.triangle}, not ${first} + ${half}`);
    const cell = heightFieldCell(field, hit.triangle);
    check(cell.column === column && cell.row === row && cell.half === half, 'cell of the triangle');
  }
});

test('without holes cell c has the triangles 2c and 2c + 1', () => {
  const field = heightField(new Float32Array(12), { columns: 4, rows: 3 });
  expect([...field.cellTriangles]).toEqual([0, 2, 4, 6, 8, 10]);
  expect(field.mesh.bounds).toEqual({ min: vec3(), max: vec3(3, 0, 2) });
  expect(heightFieldCell(field, 11)).toEqual({ column: 2, row: 1, half: 1 });
});

test('what is no height field is refused', () => {
  const flat = [0, 0, 0, 0];
  const size = { columns: 2, rows: 2 };
  expect(() => heightField([0, 0, Number.NaN, 0], size)).toThrow(/heights\[2\] must be a finite number/);
  expect(() => heightField([0, 0, 0], size)).toThrow(/heights must be columns × rows, 4; got 3/);
  expect(() => heightField(flat, { columns: 4, rows: 1 })).toThrow(/options.rows must be a whole number/);
  expect(() => heightField(flat, { columns: 1.5, rows: 2 })).toThrow(/options.columns/);
  expect(() => heightField(flat, { ...size, spacing: 0 })).toThrow(
    /options.spacing must be finite and above 0/,
  );
  expect(() => heightField(flat, { ...size, holes: [0, 1] })).toThrow(/options.holes must be one a cell/);
  expect(() => heightField(flat, { ...size, holes: [true] })).toThrow(/must leave at least one cell/);
  const field = heightField(flat, size);
  for (const triangle of [-1, 2, 0.5, Number.NaN])
    expect(() => heightFieldCell(field, triangle)).toThrow(/triangle must be the number of a triangle/);
  expect(() => heightFieldTriangle(field, 1, 0)).toThrow(/column must be a whole number from 0 to 0/);
});

property('centered, its middle is at the origin, and it is the same otherwise', 500, (rng) => {
  const [columns, rows] = [rng.int(2, 6), rng.int(2, 6)];
  const spacing = { x: rng.pick([0.5, 1, 3]), z: rng.pick([1, 0.25]) };
  const heights = Array.from({ length: columns * rows }, () => rng.range(-2, 2));
  const options = { columns, rows, spacing };
  const [plain, middle] = [
    heightField(heights, options),
    heightField(heights, { ...options, centered: true }),
  ];
  const { min, max } = middle.mesh.bounds;
  check(min.x === -max.x && min.z === -max.z, 'middle');
  check(min.x === middle.corner.x && min.z === middle.corner.z, 'corner');
  check(plain.corner.x === 0 && plain.corner.z === 0 && plain.mesh.bounds.min.x === 0, 'plain');
  const [u, v] = [rng.unit() * (max.x - min.x), rng.unit() * (max.z - min.z)];
  const down = vec3(0, -1, 0);
  const a = rayMesh({ origin: vec3(u, 9, v), direction: down }, plain.mesh)!;
  const b = rayMesh(
    { origin: vec3(u + middle.corner.x, 9, v + middle.corner.z), direction: down },
    middle.mesh,
  );
  near(b?.t ?? 0, a.t, 1e-12, 'height');
  const twice = scaled(middle, vec3(2, 1, 3)) as typeof middle;
  near(twice.corner.x, 2 * middle.corner.x, 1e-12, 'corner, scaled');
  near(twice.mesh.bounds.max.z, 3 * max.z, 1e-12, 'bounds, scaled');
});

test('no options are refused by name', () => {
  expect(() => heightField([0, 0, 0, 0], undefined as never)).toThrow(
    /heightField: options must have columns/,
  );
});
