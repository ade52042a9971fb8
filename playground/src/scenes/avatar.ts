import { type Contact, contacts, type Mesh, mesh, skinned } from 'graze';
import { collidersOf, DebugView, type ObjectCollider } from 'graze/three';
import * as THREE from 'three';
import { avatarData, STRIDE, walkPose } from '../avatar/avatar.ts';
import { alongTheWall } from '../avatar/extreme.ts';
import { type Room, type RoomName, roomOf } from '../avatar/rooms.ts';
import { PAPER, VARIANTS, type Variant, Variants } from '../avatar/variants.ts';
import { readModel } from '../load-model.ts';
import { geometryOf } from '../models.ts';
import type { Scene } from '../scene.ts';
import type { Stage } from '../stage.ts';

const ROOMS = ['living room', 'museum'] as const;
const OURS = 'boxes of the joints (ours)';
const WAYS = ['around the room', 'along a wall, without touching'] as const;
/** In metres a second. */
const SPEED = 1.1;
/** More are not drawn. */
const MOST_MARKS = 400;

export const avatar: Scene = {
  id: 'avatar',
  group: 'Motion',
  title: 'Animated characters',
  blurb:
    'An avatar of 44,345 vertices walks through a room; where it touches something, the triangles light up. Only what comes near anything is skinned. Choose a variant of the paper to see its trees of spheres and count its tests. Drop a rigged glTF or a VRM of your own onto the view.',
  source: 'Mujika, Oyarzun, Arrieta, Carretero',
  hint: 'Choose a room, a way and a variant; move the slider down the levels of the tree.',
  start(stage, panel) {
    const data = avatarData();
    const shape = skinned(data);
    const body = bodyOf(stage, data);
    stage.content.add(body.object);
    let name: RoomName = 'living room';
    let way: (typeof WAYS)[number] = WAYS[0];
    let variant: Variant | typeof OURS = OURS;
    let level = 0;
    let room: Room;
    let surroundings: Mesh;
    let trees: Variants | null = null;
    let walls: THREE.Object3D | null = null;
    let guest: Guest | null = null;
    let walked = 0;
    let cost = -1;
    let touching: Contact[] = [];
    let lit = 0;
    let complaint = '';
    const wires = new DebugView();
    const spheres = new THREE.InstancedMesh(
      new THREE.SphereGeometry(1, 16, 10),
      new THREE.MeshBasicMaterial({
        color: stage.colour('first'),
        wireframe: true,
        transparent: true,
        opacity: 0.12,
      }),
      4096,
    );
    spheres.frustumCulled = false;
    spheres.count = 0;
    stage.content.add(wires, spheres);

    const enter = (next: RoomName) => {
      name = next;
      room = roomOf(name);
      surroundings = mesh(room.positions, room.index);
      trees = null;
      if (walls) stage.remove(walls);
      walls = drawnRoom(stage, room);
      stage.content.add(walls);
      walked = 0;
    };
    enter(name);
    stage.lookFrom(1.2, 1.9, 3.2);
    stage.onDrop = async (file) => {
      try {
        const object = await readModel(file.name, await file.arrayBuffer());
        const next = new Guest(object);
        if (guest) stage.remove(guest.object);
        guest = next;
        body.object.visible = false;
        stage.content.add(guest.object);
        complaint = '';
      } catch (error) {
        complaint = error instanceof Error ? error.message : String(error);
      }
    };
    panel.choice('Room', ROOMS, name, enter);
    panel.choice('Way', WAYS, way, (next) => {
      way = next;
    });
    panel.choice('Variant', [OURS, ...VARIANTS], variant, (next) => {
      variant = next;
    });
    panel.slider('Level of the tree', [0, 14, 1], level, (next) => {
      level = next;
    });

    const step = (seconds: number): void => {
      walked += SPEED * seconds;
      const phase = walked / STRIDE;
      const place = way === WAYS[0] ? room.path(walked / room.pathLength) : alongTheWall(data, room, phase);
      const pose = walkPose(phase, place);
      if (guest) guest.move(place, seconds);
      else body.pose(pose);
      const start = performance.now();
      touching = [];
      if (guest) for (const one of guest.colliders) touching.push(...contacts(one, surroundings));
      else {
        shape.pose(pose);
        touching = contacts(shape, surroundings);
      }
      // The first one builds the tree of the room.
      const took = performance.now() - start;
      cost = cost < 0 ? 0 : cost + 0.1 * (took - cost);
      stage.follow(place.x, 1, place.z);
    };

    const drawTree = (): void => {
      wires.clear();
      spheres.count = 0;
      if (level === 0) return;
      if (guest) for (const one of guest.colliders) wires.drawTree(one, level);
      else if (variant === OURS) wires.drawTree(shape, level);
      else if (trees) drawSpheres(spheres, trees, level);
    };

    const showVariant = (chosen: Variant): void => {
      trees ??= new Variants(shape, room);
      const begin = performance.now();
      const pairs = trees.collide(chosen);
      const took = performance.now() - begin;
      const { counters } = trees;
      const paper = PAPER[name][chosen];
      const size = trees.surroundings(chosen).size / 1e6;
      panel.show('pairs of triangles', pairs.length / 2);
      panel.show('sphere–sphere tests', counters.sphereTests);
      panel.show('triangle–triangle tests', counters.triangleTests);
      panel.show('plane–sphere tests', counters.planeTests);
      panel.show('operations', counters.operations, counters.operations <= paper.operations ? 'good' : 'hit');
      panel.show('MB of the room’s tree', Number(size.toFixed(1)));
      panel.show('milliseconds, with its trees', Number(took.toFixed(2)));
      panel.notes([
        'In the paper, at most, for its own rooms:',
        `${paper.spheres.toLocaleString('en')} sphere–sphere, ${paper.triangles.toLocaleString('en')} triangle–triangle, ${paper.planes.toLocaleString('en')} plane–sphere,`,
        `${paper.operations.toLocaleString('en')} operations, ${paper.megabytes} MB`,
      ]);
    };

    const update = (): void => {
      panel.clear();
      stage.marks.clear();
      lit = 0;
      for (const { partA, partB, pointA } of touching.slice(0, MOST_MARKS)) {
        lit += drawTriangle(stage, surroundings, partB.triangle);
        if (!guest) lit += drawTriangle(stage, shape.mesh, partA.triangle);
        stage.marks.drawPoint(pointA, stage.colour('hit'));
      }
      panel.show('contacts', touching.length, touching.length > 0 ? 'hit' : 'good');
      panel.show('milliseconds, pose and contacts', Number(cost.toFixed(3)));
      if (guest) panel.show('triangles', guest.triangleCount);
      else {
        panel.show('vertices', data.positions.length / 3);
        panel.show('of them skinned', shape.state.work.vertices);
        if (variant !== OURS) showVariant(variant);
      }
      if (complaint !== '') panel.notes([complaint]);
      drawTree();
      stage.invalidate();
    };
    stage.onFrame = (seconds) => {
      step(seconds);
      update();
    };
    step(0);
    return {
      update,
      state: () => ({ room: name, walked, contacts: touching.length, lit, drawn: spheres.count, variant }),
    };
  },
};

/** The avatar as three.js draws it: bones that are put where the joints are. */
function bodyOf(stage: Stage, data: ReturnType<typeof avatarData>) {
  const geometry = geometryOf(data);
  geometry.computeVertexNormals();
  geometry.setAttribute('skinIndex', new THREE.BufferAttribute(Uint16Array.from(data.joints), 4));
  geometry.setAttribute('skinWeight', new THREE.BufferAttribute(Float32Array.from(data.weights), 4));
  const object = new THREE.SkinnedMesh(
    geometry,
    new THREE.MeshStandardMaterial({ color: stage.colour('second'), roughness: 0.7 }),
  );
  object.frustumCulled = false;
  const bones = Array.from(data.parents, () => new THREE.Bone());
  const inverses = bones.map((_, j) => new THREE.Matrix4().fromArray(data.inverseBindMatrices, 16 * j));
  object.bind(new THREE.Skeleton(bones, inverses), new THREE.Matrix4());
  return {
    object,
    pose(pose: Float64Array): void {
      bones.forEach((bone, j) => {
        bone.matrixWorld.fromArray(pose, 16 * j);
      });
    },
  };
}

function drawnRoom(stage: Stage, { positions, index, groups }: Room): THREE.Object3D {
  const tones = ['wall', 'board', 'fine'] as const;
  const geometry = geometryOf({ positions, index });
  for (const { tone, first, count } of groups) geometry.addGroup(3 * first, 3 * count, tones.indexOf(tone));
  const grey = stage.colour('soft');
  const materials = tones.map(
    (_, i) =>
      new THREE.MeshStandardMaterial({
        color: grey.clone().lerp(stage.colour(i === 2 ? 'good' : 'text'), [0.15, 0.35, 0.3][i]!),
        roughness: 1,
        flatShading: true,
        side: i === 2 ? THREE.DoubleSide : THREE.FrontSide,
      }),
  );
  return new THREE.Mesh(geometry, materials);
}

/** How many are drawn: one, or none if there is none. */
function drawTriangle(stage: Stage, { vertices, corners, ids }: Mesh, triangle: number): number {
  if (triangle < 0) return 0;
  const slot = slotOf(ids, triangle);
  const at = [0, 1, 2].map((k) => {
    const v = 3 * corners[3 * slot + k]!;
    return { x: vertices[v]!, y: vertices[v + 1]!, z: vertices[v + 2]! };
  });
  for (let k = 0; k < 3; k++) stage.marks.drawLine(at[k]!, at[(k + 1) % 3]!, stage.colour('hit'));
  return 1;
}

const slots = new WeakMap<Uint32Array, Uint32Array>();

function slotOf(ids: Uint32Array, triangle: number): number {
  let known = slots.get(ids);
  if (!known) {
    known = new Uint32Array(ids.length);
    ids.forEach((id, slot) => {
      known![id] = slot;
    });
    slots.set(ids, known);
  }
  return known[triangle]!;
}

const matrix = new THREE.Matrix4();

/** Those of a level, with the leaves above it. */
function drawSpheres(into: THREE.InstancedMesh, { spheres: tree }: Variants, level: number): void {
  const visit = (node: number, at: number): void => {
    const isLeaf = tree.skip[node] === node + 1;
    if (at === level || isLeaf) {
      if (into.count >= into.instanceMatrix.count) return;
      tree.fit(node);
      const [x, y, z, r] = tree.spheres.subarray(4 * node, 4 * node + 4) as unknown as number[];
      into.setMatrixAt(into.count++, matrix.makeScale(r!, r!, r!).setPosition(x!, y!, z!));
      return;
    }
    for (let child = node + 1; child < tree.skip[node]!; child = tree.skip[child]!) visit(child, at + 1);
  };
  visit(0, 0);
  into.instanceMatrix.needsUpdate = true;
}

/** A rigged model that someone dropped: as tall as the avatar, in its first animation. */
class Guest {
  readonly object = new THREE.Group();
  readonly colliders: readonly ObjectCollider[];
  private readonly mixer: THREE.AnimationMixer;

  constructor(model: THREE.Object3D) {
    const box = new THREE.Box3().setFromObject(model, true);
    const scale = 1.7 / (box.max.y - box.min.y || 1);
    model.scale.multiplyScalar(scale);
    model.position.y -= scale * box.min.y;
    this.object.add(model);
    this.colliders = collidersOf(this.object);
    this.mixer = new THREE.AnimationMixer(model);
    const clip = model.animations.find((one) => /walk/i.test(one.name)) ?? model.animations[0];
    if (clip) this.mixer.clipAction(clip).play();
  }

  get triangleCount(): number {
    return this.colliders.reduce(
      (sum, { shape }) => sum + ('triangleCount' in shape ? shape.triangleCount : 0),
      0,
    );
  }

  move({ x, y, z, heading }: { x: number; y: number; z: number; heading: number }, seconds: number): void {
    this.mixer.update(seconds);
    this.object.position.set(x, y, z);
    this.object.rotation.y = heading;
    this.object.updateMatrixWorld(true);
  }
}
