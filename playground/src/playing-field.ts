/** A level to run through: a floor of many triangles, stairs, slopes, a wedge, walls, platforms that move and turn. */
import type { World } from 'graze';
import { colliderOf } from 'graze/three';
import * as THREE from 'three';
import { geometryOf } from './models.ts';

/** Moves a thing of the level. */
type Move = (object: THREE.Object3D, time: number) => void;

export interface PlayingField {
  /** All that is seen. The world follows it. */
  readonly object: THREE.Group;
  /** Moves what moves. */
  move(time: number): void;
}

/** A flat floor, cut into triangles at random. */
function crumbledFloor(size: number, cells: number): THREE.BufferGeometry {
  const positions: number[] = [];
  const index: number[] = [];
  const step = (2 * size) / cells;
  let state = 5;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  for (let j = 0; j <= cells; j++)
    for (let i = 0; i <= cells; i++) {
      const isInside = i > 0 && j > 0 && i < cells && j < cells;
      const shift = isInside ? 0.7 * step : 0;
      positions.push(i * step - size + shift * random(), 0, j * step - size + shift * random());
    }
  for (let j = 0; j < cells; j++)
    for (let i = 0; i < cells; i++) {
      const a = j * (cells + 1) + i;
      const [b, c, d] = [a + 1, a + cells + 1, a + cells + 2];
      index.push(a, c, b, b, c, d);
    }
  return geometryOf({ positions, index });
}

/** A solid between two slanted profiles: corners of its outline in x and y, drawn out along z. */
function prism(outline: readonly (readonly [number, number])[], depth: number): THREE.BufferGeometry {
  const n = outline.length;
  const positions: number[] = [];
  const index: number[] = [];
  for (const z of [depth / 2, -depth / 2]) for (const [x, y] of outline) positions.push(x, y, z);
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    index.push(i, n + i, j, j, n + i, n + j);
    if (i > 1) index.push(0, i - 1, i, n, n + i, n + i - 1);
  }
  return geometryOf({ positions, index });
}

type Colours = { readonly ground: THREE.Color; readonly thing: THREE.Color; readonly moving: THREE.Color };
type Place = readonly [x: number, y: number, z: number, turn?: number];

export function playingField(world: World, colours: Colours): PlayingField {
  const object = new THREE.Group();
  const moves: (readonly [THREE.Object3D, Move])[] = [];
  const add = (
    geometry: THREE.BufferGeometry,
    color: THREE.Color,
    [x, y, z, turn = 0]: Place,
    move?: Move,
  ): void => {
    const material = new THREE.MeshStandardMaterial({ color, flatShading: true, side: THREE.DoubleSide });
    const thing = new THREE.Mesh(geometry, material);
    thing.position.set(x, y, z);
    thing.rotation.y = turn;
    object.add(thing);
    if (move) moves.push([thing, move]);
    const shape = geometry instanceof THREE.BoxGeometry ? 'box' : 'mesh';
    world.add(colliderOf(thing, shape), { fixed: move === undefined });
  };
  const block = (w: number, h: number, d: number, place: Place, move?: Move): void =>
    add(new THREE.BoxGeometry(w, h, d), move ? colours.moving : colours.thing, place, move);
  add(crumbledFloor(14, 60), colours.ground, [0, 0, 0]);
  // Stairs of boxes, up to a deck; on its other side a slope down.
  for (let i = 0; i < 8; i++) block(0.35, 0.22 * (i + 1), 2, [3 + 0.35 * i, 0.11 * (i + 1), -3]);
  block(3, 1.76, 4, [7.3, 0.88, -3]);
  const slope = [
    [0, 0],
    [3.4, 0],
    [0, 1.76],
  ] as const;
  add(prism(slope, 4), colours.thing, [8.8, 0, -3]);
  const tooSteep = [
    [0, 0],
    [1.2, 0],
    [1.2, 2.4],
  ] as const;
  add(prism(tooSteep, 3), colours.thing, [-4, 0, -5]);
  // A wedge that ends in an acute corner.
  block(5, 1.6, 0.3, [-4, 0.8, 3, 0.2]);
  block(5, 1.6, 0.3, [-4, 0.8, 4.1, -0.2]);
  // A low bridge to crouch under.
  block(2, 0.3, 3, [0, 1.35, 6]);
  block(0.2, 1.5, 3, [-1.1, 0.75, 6]);
  block(0.2, 1.5, 3, [1.1, 0.75, 6]);
  // Floor tiles, one collider each, flush with each other.
  for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) block(1, 0.2, 1, [5 + i, 0.1, 5 + j]);
  // A lift, a raft that goes to and fro, and a turntable.
  block(2, 0.3, 2, [-8, 0.16, -3], ({ position }, time) => {
    position.y = 1.16 + Math.sin(0.8 * time);
  });
  block(2.4, 0.3, 2, [-8, 0.2, 4], ({ position }, time) => {
    position.x = -9 + 3 * Math.sin(0.5 * time);
  });
  block(3, 0.2, 3, [0, 0.15, -7], ({ rotation }, time) => {
    rotation.y = 0.7 * time;
  });
  for (const side of [-1, 1]) {
    block(28, 2, 0.4, [0, 1, 14 * side]);
    block(0.4, 2, 28, [14 * side, 1, 0]);
  }
  return {
    object,
    move: (time) => {
      for (const [thing, move] of moves) move(thing, time);
    },
  };
}
