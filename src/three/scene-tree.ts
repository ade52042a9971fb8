/** The objects of a scene in a tree: a ray meets few of many. */
import type { Intersection, Object3D, Raycaster } from 'three';
import { refuse } from '../math/check.ts';
import type { Aabb } from '../primitives/types.ts';
import { type BoxTree, BoxWalk, buildBoxTree, writeMovedBox } from './box-walk.ts';
import { nameOf } from './geometry.ts';

/** What casts rays at one object. */
export interface ObjectRay {
  readonly object: Object3D;
  /** The box around it in its own space, for what it is now; null if it has no triangles. */
  bounds(): Readonly<Aabb> | null;
  /** As `raycast` of the object. Hits that are farther away than `far` need not be found. */
  cast(raycaster: Raycaster, intersects: Intersection[], far: number): void;
}

/**
 * All that is below an object, in the order of three.js: what has trees of ours, in a tree by the boxes around it; and what has a
 * `raycast` of its own, which is asked each time, together with all that is below that.
 *
 * @internal
 */
export class SceneTree {
  /** Set when something may have moved, or come, or gone. */
  isStale = true;
  private readonly root: Object3D;
  private readonly rayOf: (object: Object3D) => ObjectRay | 'none' | 'own';
  private readonly walk = new BoxWalk();
  private rays: ObjectRay[] = [];
  private others: Object3D[] = [];
  private boxes = new Float64Array(0);
  private tree: BoxTree | null = null;
  /** Those that a ray meets, by their place in the scene. */
  private readonly met: number[] = [];

  /** @param rayOf what to do with an object: it has trees, nothing that could be hit, or a `raycast` of its own */
  constructor(root: Object3D, rayOf: (object: Object3D) => ObjectRay | 'none' | 'own') {
    this.root = root;
    this.rayOf = rayOf;
  }

  /** Adds all hits below the root; with `firstHitOnly` the nearest of them. */
  raycast(raycaster: Raycaster, intersects: Intersection[]): void {
    if (this.isStale) this.refresh();
    const begin = intersects.length;
    if (this.tree) {
      if (raycaster.firstHitOnly) this.castNearest(raycaster, intersects);
      else this.castAll(raycaster, intersects);
    }
    for (const object of this.others) intersectAll(object, raycaster, intersects);
    if (raycaster.firstHitOnly) keepNearest(intersects, begin);
  }

  private castNearest(raycaster: Raycaster, intersects: Intersection[]): void {
    const { walk, rays } = this;
    const { ray, layers } = raycaster;
    const length = ray.direction.length();
    const begin = intersects.length;
    let best = raycaster.far;
    walk.start(this.tree!, ray.origin, ray.direction);
    for (let i = walk.next(best / length); i >= 0; i = walk.next((best / length) * LATE)) {
      const one = rays[i]!;
      if (!one.object.layers.test(layers)) continue;
      one.cast(raycaster, intersects, best);
      keepNearest(intersects, begin);
      if (intersects.length > begin) best = intersects[begin]!.distance;
    }
  }

  /** In the order of the scene: hits at the same distance stay in it when they are sorted. */
  private castAll(raycaster: Raycaster, intersects: Intersection[]): void {
    const { walk, rays, met } = this;
    const { ray, layers, far } = raycaster;
    const limit = (far / ray.direction.length()) * LATE;
    met.length = 0;
    walk.start(this.tree!, ray.origin, ray.direction);
    for (let i = walk.next(limit); i >= 0; i = walk.next(limit)) met.push(i);
    met.sort(ascending);
    for (let k = 0; k < met.length; k++) {
      const one = rays[met[k]!]!;
      if (one.object.layers.test(layers)) one.cast(raycaster, intersects, far);
    }
  }

  /** Looks at all objects; the tree is built again if anything is elsewhere than before. O(n), or O(n log n). */
  private refresh(): void {
    const { boxes: old, rays: before } = this;
    this.rays = [];
    this.others = [];
    this.collect(this.root);
    const boxes = new Float64Array(6 * this.rays.length);
    let same = this.tree !== null && this.rays.length === before.length;
    let n = 0;
    for (const one of this.rays) {
      const bounds = one.bounds();
      if (!bounds) continue;
      boxInWorld(one.object, bounds, boxes, 6 * n);
      this.rays[n++] = one;
    }
    this.rays.length = n;
    for (let i = 0; same && i < 6 * n; i++) same = boxes[i] === old[i];
    for (let i = 0; same && i < n; i++) same = this.rays[i] === before[i];
    this.isStale = false;
    if (same && n === before.length) return;
    this.boxes = boxes.subarray(0, 6 * n);
    this.tree = n > 0 ? buildBoxTree(this.boxes) : null;
  }

  private collect(object: Object3D): void {
    const ray = this.rayOf(object);
    if (ray === 'own') {
      this.others.push(object);
      return;
    }
    if (ray !== 'none') this.rays.push(ray);
    for (const child of object.children) this.collect(child);
  }
}

/** For rounding in times: far more than there is. */
const LATE = 1 + 1e-9;

const ascending = (a: number, b: number): number => a - b;

/** As `Raycaster` itself goes through objects. */
function intersectAll(object: Object3D, raycaster: Raycaster, intersects: Intersection[]): void {
  if (object.layers.test(raycaster.layers)) {
    const result = object.raycast(raycaster, intersects) as unknown;
    if (result === false) return;
  }
  for (const child of object.children) intersectAll(child, raycaster, intersects);
}

/** Of what was added from `begin` on, leaves the nearest, and of equal ones the first. */
function keepNearest(intersects: Intersection[], begin: number): void {
  if (intersects.length <= begin + 1) return;
  let best = intersects[begin]!;
  for (let k = begin + 1; k < intersects.length; k++)
    if (intersects[k]!.distance < best.distance) best = intersects[k]!;
  intersects[begin] = best;
  intersects.length = begin + 1;
}

/** The box in the world around a box that an object moves, larger than that by rounding. */
function boxInWorld(object: Object3D, { min, max }: Readonly<Aabb>, boxes: Float64Array, at: number): void {
  writeMovedBox({ min, max }, object.matrixWorld.elements, 0, boxes, at);
  for (let k = 0; k < 6; k++)
    if (!(Math.abs(boxes[at + k]!) < Infinity))
      refuse(
        'accelerate',
        nameOf(object),
        'has a world matrix that is not finite: look for NaN in the position, quaternion and scale of it and its parents',
      );
}
