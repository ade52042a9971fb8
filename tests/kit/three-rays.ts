/**
 * Our intersections against those of three.js's own `Raycaster`, field by field. Where they differ, exact arithmetic has to say
 * that the ray passes within rounding of an edge of the triangle, of its plane, or of the ends of the range.
 */
import type * as THREE from 'three';
import { exact as e } from './index.ts';
import { check, count } from './property.ts';
import type { Rng } from './rng.ts';

type Three = typeof THREE;
type Hit = THREE.Intersection;

/** A raycaster with a ray through something of the scene, as a rule; with layers and a range, now and then. */
export function randomRaycaster(three: Three, rng: Rng, scene: THREE.Object3D): THREE.Raycaster {
  const { Vector3 } = three;
  const meshes: THREE.Mesh[] = [];
  scene.traverse((object) => {
    if ((object as THREE.Mesh).isMesh) meshes.push(object as THREE.Mesh);
  });
  const origin = new Vector3(...Object.values(rng.vec(8)));
  const target = new Vector3(...Object.values(rng.vec(4)));
  if (meshes.length > 0 && rng.chance(0.85)) aim(three, rng, rng.pick(meshes), target);
  const kind = rng.unit();
  if (kind < 0.15) {
    // Along an axis.
    const axis = rng.pick(['x', 'y', 'z'] as const);
    const far = origin[axis];
    origin.copy(target);
    origin[axis] = far;
  } else if (kind < 0.25)
    origin.copy(target).addScaledVector(new Vector3(...Object.values(rng.direction())), 1e-3);
  else if (kind < 0.3) origin.set(Math.round(origin.x), Math.round(origin.y), Math.round(origin.z));
  const direction = target.clone().sub(origin).normalize();
  if (direction.lengthSq() === 0) direction.set(0, 0, 1);
  const raycaster = new three.Raycaster(origin, direction);
  if (rng.chance(0.2)) raycaster.near = rng.range(0, 10);
  if (rng.chance(0.3)) raycaster.far = raycaster.near + rng.range(0, 15);
  if (rng.chance(0.3)) raycaster.layers.set(rng.int(0, 2));
  else raycaster.layers.enableAll();
  return raycaster;
}

const matrixOf = (three: Three, object: THREE.Object3D, id: number | undefined): THREE.Matrix4 => {
  const matrix = new three.Matrix4();
  if (id !== undefined) (object as THREE.InstancedMesh).getMatrixAt(id, matrix);
  return matrix.premultiply(object.matrixWorld);
};

/** A point of a triangle, an edge or a vertex, of an object or an instance. */
function aim(three: Three, rng: Rng, mesh: THREE.Mesh, out: THREE.Vector3): void {
  const { geometry } = mesh;
  const position = geometry.getAttribute('position');
  const { index } = geometry;
  const corners = index ? index.count : position.count;
  const first = 3 * rng.int(0, Math.floor(corners / 3) - 1);
  const weights = rng.pick([
    [1, 0, 0],
    [rng.unit(), rng.unit(), 0],
    [rng.unit(), rng.unit(), rng.unit()],
    [rng.unit(), rng.unit(), rng.unit()],
    [rng.unit(), rng.unit(), rng.unit()],
  ]);
  const sum = weights.reduce((a, b) => a + b, 0) || 1;
  out.set(0, 0, 0);
  weights.forEach((weight, k) => {
    const vertex = index ? index.getX(first + k) : first + k;
    out.addScaledVector(mesh.getVertexPosition(vertex, new three.Vector3()), weight / sum);
  });
  const instanced = mesh as THREE.InstancedMesh;
  const batched = mesh as unknown as { _instanceInfo?: unknown[] };
  const instances = instanced.isInstancedMesh ? instanced.count : (batched._instanceInfo?.length ?? 0);
  const id = instances > 0 ? rng.int(0, instances - 1) : undefined;
  const isLive =
    !batched._instanceInfo || (batched._instanceInfo[id ?? 0] as { active: boolean } | undefined)?.active;
  out.applyMatrix4(matrixOf(three, mesh, isLive ? id : undefined));
}

/** What `raycast` of three.js itself finds, whatever was put in its place. */
export function askThree(raycaster: THREE.Raycaster, root: THREE.Object3D): Hit[] {
  const own = new Map<THREE.Object3D, THREE.Object3D['raycast']>();
  root.traverse((object) => {
    // It would stay where the mesh was when it was first hit.
    if ((object as THREE.SkinnedMesh).isSkinnedMesh)
      (object as { boundingSphere?: unknown }).boundingSphere = null;
    if (!Object.hasOwn(object, 'raycast')) return;
    own.set(object, object.raycast);
    delete (object as Partial<THREE.Object3D>).raycast;
  });
  const hits = raycaster.intersectObject(root, true);
  for (const [object, raycast] of own) object.raycast = raycast;
  // What is not there may be at a distance that is not a number, which leaves the rest in disorder.
  return hits.filter(isThere).sort((p, q) => p.distance - q.distance);
}

/** A draw range, or a group, may end within a triangle: three.js then reads beyond the end of its arrays. */
function isThere({ face, object }: Hit): boolean {
  const { count: vertices } = (object as THREE.Mesh).geometry.getAttribute('position');
  return !face || (face.a < vertices && face.b < vertices && face.c < vertices);
}

const keyOf = ({ object, instanceId, batchId, faceIndex, face, index }: Hit): string =>
  [object.id, instanceId, batchId, faceIndex, face?.a, face?.b, face?.c, face?.materialIndex, index].join();

/** Compares two lists of hits of one ray; throws unless they are the same, but for what rounding leaves open. */
export function compareHits(three: Three, raycaster: THREE.Raycaster, ours: Hit[], theirs: Hit[]): void {
  for (let i = 1; i < ours.length; i++)
    check(ours[i]!.distance >= ours[i - 1]!.distance, 'hits must be in order');
  const left = new Map<string, Hit[]>();
  for (const hit of theirs) left.set(keyOf(hit), [...(left.get(keyOf(hit)) ?? []), hit]);
  for (const hit of ours) {
    const match = left.get(keyOf(hit))?.pop();
    if (match) compareHit(three, raycaster, hit, match);
    else mustBeDoubtful(three, raycaster, hit, 'found by us alone');
  }
  for (const hits of left.values())
    for (const hit of hits) mustBeDoubtful(three, raycaster, hit, 'found by three.js alone');
  count('hits', theirs.length);
}

/** With `firstHitOnly`: of each object the nearest of what three.js finds. */
export function compareFirst(three: Three, raycaster: THREE.Raycaster, ours: Hit[], theirs: Hit[]): void {
  const first = new Map<number, Hit>();
  const isMesh = ({ object }: Hit) => (object as THREE.Mesh).isMesh;
  ours = ours.filter(isMesh);
  for (const hit of theirs.filter(isMesh)) if (!first.has(hit.object.id)) first.set(hit.object.id, hit);
  check(new Set(ours.map(({ object }) => object.id)).size === ours.length, 'one hit for each object');
  for (const hit of ours) {
    const match = first.get(hit.object.id);
    first.delete(hit.object.id);
    if (!match) mustBeDoubtful(three, raycaster, hit, 'first, found by us alone');
    else if (keyOf(match) === keyOf(hit)) compareHit(three, raycaster, hit, match);
    else if (Math.abs(match.distance - hit.distance) > 1e-9 * (1 + hit.distance))
      mustBeDoubtful(
        three,
        raycaster,
        match.distance < hit.distance ? match : hit,
        match.distance < hit.distance ? 'first by three.js alone' : 'first by us alone',
      );
  }
  for (const hit of first.values()) mustBeDoubtful(three, raycaster, hit, 'first, found by three.js alone');
}

/** The triangle of a hit and the ray, in the space of the object or instance. */
function localOf(three: Three, raycaster: THREE.Raycaster, hit: Hit) {
  const mesh = hit.object as THREE.Mesh;
  const matrix = matrixOf(three, mesh, hit.instanceId ?? hit.batchId);
  const ray = raycaster.ray.clone().applyMatrix4(matrix.clone().invert());
  const { a, b, c } = hit.face!;
  const vertices = [a, b, c].map((i) => mesh.getVertexPosition(i, new three.Vector3()));
  return { mesh, matrix, ray, vertices };
}

function compareHit(three: Three, raycaster: THREE.Raycaster, ours: Hit, theirs: Hit): void {
  if (!theirs.face) {
    // Points, which are not ours to find.
    check(ours.distance === theirs.distance && ours.index === theirs.index, 'points');
    return;
  }
  const { vertices, ray, matrix } = localOf(three, raycaster, theirs);
  const [a, b, c] = vertices as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  // How much rounding may do: of the coordinates, along a ray that may be next to parallel, in units of a thin triangle.
  const size = Math.max(...vertices.map((v) => v.length() + v.distanceTo(ray.origin)));
  const slope = Math.abs(ours.face!.normal.dot(ray.direction));
  const area = b.clone().sub(a).cross(c.clone().sub(a)).length();
  // three.js divides by the area that it sees along the ray, from products of coordinates as large as the distance.
  const local = ((1e-13 + (1e-15 * size * size) / area) * size) / slope;
  const growth = Math.max(...matrix.elements.map(Math.abs)) * 3;
  const world = local * growth + 1e-14 * (raycaster.ray.origin.length() + theirs.point.length());
  const longest = Math.max(a.distanceTo(b), b.distanceTo(c), c.distanceTo(a));
  // Of barycentric coordinates, from dot products that lose digits with the square.
  const weight = (local * longest) / area + (1e-15 * longest ** 4) / area ** 2;
  const nearTo = (p: number, q: number, tolerance: number, what: string) =>
    check(Math.abs(p - q) <= tolerance, () => `${what}: ${p}, three.js ${q}, off by more than ${tolerance}`);
  const vector = (p: unknown, q: unknown, tolerance: number, what: string) => {
    check((p === undefined) === (q === undefined), () => `${what}: ${p}, three.js ${q}`);
    if (p === undefined) return;
    const [one, two] = [p, q] as [THREE.Vector3, THREE.Vector3];
    check(one.constructor === two.constructor, () => `${what}: an instance of another class`);
    for (const key of Object.keys(two) as 'x'[]) nearTo(one[key], two[key], tolerance, `${what}.${key}`);
  };
  check(ours.object === theirs.object, 'object');
  nearTo(ours.distance, theirs.distance, world, 'distance');
  vector(ours.point, theirs.point, world, 'point');
  vector(ours.barycoord, theirs.barycoord, weight, 'barycoord');
  vector(ours.uv, theirs.uv, 4 * weight, 'uv');
  vector(ours.uv1, theirs.uv1, 4 * weight, 'uv1');
  // A normal is turned to the side of the ray: it may be at right angles to it.
  if (theirs.normal && Math.abs(theirs.normal.dot(ray.direction)) > 1e-9)
    vector(ours.normal, theirs.normal, 4 * weight, 'normal');
  check((ours.normal === undefined) === (theirs.normal === undefined), 'normal');
  vector(ours.face!.normal, theirs.face!.normal, 1e-15, 'face.normal');
  const fields = (hit: Hit) => Object.keys(hit).sort().join();
  check(fields(ours) === fields(theirs), () => `fields: ${fields(ours)}, three.js ${fields(theirs)}`);
  check(
    Object.keys(ours.face!).sort().join() === Object.keys(theirs.face!).sort().join(),
    'fields of the face',
  );
}

/** The hit is found by one of the two: it has to be next to an edge, the plane, or an end of the range. */
function mustBeDoubtful(three: Three, raycaster: THREE.Raycaster, hit: Hit, what: string): void {
  const { ray, vertices, mesh } = localOf(three, raycaster, hit);
  const { near, far } = raycaster;
  const [a, b, c] = vertices.map((v) => e.qv(v)) as [e.QVec, e.QVec, e.QVec];
  const o = e.qv(ray.origin);
  const d = e.qv(ray.direction);
  const volume = (p: e.QVec, q: e.QVec) => e.toNumber(e.vdot(d, e.vcross(e.vsub(p, o), e.vsub(q, o))));
  const areas = [volume(b, c), volume(c, a), volume(a, b)];
  const total = areas.reduce((x, y) => x + y, 0);
  const normal = e.vcross(e.vsub(b, a), e.vsub(c, a));
  const size = Math.max(...vertices.map((v) => v.distanceTo(ray.origin) + v.length()));
  // Rounding of coordinates, as seen along the ray; those of 32 bits are closed at seams.
  const moved = isAtSeam(three, mesh, vertices) ? 2 ** -20 : 0;
  const rounding = (2 ** -44 + moved) * size * size;
  const height = e.toNumber(e.vdot(normal, e.vsub(a, o)));
  const isNextTo =
    Math.min(...areas.map(Math.abs)) <= rounding ||
    Math.abs(total) <= rounding ||
    Math.abs(height) <= rounding * size ||
    Math.abs(hit.distance - near) <= 1e-12 * (1 + near + size) ||
    Math.abs(hit.distance - far) <= 1e-12 * (1 + far + size);
  if (!isNextTo && what.includes('us alone') && isBeyondSphere(three, raycaster, hit)) {
    check(Math.min(...areas.map((x) => x * Math.sign(total))) > 0, 'it is hit');
    count('missed by three.js, whose bounding sphere is too small');
    return;
  }
  check(
    isNextTo,
    () =>
      `${what}, and not next to an edge: ${keyOf(hit)} at ${hit.distance}; ${areas.join(', ')} of ${size}`,
  );
  count('next to an edge');
}

/**
 * Does three.js look at no triangle, because it takes the largest scale along an axis for how far a matrix stretches a sphere?
 * Where parents are scaled unevenly, and children turned, it stretches farther.
 */
function isBeyondSphere(three: Three, { ray, near, far }: THREE.Raycaster, hit: Hit): boolean {
  const mesh = hit.object as THREE.InstancedMesh;
  const posed = (mesh as unknown as THREE.SkinnedMesh).isSkinnedMesh ? mesh.boundingSphere : null;
  const whole = mesh.isInstancedMesh ? mesh.boundingSphere!.clone().applyMatrix4(mesh.matrixWorld) : null;
  const own = (
    hit.batchId === undefined
      ? (posed ?? mesh.geometry.boundingSphere!).clone()
      : (mesh as unknown as THREE.BatchedMesh).getBoundingSphereAt(
          (mesh as unknown as { _instanceInfo: { geometryIndex: number }[] })._instanceInfo[hit.batchId]!
            .geometryIndex,
          new three.Sphere(),
        )!
  ).applyMatrix4(matrixOf(three, mesh, hit.instanceId ?? hit.batchId));
  if (whole && !ray.intersectsSphere(whole)) return true;
  const from = ray.clone().recast(near);
  const entry = from.intersectSphere(own, new three.Vector3());
  return !own.containsPoint(from.origin) && (!entry || entry.distanceTo(from.origin) > far - near);
}

/** Is a corner of the triangle next to another vertex, but not at the same place? */
function isAtSeam(three: Three, mesh: THREE.Mesh, corners: readonly THREE.Vector3[]): boolean {
  const vertex = new three.Vector3();
  const { count: vertices } = mesh.geometry.getAttribute('position');
  for (let i = 0; i < vertices; i++) {
    mesh.getVertexPosition(i, vertex);
    for (const corner of corners) {
      const gap = vertex.distanceTo(corner);
      if (gap > 0 && gap < 1e-5) return true;
    }
  }
  return false;
}
