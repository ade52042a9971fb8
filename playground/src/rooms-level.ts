/** A level of nine rooms with doors between them, as brushes; and any brushes, made to fit the view. */
import type { Brush } from 'graze/bsp';
import { brushPolyhedron } from 'graze/bsp';
import { type ReadonlyPlane, type Vec3, vec3 } from 'graze/math';

const ROOM = 3.2;
const WALL = 0.1;
const HEIGHT = 1.2;
const DOOR = { width: 0.7, height: 0.9 };

const block = (min: Vec3, max: Vec3): Brush => [
  { normal: vec3(1), d: max.x },
  { normal: vec3(-1), d: -min.x },
  { normal: vec3(0, 1), d: max.y },
  { normal: vec3(0, -1), d: -min.y },
  { normal: vec3(0, 0, 1), d: max.z },
  { normal: vec3(0, 0, -1), d: -min.z },
];

/** A wall with a door, along x or along z: what is left and right of the door, and over it. */
function wallWithDoor(at: number, from: number, door: number, alongX: boolean): Brush[] {
  const part = (a: number, b: number, low: number): Brush =>
    alongX
      ? block(vec3(a, low, at - WALL), vec3(b, HEIGHT, at + WALL))
      : block(vec3(at - WALL, low, a), vec3(at + WALL, HEIGHT, b));
  return [
    part(from, door, 0),
    part(door + DOOR.width, from + ROOM, 0),
    part(door, door + DOOR.width, DOOR.height),
  ];
}

/** A column with eight sides. */
function column(x: number, z: number, radius: number): Brush {
  const sides = Array.from({ length: 8 }, (_, k): ReadonlyPlane => {
    const [c, s] = [Math.cos((k * Math.PI) / 4 + 0.2), Math.sin((k * Math.PI) / 4 + 0.2)];
    return { normal: vec3(c, 0, s), d: c * x + s * z + radius };
  });
  return [...sides, { normal: vec3(0, 1), d: HEIGHT }, { normal: vec3(0, -1), d: 0 }];
}

/** Three rooms by three around the origin, all around closed. */
export function roomsLevel(): Brush[] {
  const half = 1.5 * ROOM;
  const out = half + 2 * WALL;
  const brushes = [
    block(vec3(-out, -2 * WALL, -out), vec3(out, 0, out)),
    block(vec3(-out, HEIGHT, -out), vec3(out, HEIGHT + 2 * WALL, out)),
    block(vec3(-out, 0, -out), vec3(-half, HEIGHT, out)),
    block(vec3(half, 0, -out), vec3(out, HEIGHT, out)),
    block(vec3(-half, 0, -out), vec3(half, HEIGHT, -half)),
    block(vec3(-half, 0, half), vec3(half, HEIGHT, out)),
    column(0.2, -0.1, 0.35),
    column(-3.4, 2.7, 0.25),
  ];
  // Doors in turn near the one end of a wall and near the other.
  for (let i = 1; i < 3; i++)
    for (let k = 0; k < 3; k++)
      for (const alongX of [false, true]) {
        const from = -half + k * ROOM;
        const side = (i + k + +alongX) % 2 === 0 ? 0.35 : ROOM - 0.35 - DOOR.width;
        brushes.push(...wallWithDoor(-half + i * ROOM, from, from + side, alongX));
      }
  return brushes;
}

/**
 * Brushes moved and scaled so that they are 2 × `half` long and their middle is at the origin; without those that have no volume.
 * Where a place is then, too.
 */
export function fitBrushes(
  brushes: readonly Brush[],
  half: number,
): { brushes: Brush[]; scale: number; placeOf(p: Vec3): Vec3 } {
  const min = vec3(Infinity, Infinity, Infinity);
  const max = vec3(-Infinity, -Infinity, -Infinity);
  const solid = brushes.filter((brush) => {
    const corners = brushPolyhedron(brush)?.vertices ?? [];
    for (const axis of ['x', 'y', 'z'] as const)
      for (const p of corners) {
        min[axis] = Math.min(min[axis], p[axis]);
        max[axis] = Math.max(max[axis], p[axis]);
      }
    return corners.length > 0;
  });
  if (solid.length === 0) throw new Error('it has no solid brushes');
  const scale = (2 * half) / Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
  const middle = vec3((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
  return {
    brushes: solid.map((brush) =>
      brush.map(({ normal, d }) => {
        const length = Math.hypot(normal.x, normal.y, normal.z);
        const n = vec3(normal.x / length, normal.y / length, normal.z / length);
        return { normal: n, d: scale * (d / length - n.x * middle.x - n.y * middle.y - n.z * middle.z) };
      }),
    ),
    scale,
    placeOf: ({ x, y, z }) => vec3(scale * (x - middle.x), scale * (y - middle.y), scale * (z - middle.z)),
  };
}
