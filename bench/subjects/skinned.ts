/**
 * An avatar of 44,345 vertices, each time in a new pose: against three-mesh-bvh, whose trees are refitted, or whose `SkinnedMeshBVH` is. Skinning for
 * its plain tree is a flat loop, which is faster than what users of three.js have.
 */
import { closestPoint, intersects, mesh, raycast, skinned } from 'graze';
import * as THREE from 'three';
import { ExtendedTriangle, MeshBVH, SAH, SkinnedMeshBVH } from 'three-mesh-bvh';
import { avatarData, skinnedPositions, walkPose } from '../../playground/src/avatar/avatar.ts';
import { alongTheWall } from '../../playground/src/avatar/extreme.ts';
import { roomOf } from '../../playground/src/avatar/rooms.ts';
import { type Contender, measure, type Row, report, rng } from '../harness.ts';
import { geometryOf } from '../peers/three-mesh-bvh.ts';

const POSES = 8;
const ROUNDS = 7;
const avatar = avatarData();
const room = roomOf('living room');
const level = mesh(room.positions, room.index);

/** Next to a wall and the floor, larger than itself, without touching them; and through the room, where it touches things. */
const poses = Array.from({ length: POSES }, (_, i) => {
  const phase = i / POSES;
  return walkPose(phase, alongTheWall(avatar, room, phase));
});
const walks = Array.from({ length: POSES }, (_, i) => walkPose(1.7 * i, room.path(i / POSES)));

const ours = skinned(avatar);

/** Its vertices skinned into the geometry, and the tree refitted. */
const flat = (() => {
  const geometry = geometryOf({
    positions: Float32Array.from(avatar.positions),
    index: Uint32Array.from(avatar.index),
  });
  const tree = new MeshBVH(geometry, { strategy: SAH });
  Object.assign(geometry, { boundsTree: tree });
  const position = geometry.getAttribute('position') as THREE.BufferAttribute;
  return {
    geometry,
    tree,
    pose(pose: Float64Array): void {
      (position.array as Float32Array).set(skinnedPositions(avatar, pose));
      tree.refit();
    },
  };
})();

/** As three.js has it. */
const skinnedMesh = (() => {
  const geometry = geometryOf({
    positions: Float32Array.from(avatar.positions),
    index: Uint32Array.from(avatar.index),
  });
  geometry.setAttribute('skinIndex', new THREE.BufferAttribute(Uint16Array.from(avatar.joints), 4));
  geometry.setAttribute('skinWeight', new THREE.BufferAttribute(Float32Array.from(avatar.weights), 4));
  const object = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
  const bones = Array.from({ length: avatar.parents.length }, () => new THREE.Bone());
  const inverses = bones.map((_, j) => new THREE.Matrix4().fromArray(avatar.inverseBindMatrices, 16 * j));
  object.bind(new THREE.Skeleton(bones, inverses), new THREE.Matrix4());
  return {
    object,
    pose(pose: Float64Array): void {
      bones.forEach((bone, j) => {
        bone.matrixWorld.fromArray(pose, 16 * j);
      });
    },
  };
})();
const skinnedTree = new SkinnedMeshBVH(skinnedMesh.object, { strategy: SAH });

const roomGeometry = geometryOf({
  positions: Float32Array.from(room.positions),
  index: Uint32Array.from(room.index),
});
const roomTree = new MeshBVH(roomGeometry, { strategy: SAH });
Object.assign(roomGeometry, { boundsTree: roomTree });
const identity = new THREE.Matrix4();
const [triangleA, triangleB] = [new ExtendedTriangle(), new ExtendedTriangle()];

/** What the types of three-mesh-bvh do not tell of a tree, of a mesh that is skinned or not. */
interface Tree {
  readonly geometry: THREE.BufferGeometry & { readonly index: THREE.BufferAttribute };
  readonly mesh?: THREE.Mesh;
  resolvePrimitiveIndex(i: number): number;
}

/** Sets a triangle of the avatar, as `SkinnedMeshBVH` does, or of the room. */
function setTriangle(triangle: typeof triangleA, tree: object, i: number): void {
  const { geometry, mesh: object } = tree as Tree;
  const corner = 3 * (tree as Tree).resolvePrimitiveIndex(i);
  [triangle.a, triangle.b, triangle.c].forEach((point: THREE.Vector3, k) => {
    const v = geometry.index.getX(corner + k);
    if (object) object.getVertexPosition(v, point);
    else point.fromBufferAttribute(geometry.getAttribute('position'), v);
  });
  triangle.needsUpdate = true;
}

function skinnedMeetsRoom(): boolean {
  return skinnedTree.bvhcast(roomTree, identity, {
    intersectsRanges(from: number, count: number, from2: number, count2: number): boolean {
      for (let i = from; i < from + count; i++) {
        setTriangle(triangleA, skinnedTree, i);
        for (let j = from2; j < from2 + count2; j++) {
          setTriangle(triangleB, roomTree, j);
          if (triangleA.intersectsTriangle(triangleB)) return true;
        }
      }
      return false;
    },
  });
}

const rays = poses.map((pose) => {
  const points = skinnedPositions(avatar, pose);
  const v = 3 * rng.int(0, points.length / 3 - 1);
  const target = new THREE.Vector3(points[v]!, points[v + 1]!, points[v + 2]!);
  const origin = new THREE.Vector3(rng.gauss(), rng.gauss(), rng.gauss()).setLength(3).add(target);
  return new THREE.Ray(origin, target.clone().sub(origin).normalize());
});
const points = rays.map(({ origin, direction }) => origin.clone().addScaledVector(direction, 2.5));

/** What is right: by a fresh mesh of each pose. */
const fresh = (list: readonly Float64Array[]) =>
  list.map((pose) => mesh(skinnedPositions(avatar, pose), avatar.index));

interface Question {
  readonly list: readonly Float64Array[];
  readonly wanted: readonly number[];
}

function contender(
  name: string,
  { list, wanted }: Question,
  ask: (pose: Float64Array, i: number) => number,
): Contender {
  return {
    name,
    run: () => list.reduce((sum, pose, i) => sum + ask(pose, i), 0),
    wrong: () => list.filter((pose, i) => !(Math.abs(ask(pose, i) - wanted[i]!) <= 1e-5)).length,
  };
}

const caster = new THREE.Raycaster() as THREE.Raycaster & { firstHitOnly?: boolean };
caster.firstHitOnly = true;
const none = 1e9;

const rows: Row[] = [];
for (const [title, list] of [
  ['contact, avatar and living room, next to a wall', poses],
  ['contact, avatar and living room, on its way', walks],
] as const) {
  const question = { list, wanted: fresh(list).map((body) => Number(intersects(body, level))) };
  rows.push(
    ...measure({
      title,
      calls: list.length,
      rounds: ROUNDS,
      passes: 1,
      contenders: [
        contender('graze', question, (pose) => {
          ours.pose(pose);
          return Number(intersects(ours, level));
        }),
        contender('three-mesh-bvh, skinned and refitted', question, (pose) => {
          flat.pose(pose);
          return Number(roomTree.intersectsGeometry(flat.geometry, identity));
        }),
        contender('three-mesh-bvh SkinnedMeshBVH', question, (pose) => {
          skinnedMesh.pose(pose);
          skinnedTree.refit();
          return Number(skinnedMeetsRoom());
        }),
      ],
    }),
  );
}

const bodies = fresh(poses);
const hits = {
  list: poses,
  wanted: bodies.map((body, i) => raycast(rays[i]!, body, { solid: false })?.t ?? none),
};
rows.push(
  ...measure({
    title: 'ray after a new pose',
    calls: POSES,
    rounds: ROUNDS,
    passes: 1,
    contenders: [
      contender('graze', hits, (pose, i) => {
        ours.pose(pose);
        return raycast(rays[i]!, ours, { solid: false })?.t ?? none;
      }),
      contender('three-mesh-bvh, skinned and refitted', hits, (pose, i) => {
        flat.pose(pose);
        return flat.tree.raycastFirst(rays[i]!, THREE.DoubleSide)?.distance ?? none;
      }),
      contender('three-mesh-bvh SkinnedMeshBVH', hits, (pose, i) => {
        skinnedMesh.pose(pose);
        skinnedTree.refit();
        caster.ray.copy(rays[i]!);
        const found: THREE.Intersection[] = [];
        skinnedTree.raycastObject3D(skinnedMesh.object, caster, found);
        return found[0]?.distance ?? none;
      }),
      contender('three.js', hits, (pose, i) => {
        skinnedMesh.pose(pose);
        caster.ray.copy(rays[i]!);
        (skinnedMesh.object as { boundingSphere: unknown }).boundingSphere = null; // else it stays where it was
        return caster.intersectObject(skinnedMesh.object)[0]?.distance ?? none;
      }),
    ],
  }),
);

const nearest = {
  list: poses,
  wanted: bodies.map((body, i) => closestPoint(points[i]!, body)!.distance),
};
rows.push(
  ...measure({
    title: 'closest point after a new pose',
    calls: POSES,
    rounds: ROUNDS,
    passes: 1,
    contenders: [
      contender('graze', nearest, (pose, i) => {
        ours.pose(pose);
        return closestPoint(points[i]!, ours)!.distance;
      }),
      contender('three-mesh-bvh, skinned and refitted', nearest, (pose, i) => {
        flat.pose(pose);
        return flat.tree.closestPointToPoint(points[i]!)!.distance;
      }),
    ],
  }),
);

/** Fifty of them in the room, each posed and asked once a frame. */
const crowd = Array.from({ length: 50 }, () => ours.instance());
const frames = Array.from({ length: 4 }, (_, f) =>
  crowd.map((_, i) => walkPose(0.31 * i + 0.05 * f, room.path(i / 50 + 0.002 * f))),
);
rows.push(
  ...measure({
    title: 'a frame of 50 avatars in the living room, contact of each',
    calls: frames.length,
    rounds: ROUNDS,
    passes: 1,
    contenders: [
      {
        name: 'graze',
        run: () =>
          frames.reduce(
            (sum, list) =>
              sum +
              list.reduce((touched, pose, i) => {
                crowd[i]!.pose(pose);
                return touched + Number(intersects(crowd[i]!, level));
              }, 0),
            0,
          ),
      },
    ],
  }),
);
report(rows);
