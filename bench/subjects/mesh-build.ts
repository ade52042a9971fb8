// runs: knot bunny terrain
import { mesh } from 'graze';
import type { BufferGeometry } from 'three';
import { MeshBVH } from 'three-mesh-bvh';
import { type Contender, measure, type Row, report } from '../harness.ts';
import { type MeshName, meshOfThisRun } from '../meshes.ts';
import * as crashcat from '../peers/crashcat.ts';
import * as joltPeer from '../peers/jolt.ts';
import { makeCollider, type RapierBuild, rapiers } from '../peers/rapier.ts';
import { bvhBytes, geometryOf, STRATEGIES } from '../peers/three-mesh-bvh.ts';

// No collection between the builds, tempting as it is: V8 takes the chance to throw away the code of whoever has not run for
// a while, and everybody starts cold.
const triangles = meshOfThisRun();
const rounds: Record<MeshName, number> = { knot: 9, bunny: 41, dragon: 3, terrain: 3 };
const { positions, index, count } = triangles;

/** It puts the index in order, so that it gets a new one every time. */
function bvh(name: keyof typeof STRATEGIES): Contender {
  let geometry: BufferGeometry;
  return {
    name: `three-mesh-bvh ${name}`,
    before() {
      geometry = geometryOf(triangles);
    },
    run: () => (new MeshBVH(geometry, { strategy: STRATEGIES[name] }).geometry === geometry ? 1 : 0),
  };
}

function rapier(build: RapierBuild): Contender {
  let made: ReturnType<typeof makeCollider> | undefined;
  return {
    name: build.name,
    before() {
      made?.world.free();
    },
    run() {
      made = makeCollider(build, triangles);
      return made.collider.handle;
    },
  };
}

const Jolt = await joltPeer.jolt();
let shape: ReturnType<typeof joltPeer.makeShape> | undefined;
const lists = crashcat.listsOf(triangles);
const [plain, simd] = await rapiers();

const times = measure({
  title: 'build',
  mesh: triangles.title,
  calls: 1,
  rounds: rounds[triangles.name],
  passes: 1,
  contenders: [
    { name: 'graze', run: () => mesh(positions, index).triangleCount },
    bvh('SAH'),
    bvh('CENTER'),
    bvh('AVERAGE'),
    rapier(plain),
    rapier(simd),
    {
      name: 'Jolt',
      before() {
        shape?.Release();
      },
      run() {
        shape = joltPeer.makeShape(Jolt, triangles);
        return shape.GetRefCount();
      },
    },
    { name: 'crashcat SAH', run: () => crashcat.makeShape(lists).volume },
  ],
});

const ours = mesh(positions, index).buffer.byteLength;
const memory = (contender: string, bytes: number): Row => ({
  subject: 'memory a triangle, all in',
  mesh: triangles.title,
  contender,
  nanoseconds: 0,
  bytes: bytes / count,
  ratio: bytes / ours,
  wrong: null,
  calls: 1,
});

report([
  ...times,
  memory('graze', ours),
  memory("three-mesh-bvh SAH (renumbers the user's triangles)", bvhBytes(triangles, false)),
  memory('three-mesh-bvh SAH, indirect', bvhBytes(triangles, true)),
]);
