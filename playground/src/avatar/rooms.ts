/**
 * Where the avatar walks, generated: a museum of 9,482 vertices and a living room of 133,139, as many as in the scenes of Mujika et al.,
 * and like those of a few triangles that are larger than the avatar, walls and floors, beside many fine ones.
 */
import type { LevelGeometry } from '../physics/maze.ts';
import type { WalkPlace } from './avatar.ts';
import { type Group, Triangles as Parts, type Place, type Point } from './triangles.ts';

export type Tone = 'wall' | 'board' | 'fine';
type Triangles = Parts<Tone>;

export interface Room extends LevelGeometry {
  readonly groups: readonly Group<Tone>[];
  /** Where the avatar goes, from 0 to 1 once around; close by a wall for a part of it. */
  path(t: number): WalkPlace;
  /** Once around, in metres. */
  readonly pathLength: number;
  /** A wall of two triangles across x, with nothing else near this place: its x, and how far along it the middle of the place is. */
  readonly blankWall: { readonly x: number; readonly z: number };
}

export type RoomName = 'museum' | 'living room';
const made = new Map<RoomName, Room>();

/** Made once. */
export function roomOf(name: RoomName): Room {
  let room = made.get(name);
  if (!room) {
    room = name === 'museum' ? makeMuseum() : makeLivingRoom();
    made.set(name, room);
  }
  return room;
}

/** Numbers in [0, 1), the same for all. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The soles of the avatar are so far above the floor: it touches nothing that it does not run into. */
export const LIFT = 0.012;

/** Once around a polygon with its corners cut round, looking ahead. */
function walkAround(
  corners: readonly (readonly [x: number, z: number])[],
): Pick<Room, 'path' | 'pathLength'> {
  const points: [number, number][] = [];
  const n = corners.length;
  corners.forEach(([x, z], i) => {
    const [px, pz] = corners[(i + n - 1) % n]!;
    const [qx, qz] = corners[(i + 1) % n]!;
    const [a, b] = [Math.hypot(px - x, pz - z), Math.hypot(qx - x, qz - z)];
    const cut = Math.min(0.7, a / 2, b / 2);
    for (let k = 0; k <= 12; k++) {
      const t = k / 12;
      const [u, v] = [(cut / a) * (1 - t) ** 2, (cut / b) * t ** 2];
      points.push([x + u * (px - x) + v * (qx - x), z + u * (pz - z) + v * (qz - z)]);
    }
  });
  const lengths = points.map(([x, z], i) => {
    const [qx, qz] = points[(i + 1) % points.length]!;
    return Math.hypot(qx - x, qz - z);
  });
  const pathLength = lengths.reduce((a, b) => a + b, 0);
  const at = (s: number): [number, number] => {
    let left = ((s % pathLength) + pathLength) % pathLength;
    let i = 0;
    while (left > lengths[i]! && i < lengths.length - 1) left -= lengths[i++]!;
    const [[x, z], [qx, qz]] = [points[i]!, points[(i + 1) % points.length]!];
    const t = lengths[i]! === 0 ? 0 : left / lengths[i]!;
    return [x + t * (qx - x), z + t * (qz - z)];
  };
  return {
    pathLength,
    path(t) {
      const [x, z] = at(t * pathLength);
      const [bx, bz] = at(t * pathLength - 0.15);
      const [ax, az] = at(t * pathLength + 0.15);
      return { x, y: LIFT, z, heading: Math.atan2(ax - bx, az - bz) };
    },
  };
}

/** Four walls from within, a floor and a ceiling: two triangles each. */
function shell(into: Triangles, [w, h, d]: Point): void {
  const [x, z] = [w / 2, d / 2];
  into
    .panel([-x, 0, -z], [w, 0, 0], [0, 0, d])
    .panel([-x, h, -z], [0, 0, d], [w, 0, 0])
    .panel([-x, 0, -z], [0, h, 0], [w, 0, 0])
    .panel([x, 0, z], [0, h, 0], [-w, 0, 0])
    .panel([-x, 0, z], [0, h, 0], [0, 0, -d])
    .panel([x, 0, -z], [0, h, 0], [0, 0, d]);
}

const MUSEUM: Point = [18, 5, 12];
const MUSEUM_VERTICES = 9_482;

function makeMuseum(): Room {
  const [w, h, d] = MUSEUM;
  const all = new Parts<Tone>();
  shell(all.paint('wall'), MUSEUM);
  all.paint('board');
  // Walls that stand in the hall, with pictures on both sides.
  const screens: (readonly [Place, number])[] = [
    [{ at: [-4.5, 0, 1.5] }, 4],
    [{ at: [4, 0, -1.8] }, 5],
    [{ at: [0, 0, 3.6], turn: Math.PI / 2 }, 3],
  ];
  for (const [place, length] of screens) {
    all.box(length, 3.4, 0.25, place);
    for (const side of [1, -1])
      for (let x = -length / 2 + 0.9; x < length / 2 - 0.5; x += 1.5)
        picture(all, place, [x, 1.2, 0.125 * side], [0.95, 0.75]);
  }
  for (let x = -w / 2 + 1.6; x < w / 2 - 1; x += 2.2) {
    picture(all, { at: [0, 0, 0] }, [x, 1.1, -d / 2 + 0.02], [1.2, 1.5]);
    picture(all, { at: [0, 0, 0] }, [x, 1.3, d / 2 - 0.02], [1.4, 0.9]);
  }
  // Columns, benches, steps up to a platform.
  for (const x of [-6, 0, 6]) for (const z of [-3.9, 0.2]) column(all, { at: [x, 0, z] }, h);
  for (const x of [-7.2, 2, 7.2]) {
    all.box(1.6, 0.08, 0.5, { at: [x, 0.38, 4.2] });
    for (const side of [-0.7, 0.7]) all.box(0.08, 0.38, 0.4, { at: [x + side, 0, 4.2] });
  }
  for (let i = 0; i < 4; i++) all.box(3 - 0.3 * i, 0.16, 2 - 0.3 * i, { at: [6.5, 0.16 * i, 1.4] });
  // Sculptures on pedestals.
  const pedestal = (x: number, z: number, height = 1): Place => {
    all.paint('board');
    all.box(0.62, height - 0.06, 0.62, { at: [x, 0, z] });
    all.box(0.72, 0.06, 0.72, { at: [x, height - 0.06, z] });
    all.paint('fine');
    return { at: [x, height, z] };
  };
  all.lathe(
    (u) => [0.02 + 0.26 * Math.sin(Math.PI * u ** 0.7) * (1 - 0.45 * u), 0.75 * u],
    22,
    30,
    pedestal(-3, -1.5),
  );
  knot(all, pedestal(-7.4, -1.2), 0.3);
  bust(all, pedestal(3.6, 1.2));
  all.cushion([0.55, 0.8, 0.4], 0.5, 14, pedestal(-1.4, -4.6, 0.8));
  all.lathe(
    (u) => [0.1 + 0.16 * Math.abs(Math.cos(2.5 * Math.PI * u)), 0.9 * u],
    20,
    24,
    pedestal(6.5, 1.4 - 0.3, 1.64 - 0.64),
  );
  const before = all.index.length / 3;
  const spiral = (u: number): Point => {
    const a = 2 * Math.PI * u;
    return [
      (0.75 + 0.22 * Math.cos(7 * a)) * Math.cos(a),
      1.35 + 0.55 * Math.sin(3 * a) + 0.1 * Math.sin(7 * a),
      (0.75 + 0.22 * Math.cos(7 * a)) * Math.sin(a),
    ];
  };
  all.lathe((u) => [0.9 * (1 - 0.15 * u), 0.22 * u], 4, 24, { at: [-3, 0, 4.2] });
  all.ring(spiral, 0.06, Math.floor((MUSEUM_VERTICES - all.vertexCount - 40) / 10), 10, { at: [-3, 0, 4.2] });
  all.cutTo(MUSEUM_VERTICES, before);
  return {
    ...all.toGeometry(),
    groups: all.groups(),
    ...walkAround([
      [-8, -5.55],
      [-2.1, -5.55],
      [-2.1, -3.1],
      [0.4, -2.4],
      [8.3, -2.6],
      [8.62, 0],
      [8.62, 5.2],
      [4, 4.75],
      [3, 1.1],
      [0, -0.2],
      [-3.5, -0.8],
      [-8.6, 0.4],
    ]),
    blankWall: { x: w / 2, z: -0.5 },
  };
}

function picture(
  into: Triangles,
  { at: [x, y, z], turn = 0 }: Place,
  [px, py, pz]: Point,
  [w, h]: readonly [number, number],
): void {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  into.box(w, h, 0.04, { at: [x + c * px + s * pz, y + py, z - s * px + c * pz], turn });
}

function column(into: Triangles, place: Place, h: number): void {
  const [x, , z] = place.at;
  into.box(0.7, 0.12, 0.7, place).box(0.7, 0.12, 0.7, { at: [x, h - 0.12, z] });
  const outline = (u: number) => 0.26 - 0.04 * u;
  into.lathe((u) => [outline(u), 0.12 + (h - 0.24) * u], 5, 20, place);
}

function knot(into: Triangles, place: Place, size: number): void {
  into.ring(
    (u) => {
      const a = 2 * Math.PI * u;
      return [
        size * (0.6 + 0.35 * Math.cos(3 * a)) * Math.cos(2 * a),
        1.35 * size + 0.45 * size * Math.sin(3 * a),
        size * (0.6 + 0.35 * Math.cos(3 * a)) * Math.sin(2 * a),
      ];
    },
    0.17 * size,
    120,
    10,
    place,
  );
}

function bust(into: Triangles, place: Place): void {
  const [x, y, z] = place.at;
  into.cushion([0.5, 0.26, 0.28], 0.7, 14, place);
  into.lathe((u) => [0.075 - 0.02 * u, 0.16 * u], 5, 20, { at: [x, y + 0.2, z] });
  into.cushion([0.2, 0.29, 0.24], 0.9, 16, { at: [x, y + 0.32, z + 0.01] });
}

const LIVING_ROOM: Point = [7.5, 2.7, 6];
const LIVING_ROOM_VERTICES = 133_139;

function makeLivingRoom(): Room {
  const [w, h, d] = LIVING_ROOM;
  const all = new Parts<Tone>();
  const random = numbers(20_09);
  shell(all.paint('wall'), LIVING_ROOM);
  // Furniture of boards: a few large triangles each.
  all.paint('board');
  all.box(3.2, 0.008, 2.2, { at: [0.2, 0, 0.2] }); // carpet
  table(all, { at: [0.1, 0, 0.3] }, [1.1, 0.42, 0.6]);
  all.box(1.8, 0.5, 0.42, { at: [0.2, 0, -d / 2 + 0.23] });
  all.box(1.5, 0.85, 0.05, { at: [0.2, 0.62, -d / 2 + 0.2] }); // a screen
  shelf(all, { at: [2.2, 0, d / 2 - 0.19], turn: Math.PI }, random);
  // What is soft, grown or turned, and fine.
  all.paint('fine');
  sofa(all, { at: [-0.1, 0, 2.25], turn: Math.PI });
  sofa(all, { at: [-2.65, 0, 0.4], turn: Math.PI / 2 }, 1);
  for (const side of [-1, 1]) curtain(all, { at: [-w / 2 + 0.13, 0.05, -0.9 + 1.1 * side] }, h - 0.2);
  plant(all, { at: [3.2, 0, -2.4] }, 90, random);
  plant(all, { at: [-3.2, 0, 2.45] }, 60, random);
  lamp(all, { at: [-1.9, 0, 2.4] });
  // On the tables.
  bowl(all, { at: [0, 0.44, 0.25] }, random);
  for (const x of [-0.25, 0.3]) cup(all, { at: [x, 0.44, 0.48] });
  for (const x of [-0.45, 0.85]) vase(all, { at: [x, 0.5, -d / 2 + 0.25] });
  chandelier(all, { at: [0.2, h, 0.2] });
  const before = all.index.length / 3;
  // A blanket over the arm of the sofa, in folds: as fine as it takes.
  const rows = Math.floor(Math.sqrt(0.97 * (LIVING_ROOM_VERTICES - all.vertexCount))) - 1;
  all.sheet(
    rows,
    rows,
    (u, v) => {
      const a = Math.PI * (u - 0.5);
      const fold = 0.012 * Math.sin(40 * v) * (0.4 + Math.abs(Math.cos(a)));
      const reach = Math.min(1, Math.max(-1, 2.6 * (u - 0.5)));
      return [
        0.17 * reach + fold * reach,
        0.65 + fold - 0.42 * Math.max(0, Math.abs(2.6 * (u - 0.5)) - 1),
        0.55 * (v - 0.5),
      ];
    },
    { place: { at: [-1.13, 0, 2.25] } },
  );
  all.cutTo(LIVING_ROOM_VERTICES, before);
  return {
    ...all.toGeometry(),
    groups: all.groups(),
    ...walkAround([
      [2.6, -2.25],
      [-2.9, -2.25],
      [-3.3, -1],
      [-1.75, -0.75],
      [-1.65, 1.45],
      [1.9, 1.4],
      [2.6, 2.3],
      [3.4, 2.1],
      [3.4, -1.6],
    ]),
    blankWall: { x: w / 2, z: 0 },
  };
}

function sofa(into: Triangles, { at: [x, y, z], turn = 0 }: Place, seats = 2): void {
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const part = (px: number, py: number, pz: number): Place => ({
    at: [x + c * px + s * pz, y + py, z - s * px + c * pz],
    turn,
  });
  const w = 0.78 * seats;
  into.box(w + 0.5, 0.14, 0.86, part(0, 0.1, 0));
  for (const side of [-1, 1]) {
    into.cushion([0.26, 0.54, 0.88], 0.3, 34, part(side * (w / 2 + 0.14), 0.1, 0));
    for (const front of [-0.35, 0.35]) into.box(0.06, 0.1, 0.06, part(side * (w / 2 + 0.1), 0, front));
  }
  for (let i = 0; i < seats; i++) {
    const at = 0.78 * (i - (seats - 1) / 2);
    into.cushion([0.78, 0.24, 0.72], 0.35, 44, part(at, 0.22, 0.08));
    into.cushion([0.76, 0.52, 0.24], 0.4, 44, part(at, 0.36, -0.3));
    into.cushion([0.42, 0.42, 0.18], 0.55, 30, part(at, 0.45, -0.06));
  }
}

function table(into: Triangles, { at: [x, y, z] }: Place, [w, h, d]: Point): void {
  into.box(w, 0.035, d, { at: [x, y + h - 0.015, z] });
  into.box(w - 0.1, 0.02, d - 0.1, { at: [x, y + 0.16, z] });
  for (const i of [-1, 1])
    for (const j of [-1, 1])
      into.lathe((u) => [0.022 + 0.008 * Math.sin(9 * u), (h - 0.02) * u], 24, 16, {
        at: [x + i * (w / 2 - 0.06), y, z + j * (d / 2 - 0.06)],
      });
}

/** Boards, and books of twelve triangles each. */
function shelf(into: Triangles, { at: [x, y, z], turn = 0 }: Place, random: () => number): void {
  const [w, h, d] = [1.9, 2.1, 0.34];
  const side = Math.cos(turn);
  for (const i of [-1, 1]) into.box(0.03, h, d, { at: [x + (i * w) / 2, y, z] });
  into.box(w, h, 0.012, { at: [x, y, z - (side * d) / 2] });
  for (let k = 0; k < 6; k++) {
    const board = y + (k * (h - 0.03)) / 5;
    into.box(w, 0.03, d, { at: [x, board, z] });
    if (k === 5) break;
    for (let px = -w / 2 + 0.04; px < w / 2 - 0.1; ) {
      const thick = 0.018 + 0.03 * random();
      if (random() < 0.85)
        into.box(thick, 0.2 + 0.13 * random(), 0.16 + 0.08 * random(), {
          at: [x + px + thick / 2, board + 0.03, z],
        });
      px += thick + 0.002;
    }
  }
}

/** In folds. */
function curtain(into: Triangles, { at }: Place, h: number): void {
  into.sheet(
    60,
    110,
    (u, v) => [
      0.055 * Math.sin(14 * Math.PI * v + 0.8 * Math.sin(3 * u)) * (0.5 + 0.5 * u),
      h * u,
      0.75 * (v - 0.5) * (0.85 + 0.15 * u),
    ],
    { place: { at } },
  );
}

/** Leaves on stems, in a pot. */
function plant(into: Triangles, { at: [x, y, z] }: Place, leaves: number, random: () => number): void {
  into.lathe((u) => [0.13 + 0.06 * u, 0.34 * u], 20, 40, { at: [x, y, z] });
  for (let i = 0; i < leaves; i++) {
    const turn = 2 * Math.PI * random();
    const lean = 0.15 + 0.55 * random();
    const height = 0.5 + 0.75 * random();
    const length = 0.18 + 0.16 * random();
    into.sheet(
      14,
      8,
      (u, v) => {
        const across = (v - 0.5) * 0.42 * length * Math.sin(Math.PI * Math.min(1, u + 0.02)) ** 0.8;
        return [
          lean * height * 0.5 + length * u,
          0.3 + height * (1 - 0.25 * lean) - 0.5 * length * u * u + 0.25 * Math.abs(across),
          across,
        ];
      },
      { place: { at: [x, y, z], turn } },
    );
    into.sheet(
      12,
      6,
      (u, v) => {
        const a = -2 * Math.PI * v;
        const bend = lean * height * 0.5 * u * u;
        return [bend + 0.004 * Math.cos(a), 0.3 + height * (1 - 0.25 * lean) * u, 0.004 * Math.sin(a)];
      },
      { wrap: true, place: { at: [x, y, z], turn } },
    );
  }
}

function lamp(into: Triangles, { at: [x, y, z] }: Place): void {
  into.lathe((u) => [u < 0.04 ? 0.15 : 0.014, 1.45 * u], 60, 24, { at: [x, y, z] });
  into.sheet(
    30,
    60,
    (u, v) => {
      const [a, r] = [-2 * Math.PI * v, 0.22 - 0.08 * u];
      const pleat = r * (1 + 0.03 * Math.cos(30 * a));
      return [pleat * Math.cos(a), 1.35 + 0.32 * u, pleat * Math.sin(a)];
    },
    { wrap: true, place: { at: [x, y, z] } },
  );
}

function bowl(into: Triangles, { at: [x, y, z] }: Place, random: () => number): void {
  into.lathe(
    (u) =>
      u < 0.55
        ? [0.004 + 0.156 * Math.sin((Math.PI / 1.1) * u), 0.075 * (u / 0.55) ** 2]
        : [0.004 + 0.146 * Math.sin((Math.PI / 0.9) * (1 - u)), 0.012 + 0.063 * ((1 - u) / 0.45) ** 2],
    32,
    56,
    { at: [x, y, z] },
  );
  for (let i = 0; i < 7; i++) {
    const [r, a] = [i === 0 ? 0 : 0.075, i * 1.05];
    const size = 0.06 + 0.015 * random();
    into.cushion([size, size, size], 1, 18, {
      at: [x + r * Math.cos(a), y + (i === 0 ? 0.07 : 0.035), z + r * Math.sin(a)],
    });
  }
}

function cup(into: Triangles, { at: [x, y, z] }: Place): void {
  into.lathe(
    (u) =>
      u < 0.5
        ? [0.04 * Math.min(1, 0.1 + 4 * u), 0.16 * Math.max(0, u - 0.1)]
        : [0.036 * Math.min(1, 0.1 + 4 * (1 - u)), 0.006 + 0.145 * Math.max(0, 0.9 - u)],
    24,
    36,
    { at: [x, y, z] },
  );
  into.ring(
    (u) => [0.04 + 0.02 * Math.cos(2 * Math.PI * u), 0.032 + 0.02 * Math.sin(2 * Math.PI * u), 0],
    0.004,
    36,
    10,
    { at: [x, y, z] },
  );
}

function vase(into: Triangles, place: Place): void {
  into.lathe(
    (u) => [0.05 + 0.035 * Math.sin(6 * u) * (1 + 0.06 * Math.cos(40 * u)), 0.34 * u],
    60,
    48,
    place,
  );
}

function chandelier(into: Triangles, { at: [x, y, z] }: Place): void {
  into.lathe((u) => [0.01, -0.5 * (1 - u)], 6, 12, { at: [x, y, z] });
  for (let i = 0; i < 8; i++) {
    const turn = (2 * Math.PI * i) / 8;
    into.ring(
      (u) => {
        const a = 2 * Math.PI * u;
        return [0.2 + 0.17 * Math.cos(a), -0.48 + 0.06 * Math.sin(2 * a), 0.02 * Math.sin(a)];
      },
      0.008,
      70,
      8,
      { at: [x, y, z], turn },
    );
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    into.cushion([0.07, 0.1, 0.07], 1, 16, { at: [x + 0.37 * c, y - 0.52, z - 0.37 * s] });
  }
}
