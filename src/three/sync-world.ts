/** A world that follows a three.js scene. */
import type { BatchedMesh, InstancedMesh, Layers, Object3D } from 'three';
import { mustBeFunction, mustBeOptions, mustHave, refuseType } from '../math/check.ts';
import type { Shape } from '../shapes/shape.ts';
import type { ColliderOptions } from '../world/collider-record.ts';
import type { World } from '../world/world.ts';
import { type CollidersOfOptions, type LiveCollider, livesOf, type ObjectCollider } from './collider-of.ts';
import { isObject } from './geometry.ts';
import { mustBeSceneOptions } from './mesh-of.ts';
import { batchInternals, isBatch, isInstanced, updateMatrices, visitVisible } from './scene.ts';

export interface SyncWorldOptions extends CollidersOfOptions {
  /** Only objects that are in one of these layers. Default: in any. */
  readonly layers?: Layers | undefined;
  /**
   * How colliders take part in the world: for all, or by object. `data` leads back to the object (an `ObjectCollider`), unless it is
   * given. Default: as `world.add` has it.
   */
  readonly collider?: ColliderOptions | ((object: Object3D) => ColliderOptions) | undefined;
}

/**
 * Puts everything below (and including) an object into a world, and keeps it there: after each `update()` the world has a collider
 * for each mesh and instance of the scene that is visible, where it is now. One call a frame:
 *
 * ```ts
 * const sync = syncWorld(world, scene);
 * function frame() {
 *   // … things move …
 *   sync.update();
 *   const hit = world.raycast(ray);
 *   if (hit) sync.get(hit.id).object;
 * }
 * ```
 */
export function syncWorld(world: World, root: Object3D, options: SyncWorldOptions = {}): WorldSync {
  return new WorldSync(world, root, options);
}

/** The colliders of one object in the world. */
interface Entry {
  readonly lives: LiveCollider[];
  /** In the world; -1 for what is not there, because it is flat. */
  readonly ids: number[];
  /** The update that last met the object. */
  stamp: number;
  /** What the colliders were last read from. */
  readonly matrix: Float64Array;
  instances: unknown;
  version: number;
  count: number;
}

/** A world that follows a scene: made by `syncWorld`. */
export class WorldSync {
  readonly world: World;
  readonly root: Object3D;
  /** What the last update has added to the world, taken out of it, moved, or given another shape. */
  readonly stats = { added: 0, removed: 0, moved: 0, reshaped: 0 };
  private readonly options: SyncWorldOptions;
  private readonly entries = new Map<Object3D, Entry>();
  private readonly byId = new Map<number, LiveCollider>();
  private stamp = 0;

  /** @internal */
  constructor(world: World, root: Object3D, options: SyncWorldOptions) {
    mustHave('syncWorld', 'world', world, 'a World', 'raycast');
    if (!isObject(root)) refuseType('syncWorld', 'root', 'an Object3D of three.js', root);
    mustBeSceneOptions('syncWorld', options, 'invisible filter shape layers collider');
    const { collider, layers } = options;
    if (collider !== undefined && typeof collider !== 'function')
      mustBeOptions('syncWorld', 'options.collider', collider, 'group mask sensor fixed owner uses data');
    if (layers !== undefined) mustBeFunction('syncWorld', 'options.layers.test', layers?.test);
    this.world = world;
    this.root = root;
    this.options = options;
    this.update();
  }

  /**
   * Brings the world up to date with the scene: adds what is new or visible again, takes out what is gone, invisible, or has a
   * scale of 0; moves what has moved; changes shapes where a scale, a geometry (`needsUpdate`), a morph target or the number of
   * instances has changed. Updates the world matrices first. Queries of the world are right at once. O(n) for n objects; instances
   * that have not changed cost nothing.
   */
  update(): void {
    const { root, options, entries, stats } = this;
    const { layers } = options;
    stats.added = stats.removed = stats.moved = stats.reshaped = 0;
    this.stamp++;
    updateMatrices(root);
    visitVisible(root, options, (object) => {
      if (layers === undefined || object.layers.test(layers)) this.updateObject(object);
    });
    for (const [object, entry] of entries) if (entry.stamp !== this.stamp) this.dropEntry(object, entry);
  }

  /** The collider with this number, and with it the object, if it is one of the scene. */
  get(id: number): ObjectCollider | undefined {
    return this.byId.get(id);
  }

  /** The number of the collider of an object, or of one of its instances; undefined if there is none. */
  idOf(object: Object3D, instance = 0): number | undefined {
    const entry = this.entries.get(object);
    if (!entry) return undefined;
    const at = isBatch(object) ? entry.lives.findIndex(({ batchId }) => batchId === instance) : instance;
    const id = entry.ids[at];
    return id === undefined || id < 0 ? undefined : id;
  }

  /** Takes everything out of the world again. */
  dispose(): void {
    for (const [object, entry] of this.entries) this.dropEntry(object, entry);
  }

  private updateObject(object: Object3D): void {
    const { entries } = this;
    let entry = entries.get(object);
    if (entry && isBatch(object) && !hasSameInstances(object, entry)) {
      this.dropEntry(object, entry);
      entry = undefined;
    }
    if (!entry) {
      entry = {
        lives: [],
        ids: [],
        stamp: 0,
        matrix: new Float64Array(16),
        instances: null,
        version: -1,
        count: -1,
      };
      entries.set(object, entry);
    }
    entry.stamp = this.stamp;
    if (isInstanced(object)) this.updateInstances(object, entry);
    else {
      // What draws nothing has none, until it does.
      if (entry.lives.length === 0) entry.lives.push(...livesOf('syncWorld', object, this.options.shape));
      entry.count = entry.lives.length;
      for (let i = 0; i < entry.count; i++) this.updateCollider(entry, i, undefined);
    }
  }

  private updateInstances(object: InstancedMesh, entry: Entry): void {
    const { lives, ids } = entry;
    const { instanceMatrix, count, matrixWorld } = object;
    if (entry.count !== count || entry.instances !== instanceMatrix || lives.length < count) {
      // Those that stay keep their numbers.
      const now = [...livesOf('syncWorld', object, this.options.shape)];
      for (let i = now.length; i < lives.length; i++) this.drop(entry, i);
      for (let i = lives.length; i < now.length; i++) lives.push(now[i]!);
      lives.length = ids.length = now.length;
    }
    const base = lives[0]?.isDrawn() ? lives[0].readBase() : undefined;
    const isSame =
      entry.count === count &&
      entry.instances === instanceMatrix &&
      entry.version === instanceMatrix.version &&
      base === lives[0]?.lastRead &&
      matrixWorld.elements.every((x, i) => x === entry.matrix[i]) &&
      ids.every((id) => id < 0 || this.world.has(id));
    if (!isSame) for (let i = 0; i < lives.length; i++) this.updateCollider(entry, i, base);
    entry.count = count;
    entry.instances = instanceMatrix;
    entry.version = instanceMatrix.version;
    entry.matrix.set(matrixWorld.elements);
  }

  /** One of the colliders of an object. */
  private updateCollider(entry: Entry, i: number, base: Shape | undefined): void {
    const { world, stats } = this;
    const live = entry.lives[i]!;
    const id = entry.ids[i] ?? -1;
    if (!live.isSolid('syncWorld')) {
      this.drop(entry, i);
      return;
    }
    const hasMoved = live.read('syncWorld');
    const before = live.lastShape;
    const shape = live.readShape(base);
    const isPosed = shape.kind === 'skinned' && shape.frame !== live.frame;
    if (shape.kind === 'skinned') live.frame = shape.frame;
    if (id < 0 || !world.has(id)) {
      this.byId.delete(id);
      entry.ids[i] = this.add(live, shape);
      return;
    }
    if (shape !== before) {
      world.change(id, { shape });
      stats.reshaped++;
    } else if (hasMoved || isPosed) {
      world.refresh(id);
      stats.moved++;
    }
  }

  private add(live: LiveCollider, shape: Shape): number {
    const { collider } = this.options;
    const options = typeof collider === 'function' ? collider(live.object) : collider;
    const id = this.world.add({ shape, pose: live.placement.pose }, { data: live, ...options });
    this.byId.set(id, live);
    this.stats.added++;
    return id;
  }

  private drop(entry: Entry, i: number): void {
    const id = entry.ids[i] ?? -1;
    entry.ids[i] = -1;
    if (id < 0) return;
    this.byId.delete(id);
    if (!this.world.has(id)) return;
    this.world.remove(id);
    this.stats.removed++;
  }

  private dropEntry(object: Object3D, entry: Entry): void {
    for (let i = 0; i < entry.ids.length; i++) this.drop(entry, i);
    this.entries.delete(object);
  }
}

/** Are the instances of a batch that are visible the ones that have colliders? */
function hasSameInstances(object: BatchedMesh, { lives }: Entry): boolean {
  const { _instanceInfo: infos } = batchInternals('syncWorld', object);
  let n = 0;
  for (let i = 0; i < infos.length; i++) {
    if (!infos[i]!.visible || !infos[i]!.active) continue;
    if (lives[n]?.batchId !== i) return false;
    n++;
  }
  return n === lives.length;
}
