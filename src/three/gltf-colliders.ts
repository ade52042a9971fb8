/**
 * Colliders that a glTF file describes: by `KHR_physics_rigid_bodies` with `KHR_implicit_shapes`, by `OMI_physics_body` with
 * `OMI_physics_shape`, by the names of its nodes, or by all that is in it.
 */
import { Group, Matrix4, type Object3D, Mesh as ThreeMesh } from 'three';
import { describe, mustBeBoolean, mustBeOneOf, mustBeOptions, refuse, refuseType } from '../math/check.ts';
import { pose as makePose, quat, vec3 } from '../math/types.ts';
import { compound } from '../shapes/compound.ts';
import { hull } from '../shapes/flat-sided-shapes.ts';
import { capsule, sphere } from '../shapes/round-shapes.ts';
import type { Shape } from '../shapes/shape.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import type { ColliderOptions } from '../world/collider-record.ts';
import { colliderOf, collidersOf, type ObjectCollider } from './collider-of.ts';
import { isObject, nameOf } from './geometry.ts';
import { type NamedCollider, readName } from './gltf-names.ts';
import {
  below,
  entryOf,
  implicitShape,
  isRecord,
  type Json,
  type Location,
  mustBeRecord,
  omiShape,
} from './gltf-shapes.ts';
import { meshOf } from './mesh-of.ts';
import { isSkinned, isTriangles } from './scene.ts';

/** What `GLTFLoader` of three.js gives. */
export interface LoadedGltf {
  readonly scene: Object3D;
  readonly parser: {
    // biome-ignore lint/suspicious/noExplicitAny: as three.js has it
    readonly json: any;
    // biome-ignore lint/suspicious/noExplicitAny: keys are objects, materials and textures
    readonly associations: ReadonlyMap<any, { readonly nodes?: number }>;
    // biome-ignore lint/suspicious/noExplicitAny: as three.js has it
    readonly getDependency: (type: string, index: number) => Promise<any>;
  };
}

export interface GltfCollidersOptions {
  /**
   * Where colliders are looked for. 'extensions': physics extensions. 'names': names of nodes such as `wall_collider`, `UCX_wall`
   * or `wall-col`. 'all': every mesh, for files that hold nothing else, such as `level.collision.glb`. Default: the extensions if
   * the file has some, else the names.
   */
  readonly source?: 'extensions' | 'names' | 'all';
  /** Make what is there for collisions only invisible, by its name. Default: false. */
  readonly hide?: boolean;
}

/** How a body moves: not at all, by animations and scripts, or by a simulation. */
export type GltfMotion = 'static' | 'kinematic' | 'dynamic';

/** A collider of a glTF file: `world.add(collider, options)`. */
export interface GltfCollider {
  /** Follows its node. */
  readonly collider: ObjectCollider;
  /**
   * For `World.add`. A trigger is a `sensor`; what has no motion is `fixed`; the parts of one body have one `owner` and do
   * not meet each other; the `group` is a bit for each filter of the file (1: no filter), the `mask` has the bits of all that it
   * collides with; `data` is the object.
   */
  readonly options: ColliderOptions;
  readonly motion: GltfMotion;
  /** The object that it moves with: the nearest one with a motion; of a compound trigger, that of the whole; else its own. */
  readonly body: Object3D;
  /** The material of the file (friction, restitution), as it is there; null for none. */
  readonly material: Json | null;
}

const CALLER = 'collidersOfGltf';

/**
 * The colliders that a glTF file describes, after `GLTFLoader` has loaded it: `collidersOfGltf(await loader.loadAsync(url))`.
 * Of the scene `gltf.scene`, in the order of its nodes. Nodes may be nested, and scaled: see `colliderOf`. A scale of 0 along all axes
 * switches a collider off.
 *
 * Tapered capsules and cylinders are exact (`convex` shapes). Refused by name: planes without end that have two solid sides or
 * are a strip, since those are no shapes of graze; and whatever the extensions do not allow. A file without any colliders is
 * refused too: a world without walls is seldom meant.
 */
export async function collidersOfGltf(
  gltf: LoadedGltf,
  options: GltfCollidersOptions = {},
): Promise<GltfCollider[]> {
  mustBeGltf(gltf);
  mustBeOptions(CALLER, 'options', options, 'source hide');
  const { source, hide = false } = options;
  if (source !== undefined) mustBeOneOf(CALLER, 'options.source', source, ['extensions', 'names', 'all']);
  mustBeBoolean(CALLER, 'options.hide', hide);
  gltf.scene.updateWorldMatrix(true, true);
  const nodes = nodesOf(gltf);
  const isDescribed = [...nodes.keys()].some((node) =>
    FORMATS.some((format) => format.of(nodeJson(gltf, node))),
  );
  const found =
    source === 'all'
      ? wholeFile(gltf)
      : source === 'names' || (source === undefined && !isDescribed)
        ? namedColliders(gltf, nodes, hide)
        : await describedColliders(gltf, nodes);
  if (found.length === 0)
    refuse(
      CALLER,
      'gltf',
      source === 'all'
        ? 'has no triangles'
        : "describes no colliders: no node has KHR_physics_rigid_bodies or OMI_physics_body, or a name such as 'wall_collider'. " +
            "If all that is in it is there to be collided with, say { source: 'all' }",
    );
  return found;
}

function mustBeGltf(gltf: LoadedGltf): void {
  const { scene, parser } = (gltf ?? {}) as Partial<LoadedGltf>;
  if (!isObject(scene) || !isRecord(parser?.json) || typeof parser.associations?.get !== 'function')
    refuseType(CALLER, 'gltf', 'what GLTFLoader of three.js gives, with its scene and its parser', gltf);
}

/** The objects of the nodes in the scene, by the numbers of the nodes. */
function nodesOf({ scene, parser }: LoadedGltf): Map<number, Object3D> {
  const nodes = new Map<number, Object3D>();
  scene.traverse((object) => {
    const node = parser.associations.get(object)?.nodes;
    if (node !== undefined && !nodes.has(node)) nodes.set(node, object);
  });
  if (nodes.size === 0 && scene.children.length > 0)
    refuse(
      CALLER,
      'gltf.scene',
      'has no node of the file that the loader knows: give the scene that it gave, not a clone of it; of a file with several ' +
        'scenes, three.js knows the nodes of one',
    );
  return nodes;
}

function nodeJson({ parser }: LoadedGltf, node: number): Json {
  const location = { caller: CALLER, path: 'nodes' };
  return mustBeRecord(below(location, node), entryOf(location, parser.json.nodes, node, 'nodes'));
}

// ---- Names and whole files -----------------------------------------------------------------------------------------------

const standing = (collider: ObjectCollider): GltfCollider => ({
  collider,
  options: { fixed: true, data: collider.object },
  motion: 'static',
  body: collider.object,
  material: null,
});

const wholeFile = ({ scene }: LoadedGltf): GltfCollider[] =>
  collidersOf(scene, { invisible: true }).map(standing);

function namedColliders(gltf: LoadedGltf, nodes: Map<number, Object3D>, hide: boolean): GltfCollider[] {
  const found: GltfCollider[] = [];
  for (const [node, object] of nodes) {
    // As it is in the file: three.js takes some characters out of the names of its objects.
    const { name } = nodeJson(gltf, node);
    const named = readName(typeof name === 'string' ? name : object.name);
    if (named === null) continue;
    for (const primitive of primitivesOf(gltf, object))
      for (const collider of collidersOf(primitive, {
        invisible: true,
        filter: (one) => one === primitive,
        shape: () => shapeOfName(named, primitive),
      }))
        found.push(standing(collider));
    if (named.hidden && hide) object.visible = false;
  }
  return found;
}

function shapeOfName({ shape }: NamedCollider, { geometry }: ThreeMesh): Shape | 'mesh' | 'hull' | 'box' {
  if (shape !== 'sphere' && shape !== 'capsule') return shape;
  const { min, max } = meshOf(geometry).bounds;
  const half = [(max.x - min.x) / 2, (max.y - min.y) / 2, (max.z - min.z) / 2] as const;
  const position = vec3((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
  const [, middle, large] = [...half].sort((a, b) => a - b) as [number, number, number];
  // A sphere as large as the box at its largest; a capsule along its longest side, as wide as the next one.
  const made = shape === 'sphere' || middle === large ? sphere(large) : capsule(large - middle, middle);
  const quarter = Math.sqrt(0.5);
  const quaternion =
    half[0] === large
      ? quat(0, 0, quarter, quarter)
      : half[1] === large
        ? quat()
        : quat(quarter, 0, 0, quarter);
  const isCentred = position.x === 0 && position.y === 0 && position.z === 0;
  if (isCentred && (made.kind === 'sphere' || half[1] === large)) return made;
  return compound([{ shape: made, pose: { ...makePose(), position, quaternion } }]);
}

/** The meshes that an object stands for: itself, or those of a glTF mesh of several primitives. */
function primitivesOf({ parser }: LoadedGltf, object: Object3D): ThreeMesh[] {
  if (isTriangles(object)) return [object];
  return object.children.filter(
    (child) => isTriangles(child) && parser.associations.get(child)?.nodes === undefined,
  ) as ThreeMesh[];
}

// ---- Physics extensions --------------------------------------------------------------------------------------------------

/** How an extension says things. */
interface Format {
  readonly extension: string;
  /** The extension of a node, if it has it. */
  readonly of: (node: Json) => unknown;
  readonly motionOf: (location: Location, motion: Json) => GltfMotion;
  /** The shape of a collider or trigger, for an object that has it; null for none. */
  readonly shapeOf: (scope: Scope, location: Location, part: Json) => Promise<Part | null>;
}

/** What is there to be looked up while one file is read. */
interface Scope {
  readonly gltf: LoadedGltf;
  readonly nodes: Map<number, Object3D>;
  readonly object: Object3D;
  /** Shapes by what describes them: one for all nodes. */
  readonly shapes: Map<string, Shape>;
}

type Part = Shape | 'mesh' | 'hull';

const extensionOf =
  (name: string) =>
  (record: Json): unknown =>
    isRecord(record['extensions']) ? record['extensions'][name] : undefined;

const FORMATS: readonly Format[] = [
  {
    extension: 'KHR_physics_rigid_bodies',
    of: extensionOf('KHR_physics_rigid_bodies'),
    motionOf: (_, motion) => (motion['isKinematic'] === true ? 'kinematic' : 'dynamic'),
    shapeOf: khrGeometry,
  },
  {
    extension: 'OMI_physics_body',
    of: extensionOf('OMI_physics_body'),
    motionOf: omiMotion,
    shapeOf: omiPart,
  },
];

function omiMotion({ caller, path }: Location, motion: Json): GltfMotion {
  const { type } = motion;
  if (type !== 'static' && type !== 'kinematic' && type !== 'dynamic')
    refuse(caller, `${path}.type`, `must be 'static', 'kinematic' or 'dynamic', got ${describe(type)}`);
  return type;
}

async function describedColliders(gltf: LoadedGltf, nodes: Map<number, Object3D>): Promise<GltfCollider[]> {
  const found: GltfCollider[] = [];
  const shapes = new Map<string, Shape>();
  for (const [node, object] of nodes)
    for (const format of FORMATS) {
      const extension = format.of(nodeJson(gltf, node));
      if (extension === undefined) continue;
      const location = extensionLocation(node, format);
      const record = mustBeRecord(location, extension);
      for (const role of ['collider', 'trigger'] as const) {
        if (record[role] === undefined) continue;
        const at = below(location, role);
        const part = mustBeRecord(at, record[role]);
        const shape = await format.shapeOf({ gltf, nodes, object, shapes }, at, part);
        if (shape === null || isScaledAway(object)) continue;
        const { owner, body, motion } = bodyOf(gltf, format, object, role === 'trigger');
        const filters = fileFilters(gltf, format);
        found.push({
          collider: colliderOf(object, shape),
          options: {
            sensor: role === 'trigger',
            fixed: motion === 'static',
            owner,
            ...bitsOf(at, filters, part['collisionFilter']),
            data: object,
          },
          motion,
          body,
          material: materialOf(gltf, format, at, part['physicsMaterial']),
        });
      }
    }
  return found;
}

const extensionLocation = (node: number, { extension }: Format): Location => ({
  caller: CALLER,
  path: `nodes[${node}].extensions.${extension}`,
});

/** Is the scale 0 along all axes? That switches a collider off. */
function isScaledAway({ matrixWorld: { elements: e } }: Object3D): boolean {
  return [0, 1, 2, 4, 5, 6, 8, 9, 10].every((i) => e[i] === 0);
}

/**
 * The body that a collider belongs to: the nearest object up the tree that has a motion. A trigger may be named by one further
 * up as a part of a compound.
 */
function bodyOf(
  gltf: LoadedGltf,
  format: Format,
  object: Object3D,
  isTrigger: boolean,
): { owner: number | undefined; body: Object3D; motion: GltfMotion } {
  const own = gltf.parser.associations.get(object)?.nodes;
  let compoundOf: { node: number; object: Object3D } | null = null;
  for (let at: Object3D | null = object; at !== null; at = at.parent) {
    const node = gltf.parser.associations.get(at)?.nodes;
    if (node === undefined) continue;
    const extension = format.of(nodeJson(gltf, node));
    if (!isRecord(extension)) continue;
    const location = extensionLocation(node, format);
    const { motion, trigger } = extension;
    if (isTrigger && isRecord(trigger) && Array.isArray(trigger['nodes']) && trigger['nodes'].includes(own))
      compoundOf = { node, object: at };
    if (motion === undefined) continue;
    const kind = format.motionOf(below(location, 'motion'), mustBeRecord(below(location, 'motion'), motion));
    return { owner: node, body: compoundOf?.object ?? at, motion: kind };
  }
  return { owner: compoundOf?.node, body: compoundOf?.object ?? object, motion: 'static' };
}

/** The field of an extension of the whole file. */
function fileField({ parser }: LoadedGltf, extension: string, field: string): unknown {
  const record = extensionOf(extension)(parser.json);
  return isRecord(record) ? record[field] : undefined;
}

function materialOf(
  gltf: LoadedGltf,
  { extension }: Format,
  location: Location,
  index: unknown,
): Json | null {
  if (index === undefined || index === -1) return null;
  const at = below(location, 'physicsMaterial');
  const where = `extensions.${extension}.physicsMaterials`;
  return mustBeRecord(at, entryOf(at, fileField(gltf, extension, 'physicsMaterials'), index, where));
}

// ---- Filters -------------------------------------------------------------------------------------------------------------

interface CollisionFilter {
  readonly systems: readonly string[];
  /** Those that it collides with; null for all but `not`. */
  readonly only: readonly string[] | null;
  readonly not: readonly string[];
}

const NO_FILTER: CollisionFilter = { systems: [], only: null, not: [] };
/** Bits of a group, less the one for what has no filter. */
const MOST_FILTERS = 31;

/** The filters of a file, behind the one that lets everything through. */
function fileFilters(gltf: LoadedGltf, { extension }: Format): readonly CollisionFilter[] {
  const list = fileField(gltf, extension, 'collisionFilters') ?? [];
  const location = { caller: CALLER, path: `extensions.${extension}.collisionFilters` };
  if (!Array.isArray(list)) refuseType(CALLER, location.path, 'a list', list);
  if (list.length > MOST_FILTERS)
    refuse(CALLER, location.path, `must not have more than ${MOST_FILTERS} entries, got ${list.length}`);
  return [NO_FILTER, ...list.map((filter, i) => readFilter(below(location, i), filter))];
}

function readFilter(location: Location, value: unknown): CollisionFilter {
  const filter = mustBeRecord(location, value);
  const names = (field: string): readonly string[] => {
    const list = filter[field] ?? [];
    if (!Array.isArray(list) || !list.every((name) => typeof name === 'string'))
      refuseType(location.caller, `${location.path}.${field}`, 'a list of names', list);
    return list;
  };
  const only = names('collideWithSystems');
  const not = names('notCollideWithSystems');
  if (only.length > 0 && not.length > 0)
    refuse(location.caller, location.path, 'must not have both collideWithSystems and notCollideWithSystems');
  return { systems: names('collisionSystems'), only: only.length > 0 ? only : null, not };
}

/**
 * Does b let a through? All systems of a must be among those that b collides with, and not all of them among those that it does
 * not. What is in no system meets those only that do not name the systems that they collide with.
 */
function letsThrough({ only, not }: CollisionFilter, { systems }: CollisionFilter): boolean {
  if (only !== null) return systems.length > 0 && systems.every((name) => only.includes(name));
  return systems.length === 0 || !systems.every((name) => not.includes(name));
}

/** A bit for each filter. Two colliders meet if both let each other through, as in a world. */
function bitsOf(
  location: Location,
  filters: readonly CollisionFilter[],
  index: unknown,
): { readonly group: number; readonly mask: number } {
  const own = index === undefined || index === -1 ? 0 : 1 + filterNumber(location, filters, index);
  let mask = 0;
  filters.forEach((other, i) => {
    if (letsThrough(filters[own]!, other)) mask |= 1 << i;
  });
  // Bits that no filter of the file has are the user's own.
  const others = filters.length < 32 ? -1 << filters.length : 0;
  return { group: 1 << own, mask: mask | others };
}

function filterNumber(location: Location, filters: readonly CollisionFilter[], index: unknown): number {
  const at = below(location, 'collisionFilter');
  entryOf(at, filters.slice(1), index, 'collisionFilters');
  return index as number;
}

// ---- Shapes --------------------------------------------------------------------------------------------------------------

function shared(shapes: Map<string, Shape>, key: string, make: () => Shape): Shape {
  const known = shapes.get(key);
  if (known) return known;
  const made = make();
  shapes.set(key, made);
  return made;
}

/** `geometry` of `KHR_physics_rigid_bodies`: a shape of `KHR_implicit_shapes`, or the triangles of a node. */
async function khrGeometry(scope: Scope, location: Location, part: Json): Promise<Part | null> {
  const { gltf, shapes } = scope;
  if (part['geometry'] === undefined) {
    if (Array.isArray(part['nodes'])) return null; // a compound trigger, whose nodes have the shapes
    refuse(location.caller, `${location.path}.geometry`, 'is missing');
  }
  const at = below(location, 'geometry');
  const geometry = mustBeRecord(at, part['geometry']);
  const { shape, node, convexHull = false } = geometry;
  if ((shape === undefined) === (node === undefined))
    refuse(at.caller, at.path, 'must have a shape or a node, and not both');
  mustBeBoolean(at.caller, `${at.path}.convexHull`, convexHull);
  if (shape === undefined) return nodeGeometry(scope, below(at, 'node'), node, convexHull === true);
  const where = 'extensions.KHR_implicit_shapes.shapes';
  const definition = entryOf(
    below(at, 'shape'),
    fileField(gltf, 'KHR_implicit_shapes', 'shapes'),
    shape,
    where,
  );
  const from = below({ caller: at.caller, path: where }, shape as number);
  return shared(shapes, from.path, () => implicitShape(from, definition));
}

/** The triangles of a node and all below it, in its own space. */
async function nodeGeometry(
  scope: Scope,
  location: Location,
  node: unknown,
  convexHull: boolean,
): Promise<Part> {
  const { gltf, nodes, object, shapes } = scope;
  entryOf(location, gltf.parser.json.nodes, node, 'nodes');
  const source =
    nodes.get(node as number) ?? ((await gltf.parser.getDependency('node', node as number)) as Object3D);
  const meshes: ThreeMesh[] = [];
  source.traverse((one) => {
    if (isTriangles(one)) meshes.push(one);
  });
  if (meshes.length === 0)
    refuse(location.caller, location.path, `leads to a node without a mesh (${nameOf(source)})`);
  // Its own triangles, and no others: those follow the geometry, with its morph targets and its skin.
  if (meshes.length === 1 && meshes[0] === object) return convexHull ? 'hull' : 'mesh';
  const mesh = shared(shapes, `nodes[${node}]`, () =>
    meshes.length === 1 && meshes[0] === source && !isSkinned(source)
      ? meshOf((source as ThreeMesh).geometry)
      : mergedMesh(location, source),
  ) as Mesh;
  return convexHull ? shared(shapes, `hull of nodes[${node}]`, () => hull(mesh)) : mesh;
}

/** One mesh of all triangles below an object, in its own space. */
function mergedMesh(location: Location, root: Object3D): Mesh {
  const all = new Group();
  const add = (object: Object3D, matrix: Matrix4): void => {
    if (isTriangles(object)) {
      if (isSkinned(object))
        refuse(
          location.caller,
          location.path,
          `leads to a skinned mesh among others (${nameOf(object)}): name the skinned mesh alone`,
        );
      const copy = object.clone(false);
      copy.matrixAutoUpdate = false;
      copy.matrix.copy(matrix);
      all.add(copy);
    }
    for (const child of object.children) {
      if (child.matrixAutoUpdate) child.updateMatrix();
      add(child, new Matrix4().multiplyMatrices(matrix, child.matrix));
    }
  };
  add(root, new Matrix4());
  return meshOf(all, { invisible: true });
}

/** `shape` of a collider or trigger of `OMI_physics_body`. */
async function omiPart({ gltf, shapes }: Scope, location: Location, part: Json): Promise<Part | null> {
  const { shape } = part;
  if (shape === undefined || shape === -1) return null; // its descendants have the shapes
  const where = 'extensions.OMI_physics_shape.shapes';
  const definition = entryOf(
    below(location, 'shape'),
    fileField(gltf, 'OMI_physics_shape', 'shapes'),
    shape,
    where,
  );
  const from = below({ caller: location.caller, path: where }, shape as number);
  const known = shapes.get(from.path);
  if (known) return known;
  const made = omiShape(from, definition) ?? (await omiMesh(gltf, from, definition as Json));
  shapes.set(from.path, made);
  return made;
}

async function omiMesh(gltf: LoadedGltf, location: Location, definition: Json): Promise<Shape> {
  const kind = definition['type'] as 'convex' | 'trimesh';
  const at = below(below(location, kind), 'mesh');
  const record = definition[kind] === undefined ? {} : mustBeRecord(below(location, kind), definition[kind]);
  entryOf(at, gltf.parser.json.meshes, record['mesh'], 'meshes');
  const loaded = (await gltf.parser.getDependency('mesh', record['mesh'] as number)) as Object3D;
  const primitives = primitivesOf(gltf, loaded);
  if (primitives.length === 0) refuse(at.caller, at.path, 'leads to a mesh without triangles');
  let mesh: Mesh;
  if (primitives.length === 1) mesh = meshOf(primitives[0]!.geometry);
  else {
    const all = new Group();
    for (const { geometry } of primitives) all.add(new ThreeMesh(geometry));
    mesh = meshOf(all);
  }
  return kind === 'convex' ? hull(mesh) : mesh;
}
