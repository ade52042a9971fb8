/** A level to run through: a floor of many triangles, stairs, slopes, a wedge, walls, platforms that move and turn. */
import { box, collider, type Mesh, mesh, type Pose, type World } from 'graze';
import * as THREE from 'three';
import type { Arrays } from './models.ts';

/** One thing of the level: what is seen, and how it moves. */
export interface Prop {
  readonly id: number;
  readonly object: THREE.Object3D;
  readonly pose: Pose;
  readonly move: ((pose: Pose, time: number) => void) | null;
}

/** A flat floor, cut into triangles at random. */
function crumbledFloor(size: number, cells: number): Arrays {
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
  return { positions: Float32Array.from(positions), index: Uint32Array.from(index) };
}

/** A solid between two slanted profiles: corners of its outline in x and y, drawn out along z. */
function prism(outline: readonly (readonly [number, number])[], depth: number): Arrays {
  const n = outline.length;
  const positions: number[] = [];
  const index: number[] = [];
  for (const z of [depth / 2, -depth / 2]) for (const [x, y] of outline) positions.push(x, y, z);
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    index.push(i, n + i, j, j, n + i, n + j);
    if (i > 1) index.push(0, i - 1, i, n, n + i, n + i - 1);
  }
  return { positions: Float32Array.from(positions), index: Uint32Array.from(index) };
}

const stillPose = (x: number, y: number, z: number, turn = 0): Pose => ({
  position: { x, y, z },
  quaternion: { x: 0, y: Math.sin(turn / 2), z: 0, w: Math.cos(turn / 2) },
});

function seen({ positions, index }: Arrays, colour: THREE.Color): THREE.Mesh {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  if (index) geometry.setIndex(new THREE.Uint32BufferAttribute(index, 1));
  const flat = geometry.toNonIndexed();
  flat.computeVertexNormals();
  geometry.dispose();
  return new THREE.Mesh(
    flat,
    new THREE.MeshStandardMaterial({ color: colour, flatShading: true, side: THREE.DoubleSide }),
  );
}

type Colours = { readonly ground: THREE.Color; readonly thing: THREE.Color; readonly moving: THREE.Color };

export function playingField(world: World, colours: Colours): Prop[] {
  const props: Prop[] = [];
  const add = (
    shape: Mesh | ReturnType<typeof box>,
    object: THREE.Object3D,
    pose: Pose,
    move: Prop['move'] = null,
  ): void => {
    props.push({ id: world.add(collider(shape, pose), { fixed: move === null }), object, pose, move });
  };
  const surface = (arrays: Arrays, pose: Pose, colour = colours.ground): void =>
    add(mesh(arrays.positions, arrays.index), seen(arrays, colour), pose);
  const block = (w: number, h: number, d: number, pose: Pose, move: Prop['move'] = null): void => {
    const colour = move ? colours.moving : colours.thing;
    const object = new THREE.Mesh(
      new THREE.BoxGeometry(w, h, d),
      new THREE.MeshStandardMaterial({ color: colour }),
    );
    add(box(w / 2, h / 2, d / 2), object, pose, move);
  };
  surface(crumbledFloor(14, 60), stillPose(0, 0, 0));
  // Stairs of boxes, up to a deck; on its other side a slope down.
  for (let i = 0; i < 8; i++) block(0.35, 0.22 * (i + 1), 2, stillPose(3 + 0.35 * i, 0.11 * (i + 1), -3));
  block(3, 1.76, 4, stillPose(7.3, 0.88, -3));
  surface(
    prism(
      [
        [0, 0],
        [3.4, 0],
        [0, 1.76],
      ],
      4,
    ),
    stillPose(8.8, 0, -3),
    colours.thing,
  );
  // Too steep to climb.
  surface(
    prism(
      [
        [0, 0],
        [1.2, 0],
        [1.2, 2.4],
      ],
      3,
    ),
    stillPose(-4, 0, -5),
    colours.thing,
  );
  // A wedge that ends in an acute corner.
  block(5, 1.6, 0.3, stillPose(-4, 0.8, 3, 0.2));
  block(5, 1.6, 0.3, stillPose(-4, 0.8, 4.1, -0.2));
  // A low bridge to crouch under.
  block(2, 0.3, 3, stillPose(0, 1.35, 6));
  block(0.2, 1.5, 3, stillPose(-1.1, 0.75, 6));
  block(0.2, 1.5, 3, stillPose(1.1, 0.75, 6));
  // Floor tiles, one collider each, flush with each other.
  for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) block(1, 0.2, 1, stillPose(5 + i, 0.1, 5 + j));
  // A lift, a raft that goes to and fro, and a turntable.
  block(2, 0.3, 2, stillPose(-8, 0.16, -3), ({ position }, time) => {
    position.y = 1.16 + Math.sin(0.8 * time);
  });
  block(2.4, 0.3, 2, stillPose(-8, 0.2, 4), ({ position }, time) => {
    position.x = -9 + 3 * Math.sin(0.5 * time);
  });
  block(3, 0.2, 3, stillPose(0, 0.15, -7), ({ quaternion }, time) => {
    quaternion.y = Math.sin(0.35 * time);
    quaternion.w = Math.cos(0.35 * time);
  });
  for (const side of [-1, 1]) {
    block(28, 2, 0.4, stillPose(0, 1, 14 * side));
    block(0.4, 2, 28, stillPose(14 * side, 1, 0));
  }
  return props;
}

/** A level out of a file instead. */
export function loadedField(world: World, arrays: Arrays, colours: Colours): Prop[] {
  const pose = stillPose(0, 0, 0);
  return [
    {
      id: world.add(collider(mesh(arrays.positions, arrays.index), pose), { fixed: true }),
      object: seen(arrays, colours.ground),
      pose,
      move: null,
    },
  ];
}
