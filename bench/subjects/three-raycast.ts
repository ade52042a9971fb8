// runs: mesh scene instances
/** `Raycaster` of three.js: by itself, on the trees of three-mesh-bvh, and on ours. */
import { accelerate } from 'graze/three';
import * as THREE from 'three';
import { acceleratedRaycast, MeshBVH, ObjectBVH, SAH } from 'three-mesh-bvh';
import { type Contender, measure, report, rng } from '../harness.ts';
import { makeTriangles } from '../meshes.ts';
import { geometryOf } from '../peers/three-mesh-bvh.ts';

/** An object of its own for each contender: what one puts onto it must not meet another. */
function makeScene(): THREE.Object3D {
  const material = new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
  const scene = new THREE.Group();
  if (run === 'mesh') scene.add(new THREE.Mesh(geometryOf(makeTriangles('bunny')), material));
  else if (run === 'scene') {
    const shapes = [new THREE.TorusKnotGeometry(0.5, 0.2, 100, 16), new THREE.SphereGeometry(0.6, 48, 24)];
    for (let i = 0; i < 1000; i++) {
      const mesh = new THREE.Mesh(shapes[i % 2], material);
      mesh.applyMatrix4(poses[i]!);
      scene.add(mesh);
    }
  } else {
    const mesh = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(0.3, 3), material, 10_000);
    for (let i = 0; i < 10_000; i++) mesh.setMatrixAt(i, poses[i]!);
    scene.add(mesh);
  }
  scene.updateMatrixWorld(true);
  return scene;
}

const run = process.argv[2] ?? 'mesh';
const poses = Array.from({ length: 10_000 }, () =>
  new THREE.Matrix4().compose(
    new THREE.Vector3(rng.range(-10, 10), rng.range(-10, 10), rng.range(-10, 10)),
    new THREE.Quaternion(rng.gauss(), rng.gauss(), rng.gauss(), rng.gauss()).normalize(),
    new THREE.Vector3(1, 1, 1),
  ),
);
const sphere = new THREE.Box3().setFromObject(makeScene(), true).getBoundingSphere(new THREE.Sphere());
const rays = Array.from({ length: run === 'mesh' ? 400 : 200 }, () => {
  const point = (size: number) =>
    new THREE.Vector3(rng.gauss(), rng.gauss(), rng.gauss())
      .setLength(size * sphere.radius)
      .add(sphere.center);
  const origin = point(1.5);
  return new THREE.Ray(origin, point(0.4).sub(origin).normalize());
});

type Ask = (raycaster: THREE.Raycaster) => THREE.Intersection[];

function contender(name: string, first: boolean, ask: Ask): Contender {
  const raycaster = new THREE.Raycaster() as THREE.Raycaster & { firstHitOnly?: boolean };
  raycaster.firstHitOnly = first;
  const answer = (i: number) => {
    raycaster.ray.copy(rays[i]!);
    return ask(raycaster);
  };
  return {
    name,
    run() {
      let sum = 0;
      for (let i = 0; i < rays.length; i++) sum += answer(i)[0]?.distance ?? 0;
      return sum;
    },
    // By three.js itself; of all hits also how many.
    wrong() {
      let wrong = 0;
      for (let i = 0; i < rays.length; i++) {
        const hits = answer(i);
        const wanted = truth[i]!;
        const off = Math.abs((hits[0]?.distance ?? 0) - (wanted[0]?.distance ?? 0));
        if (off > 1e-6 * sphere.radius || (!first && hits.length !== wanted.length)) wrong++;
      }
      return wrong;
    },
  };
}

const alone = makeScene();
const askAlone: Ask = (raycaster) => raycaster.intersectObject(alone);
const truth = rays.map((ray) => askAlone(new THREE.Raycaster(ray.origin, ray.direction)));

function graze(first: boolean, sceneTree: boolean): Contender {
  const scene = makeScene();
  accelerate(scene as never, { sceneTree });
  return contender(`graze${sceneTree ? ', tree of the scene' : ''}`, first, (raycaster) =>
    raycaster.intersectObject(scene),
  );
}

/** What `Mesh.prototype.raycast = acceleratedRaycast` does, without touching what three.js alone has. */
function bvh(first: boolean): Contender {
  const scene = makeScene();
  giveTrees(scene);
  scene.traverse((object) => {
    const mesh = object as THREE.InstancedMesh;
    if (!mesh.isMesh) return;
    mesh.raycast = mesh.isInstancedMesh ? castInstances : acceleratedRaycast;
  });
  return contender('three-mesh-bvh', first, (raycaster) => raycaster.intersectObject(scene));
}

/** As `InstancedMesh.raycast` goes through the instances. */
function castInstances(
  this: THREE.InstancedMesh,
  raycaster: THREE.Raycaster,
  intersects: THREE.Intersection[],
): void {
  proxy.geometry = this.geometry;
  proxy.material = this.material;
  for (let i = 0; i < this.count; i++) {
    this.getMatrixAt(i, proxy.matrixWorld);
    proxy.matrixWorld.premultiply(this.matrixWorld);
    found.length = 0;
    acceleratedRaycast.call(proxy, raycaster, found);
    for (const hit of found) {
      hit.object = this;
      hit.instanceId = i;
      intersects.push(hit);
    }
  }
}
const proxy = new THREE.Mesh();
const found: THREE.Intersection[] = [];

function giveTrees(scene: THREE.Object3D): void {
  scene.traverse((object) => {
    const geometry = (object as THREE.Mesh).geometry as
      | (THREE.BufferGeometry & { boundsTree?: unknown })
      | undefined;
    if (geometry && !geometry.boundsTree) geometry.boundsTree = new MeshBVH(geometry, { strategy: SAH });
  });
}

/** Its tree over objects and instances, whose meshes have trees of their own. */
function objectBvh(first: boolean): Contender {
  const scene = makeScene();
  giveTrees(scene);
  scene.traverse((object) => {
    if ((object as THREE.Mesh).isMesh && !(object as THREE.InstancedMesh).isInstancedMesh)
      object.raycast = acceleratedRaycast;
  });
  const tree = new ObjectBVH(scene, { strategy: SAH });
  return contender('three-mesh-bvh ObjectBVH', first, (raycaster) => {
    const hits: THREE.Intersection[] = [];
    tree.raycast(raycaster, hits);
    return hits.sort((p, q) => p.distance - q.distance);
  });
}

const title = {
  mesh: 'a mesh of 69,451 triangles',
  scene: '1,000 objects',
  instances: '10,000 instances',
}[run];
const rows = [true, false].flatMap((first) =>
  measure({
    title: `Raycaster, ${first ? 'first hit' : 'all hits'}, ${title}`,
    calls: rays.length,
    rounds: { mesh: 41, scene: 15, instances: 7 }[run]!,
    passes: 1,
    contenders: [
      ...(run === 'scene' ? [graze(first, true)] : []),
      graze(first, false),
      bvh(first),
      ...(run === 'mesh' ? [] : [objectBvh(first)]),
      // The oracle does not judge itself.
      { name: 'three.js', run: contender('three.js', first, askAlone).run },
    ],
  }),
);
report(rows);
