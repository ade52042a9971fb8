/** What graze knows, drawn into a scene of three.js: shapes, worlds, trees, rays, casts, contacts, characters. */
import { Color, type ColorRepresentation, Group, LineBasicMaterial } from 'three';
import type { DynamicTree } from '../broadphase/dynamic-tree.ts';
import { TreePhase } from '../broadphase/tree-broad-phase.ts';
import type { Character } from '../character/character.ts';
import { BOX, CAPSULE } from '../character/swept-shape.ts';
import { type Motion, makeMotionPhases, poseAlongPhases, readMotionPhases } from '../continuous/motion.ts';
import { supportCore } from '../convex/core.ts';
import {
  checkAabb,
  checkPoint,
  checkRay,
  mustBeBoolean,
  mustBeDistance,
  mustBeLength,
  mustBeList,
  mustBeNumber,
  mustBeOptions,
  mustBeWhole,
  mustHave,
  refuse,
} from '../math/check.ts';
import { transformPoint } from '../math/pose.ts';
import { sincos } from '../math/trig.ts';
import type { ReadonlyPose, ReadonlyVec3, Vec3 } from '../math/types.ts';
import { pose, vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import type { ReadonlyAabb, ReadonlyRay } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { type Body, normalizedPose, poseOf, shapeOf } from '../query/body.ts';
import { mustBeBody } from '../query/check.ts';
import { boundsOfPosed } from '../shapes/bounds.ts';
import type { CastHit, Contact } from '../shapes/results.ts';
import {
  type ConvexShape,
  type FieldShape,
  type HalfSpaceShape,
  isConvexShape,
  type Shape,
  type SimpleShape,
} from '../shapes/shape.ts';
import { boxAt, isEmptyLeaf, isLeaf, linkAt } from '../trees/packed-tree.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import type { ColliderRecord } from '../world/collider-record.ts';
import { World } from '../world/world.ts';
import { FreeLines, InstancedLines, Placement } from './debug-view-lines.ts';
import {
  convexOutline,
  fieldOutline,
  meshOutline,
  type UnitOutline,
  unitOutline,
} from './debug-view-outlines.ts';

/** What is drawn in which colour, unless a call says otherwise. */
export interface DebugColors {
  /** Bodies, and colliders of a world that move. */
  readonly body: ColorRepresentation;
  readonly fixed: ColorRepresentation;
  readonly sensor: ColorRepresentation;
  /** Boxes of a world. */
  readonly box: ColorRepresentation;
  /** Lines between colliders that touch. */
  readonly pair: ColorRepresentation;
  /** Rays and motions that hit nothing. */
  readonly free: ColorRepresentation;
  /** Rays and motions up to what they hit. */
  readonly hit: ColorRepresentation;
  readonly contact: ColorRepresentation;
  readonly normal: ColorRepresentation;
  /** A character, where it went and what it ran into. */
  readonly character: ColorRepresentation;
  readonly velocity: ColorRepresentation;
  readonly floor: ColorRepresentation;
  readonly wall: ColorRepresentation;
  readonly ceiling: ColorRepresentation;
}

const COLORS: DebugColors = {
  body: 0x38bdf8,
  fixed: 0x94a3b8,
  sensor: 0xa78bfa,
  box: 0x475569,
  pair: 0xf472b6,
  free: 0x4ade80,
  hit: 0xfb923c,
  contact: 0xef4444,
  normal: 0xfacc15,
  character: 0x2dd4bf,
  velocity: 0xf8fafc,
  floor: 0x4ade80,
  wall: 0xfb923c,
  ceiling: 0xc084fc,
};

export interface DebugViewOptions {
  /** Is what stands behind other things hidden by them? Default: true. */
  readonly depthTest?: boolean;
  /** From 0 to 1. Default: 1. */
  readonly opacity?: number;
  /** The length of normals. Default: 0.25. */
  readonly normalLength?: number;
  /** Half the size of the marks at points. Default: 0.025. */
  readonly pointSize?: number;
  /** Half the side of the square that stands for the plane of a half-space. Default: 10. */
  readonly planeSize?: number;
  /** Instances, and free segments, that fit before a buffer grows. Default: 256. */
  readonly capacity?: number;
  readonly colors?: Partial<DebugColors>;
}

/** What of a world is drawn. */
export interface DrawWorldOptions {
  /** The shapes of the colliders. Default: true. */
  readonly shapes?: boolean;
  /** The boxes that the broad phase knows them by. Default: false. */
  readonly boxes?: boolean;
  /** Lines between the middles of the boxes of colliders that touched at the last update. Default: false. */
  readonly pairs?: boolean;
}

const ALL_LEVELS = -1;
/** A tree that is deeper begins again with the first colour. */
const LEVEL_COLORS = 12;
/** A body that is cast is drawn that many times from its start to its end. */
const POSES = 4;
/** Paths of what rotates are drawn with that many segments. */
const PATH_STEPS = 32;
/** Lines along a cast body. */
const PATHS = 8;
/** An outline of one shape that is not drawn for so many clears is forgotten. */
const MOST_IDLE = 120;
/** Cosines and sines of PATHS directions. */
const CIRCLE = ((): Float64Array => {
  const list = new Float64Array(2 * PATHS);
  for (let i = 0; i < PATHS; i++) {
    const { sin, cos } = sincos((i * 6.283185307179586) / PATHS);
    list[2 * i] = cos;
    list[2 * i + 1] = sin;
  }
  return list;
})();
const ORIGIN: ReadonlyPose = pose();
const EVERYTHING: DrawWorldOptions = {};

/**
 * Draws what you tell it to, until you clear it: for what moves, call `clear` and draw again each frame; for what stays, draw
 * once, or use a second view. Add it to the scene, at the origin, like any `Object3D`.
 *
 * Shapes of one kind are instances of one outline, all other lines one set of segments: a draw call each, however many there
 * are. Meshes, hulls and shapes of your own have an outline each, made when first drawn. All is written in place: a frame that
 * draws no more than those before allocates nothing (a cast that rotates, and the tree of a world, a kilobyte at most).
 */
export class DebugView extends Group {
  readonly colors: DebugColors;
  normalLength: number;
  pointSize: number;
  planeSize: number;
  private readonly capacity: number;
  private readonly lineMaterial: LineBasicMaterial;
  private readonly instanceMaterial: LineBasicMaterial;
  private lines: FreeLines;
  private readonly units = new Map<UnitOutline, InstancedLines>();
  private readonly outlines = new Map<ConvexShape | FieldShape | Mesh, InstancedLines>();
  private readonly ink = new Color();
  private readonly levelColors: readonly Color[];
  // What one call works with.
  private readonly placement = new Placement();
  private readonly inner = new Placement();
  private readonly child = new Placement();
  private readonly from = vec3(0.5, 0.5, 0.5);
  private readonly to = vec3(0.5, 0.5, 0.5);
  private readonly start = pose();
  private readonly at = pose();
  private readonly capsule: CapsuleSize = { radius: 0.5, halfHeight: 0.5 };
  private readonly phases = makeMotionPhases();
  private readonly aabb = makeAabb();
  private readonly samples: readonly Vec3[] = Array.from({ length: PATHS }, () => vec3(0.5, 0.5, 0.5));
  private readonly before: readonly Vec3[] = this.samples.map(() => vec3(0.5, 0.5, 0.5));
  private level = ALL_LEVELS;
  private stack = new Int32Array(128);

  constructor(options: DebugViewOptions = {}) {
    super();
    const caller = 'DebugView';
    mustBeOptions(
      caller,
      'options',
      options,
      'depthTest opacity normalLength pointSize planeSize capacity colors',
    );
    const { depthTest = true, opacity = 1, capacity = 256, colors = {} } = options;
    const { normalLength = 0.25, pointSize = 0.025, planeSize = 10 } = options;
    mustBeBoolean(caller, 'options.depthTest', depthTest);
    mustBeLength(caller, 'options.opacity', opacity);
    if (opacity > 1) refuse(caller, 'options.opacity', `must be from 0 to 1, got ${opacity}`);
    mustBeLength(caller, 'options.normalLength', normalLength);
    mustBeLength(caller, 'options.pointSize', pointSize);
    mustBeLength(caller, 'options.planeSize', planeSize);
    mustBeWhole(caller, 'options.capacity', capacity, 1, 0x1000000);
    mustBeOptions(caller, 'options.colors', colors, Object.keys(COLORS).join(' '));
    this.name = 'DebugView';
    this.colors = { ...COLORS, ...colors };
    this.normalLength = normalLength;
    this.pointSize = pointSize;
    this.planeSize = planeSize;
    this.capacity = capacity;
    // What nothing hides is drawn last: three.js draws transparent things after all others, and groups by their order.
    const transparent = opacity < 1 || !depthTest;
    if (!depthTest) this.renderOrder = 1;
    const material = { depthTest, opacity, transparent, toneMapped: false, fog: false };
    this.lineMaterial = new LineBasicMaterial({ ...material, vertexColors: true });
    this.instanceMaterial = new LineBasicMaterial(material);
    this.levelColors = Array.from({ length: LEVEL_COLORS }, (_, i) =>
      new Color().setHSL((0.6 + (i * 5) / LEVEL_COLORS) % 1, 0.8, 0.6),
    );
    this.lines = this.makeLines();
  }

  /** Forgets what was drawn. The buffers stay. */
  override clear(): this {
    const { children } = this;
    for (let i = children.length - 1; i >= 0; i--) {
      const lines = children[i]!;
      if (lines instanceof FreeLines) lines.clearLines();
      else if (lines instanceof InstancedLines) {
        lines.clearLines();
        if (lines.shape !== null && lines.idle > MOST_IDLE) this.drop(lines);
      }
    }
    return this;
  }

  /** Frees all buffers and materials. What is drawn after that makes new ones. */
  override dispose(): void {
    for (const lines of [...this.units.values(), ...this.outlines.values(), this.lines]) this.drop(lines);
    this.units.clear();
    this.lines = this.makeLines();
    this.lineMaterial.dispose();
    this.instanceMaterial.dispose();
    this.dispatchEvent({ type: 'dispose' });
  }

  // ---- Points and lines ------------------------------------------------------------------------------------------------

  drawLine(a: ReadonlyVec3, b: ReadonlyVec3, color: ColorRepresentation = this.colors.body): void {
    checkPoint('DebugView.drawLine', 'a', a);
    checkPoint('DebugView.drawLine', 'b', b);
    this.lines.addSegment(a, b, this.ink.set(color));
  }

  /** A mark of `pointSize`. */
  drawPoint(p: ReadonlyVec3, color: ColorRepresentation = this.colors.contact): void {
    checkPoint('DebugView.drawPoint', 'p', p);
    this.ink.set(color);
    this.mark(p);
  }

  /** A stroke of `normalLength` from a point along a unit vector. */
  drawNormal(p: ReadonlyVec3, normal: ReadonlyVec3, color: ColorRepresentation = this.colors.normal): void {
    checkPoint('DebugView.drawNormal', 'p', p);
    checkPoint('DebugView.drawNormal', 'normal', normal);
    this.ink.set(color);
    this.stroke(p, normal, this.normalLength);
  }

  /** The edges of a box along the axes. */
  drawBox(box: ReadonlyAabb, color: ColorRepresentation = this.colors.box): void {
    checkAabb('DebugView.drawBox', 'box', box);
    this.ink.set(color);
    this.placement.setPose(ORIGIN);
    this.addBox(box, this.placement);
  }

  // ---- Bodies ----------------------------------------------------------------------------------------------------------

  /**
   * The outline of a shape or a collider, at the pose that it has now: edges where it has some, of every triangle of a mesh;
   * rings around what is round; of a half-space a square of its plane and its normal.
   */
  drawBody(body: Body, color: ColorRepresentation = this.colors.body): void {
    mustBeBody('DebugView.drawBody', 'body', body);
    this.ink.set(color);
    this.addShape(shapeOf(body), this.placement.setPose(poseOf(body)));
  }

  /** Where bodies touch: a mark on each of the two, a line between them that is as long as the depth, and the normal. */
  drawContacts(contacts: readonly Contact[], color: ColorRepresentation = this.colors.contact): void {
    mustBeList('DebugView.drawContacts', 'contacts', contacts);
    for (let i = 0; i < contacts.length; i++) {
      const contact = contacts[i]!;
      mustHave('DebugView.drawContacts', 'contacts', contact, 'a list of contacts', 'pointA');
      checkPoint('DebugView.drawContacts', 'contacts.pointA', contact.pointA);
      checkPoint('DebugView.drawContacts', 'contacts.pointB', contact.pointB);
      checkPoint('DebugView.drawContacts', 'contacts.normal', contact.normal);
      const { pointA, pointB, normal } = contact;
      this.ink.set(color);
      this.mark(pointA);
      this.mark(pointB);
      this.lines.addSegment(pointA, pointB, this.ink);
      this.ink.set(this.colors.normal);
      this.stroke(pointB, normal, this.normalLength);
    }
  }

  // ---- Rays and casts --------------------------------------------------------------------------------------------------

  /** A ray up to what it hits, with the normal there; one that hits nothing, up to `maxDistance` lengths of its direction. */
  drawRay(ray: ReadonlyRay, hit: CastHit | null = null, maxDistance = 100): void {
    const caller = 'DebugView.drawRay';
    checkRay(caller, 'ray', ray);
    mustBeDistance(caller, 'maxDistance', maxDistance);
    mustBeHit(caller, hit);
    const { origin, direction } = ray;
    const { to } = this;
    if (hit !== null) {
      this.ink.set(this.colors.hit);
      this.lines.addSegment(origin, hit.point, this.ink);
      this.drawHit(hit);
    } else if (maxDistance < Infinity) {
      v3.addScaled(origin, direction, maxDistance, to);
      this.lines.addSegment(origin, to, this.ink.set(this.colors.free));
    }
  }

  /**
   * A body that is cast: where it starts, on the way, and where it ends, at the hit if there is one; the paths of points on its
   * surface; the place where it touches, and the normal there. Of a convex shape that does not rotate, the paths outline all
   * that it passes through.
   */
  drawCast(mover: Body, motion: Motion, hit: CastHit | null = null): void {
    const caller = 'DebugView.drawCast';
    mustBeBody(caller, 'mover', mover);
    mustBeHit(caller, hit);
    const { start, at, phases, placement, colors } = this;
    const shape = shapeOf(mover);
    normalizedPose(poseOf(mover), start);
    readMotionPhases(caller, 'motion', motion, start, phases);
    const end = hit === null ? 1 : hit.t;
    this.ink.set(hit === null ? colors.free : colors.hit);
    for (let i = 0; i <= POSES; i++) {
      poseAlongPhases(start, phases, (end * i) / POSES, at);
      this.addShape(shape, placement.setPose(at));
    }
    this.addPaths(shape, end);
    if (hit !== null) this.drawHit(hit);
  }

  private drawHit({ point, normal }: CastHit): void {
    this.mark(point);
    this.ink.set(this.colors.normal);
    this.stroke(point, normal, this.normalLength);
  }

  /** The paths of some points of a shape along the motion in `phases`, up to a part of it. */
  private addPaths(shape: Shape, end: number): void {
    const { start, at, phases, samples, before, to } = this;
    if (shape.kind === 'halfSpace') return;
    const [{ angle, linear }, { angle: secondAngle }] = phases.phases;
    const isStraight = phases.count === 1 && angle === 0;
    if ('core' in shape) {
      if (isStraight) v3.rotateInverse(linear, start.quaternion, to);
      else v3.set(0, 0, 0, to);
      this.sampleAround(shape, to);
    } else cornersOf(boundsOfPosed(shape, ORIGIN, this.aabb), samples);
    const isTurning = angle !== 0 || (phases.count === 2 && secondAngle !== 0);
    const steps = isStraight ? 1 : isTurning ? PATH_STEPS : 2;
    for (let k = 0; k < PATHS; k++) transformPoint(start, samples[k]!, before[k]!);
    for (let i = 1; i <= steps; i++) {
      poseAlongPhases(start, phases, (end * i) / steps, at);
      for (let k = 0; k < PATHS; k++) {
        transformPoint(at, samples[k]!, to);
        this.lines.addSegment(before[k]!, to, this.ink);
        v3.copy(to, before[k]!);
      }
    }
  }

  /**
   * Takes points of a convex shape, in its own space, for samples: those farthest out in directions at right angles to a motion,
   * where the boundary of all that the shape passes through goes. Without a motion, in directions around y.
   */
  private sampleAround({ core }: ConvexShape, motion: ReadonlyVec3): void {
    const { samples, inner, from, to } = this;
    const { columns: e } = inner;
    const length = v3.length(motion);
    if (length > 0) v3.scale(motion, 1 / length, to);
    else v3.set(0, 1, 0, to);
    inner.setNormal(from, to);
    for (let i = 0; i < PATHS; i++) {
      const c = CIRCLE[2 * i]!;
      const s = CIRCLE[2 * i + 1]!;
      v3.set(c * e[0]! + s * e[6]!, c * e[1]! + s * e[7]!, c * e[2]! + s * e[8]!, from);
      supportCore(core, from, -1, samples[i]!);
      v3.addScaled(samples[i]!, from, core.radius, samples[i]!);
    }
  }

  // ---- Trees -----------------------------------------------------------------------------------------------------------

  /**
   * The boxes of a hierarchy, all or those of one level, 0 being the top; each level in its own colour. Of a mesh or a height
   * field, at the pose of its collider; of a world whose broad phase is a tree; or of a `DynamicTree`.
   */
  drawTree(tree: Body | World | DynamicTree, level = ALL_LEVELS): void {
    const caller = 'DebugView.drawTree';
    mustBeWhole(caller, 'level', level, ALL_LEVELS, 0x7fffffff);
    this.level = level;
    if (typeof tree !== 'object' || tree === null)
      refuse(caller, 'tree', 'must be a mesh, a collider of one, a World or a DynamicTree');
    if (tree instanceof World) {
      const { broadPhase } = tree.colliders;
      if (!(broadPhase instanceof TreePhase))
        refuse(caller, 'tree', 'must be a world whose broad phase is a TreeBroadPhase');
      this.placement.setPose(ORIGIN);
      broadPhase.tree.visitNodes(this.addNode);
    } else if ('visitNodes' in tree) {
      this.placement.setPose(ORIGIN);
      tree.visitNodes(this.addNode);
    } else {
      mustBeBody(caller, 'tree', tree);
      const shape = shapeOf(tree);
      const mesh = shape.kind === 'heightField' || shape.kind === 'skinned' ? shape.mesh : shape;
      if (mesh.kind !== 'mesh')
        refuse(caller, 'tree', `must be a mesh or a height field, got a ${shape.kind}`);
      this.placement.setPose(poseOf(tree));
      this.addMeshTree(mesh);
    }
  }

  /** A field, so that it can be handed to a visit without making a function. */
  private readonly addNode = (box: ReadonlyAabb, level: number): void => {
    if (this.level >= 0 && this.level !== level) return;
    this.ink.copy(this.levelColors[level % LEVEL_COLORS]!);
    this.addBox(box, this.placement);
  };

  private addMeshTree({ tree, bounds: whole }: Mesh): void {
    const { bounds, links, grid } = tree;
    const { aabb } = this;
    const { min, max } = aabb;
    this.addNode(whole, 0);
    let top = 0;
    this.push(top++, 0, 1);
    while (top > 0) {
      top--;
      const node = this.stack[2 * top]!;
      const level = this.stack[2 * top + 1]!;
      if (this.level >= 0 && level > this.level) continue;
      for (let side = 0; side < 2; side++) {
        const link = links[linkAt(node, side)]!;
        if (isEmptyLeaf(link)) continue;
        const box = boxAt(node, side);
        min.x = grid[0]! + bounds[box]! * grid[3]!;
        min.y = grid[1]! + bounds[box + 1]! * grid[4]!;
        min.z = grid[2]! + bounds[box + 2]! * grid[5]!;
        max.x = grid[0]! + bounds[box + 3]! * grid[3]!;
        max.y = grid[1]! + bounds[box + 4]! * grid[4]!;
        max.z = grid[2]! + bounds[box + 5]! * grid[5]!;
        this.addNode(aabb, level);
        if (!isLeaf(link)) this.push(top++, link, level + 1);
      }
    }
  }

  private push(top: number, node: number, level: number): void {
    if (2 * top + 1 >= this.stack.length) {
      const more = new Int32Array(2 * this.stack.length);
      more.set(this.stack);
      this.stack = more;
    }
    this.stack[2 * top] = node;
    this.stack[2 * top + 1] = level;
  }

  // ---- Worlds and characters -------------------------------------------------------------------------------------------

  /** The colliders of a world where it knows them to be; their boxes and pairs, if told to. */
  drawWorld(world: World, options: DrawWorldOptions = EVERYTHING): void {
    const caller = 'DebugView.drawWorld';
    if (!(world instanceof World)) refuse(caller, 'world', 'must be a World');
    if (options !== EVERYTHING) mustBeOptions(caller, 'options', options, 'shapes boxes pairs');
    const { shapes = true, boxes = false, pairs = false } = options;
    mustBeBoolean(caller, 'options.shapes', shapes);
    mustBeBoolean(caller, 'options.boxes', boxes);
    mustBeBoolean(caller, 'options.pairs', pairs);
    const { placement, colors } = this;
    const records = world.colliders.sorted().records;
    for (let i = 0; i < records.length; i++) {
      const { shape, pose: known, fixed, sensor, box } = records[i]!;
      if (shapes) {
        this.ink.set(sensor ? colors.sensor : fixed ? colors.fixed : colors.body);
        this.addShape(shape, placement.setPose(known));
      }
      if (boxes && shape.kind !== 'halfSpace') {
        this.ink.set(colors.box);
        this.addBox(box, placement.setPose(ORIGIN));
      }
    }
    if (pairs) world.pairs.visitTouching(this.addPair);
  }

  private readonly addPair = (a: ColliderRecord, b: ColliderRecord): void => {
    const { from, to } = this;
    if (a.shape.kind === 'halfSpace' || b.shape.kind === 'halfSpace') {
      // It has no middle: the line goes straight to its plane.
      const { shape, pose: at } = a.shape.kind === 'halfSpace' ? a : b;
      middleOf((a.shape.kind === 'halfSpace' ? b : a).box, from);
      const { normal, d } = shape as HalfSpaceShape;
      v3.rotate(normal, at.quaternion, to);
      v3.addScaled(from, to, d - v3.dot(to, from) + v3.dot(to, at.position), to);
    } else {
      middleOf(a.box, from);
      middleOf(b.box, to);
    }
    this.lines.addSegment(from, to, this.ink.set(this.colors.pair));
  };

  /**
   * A character: its shape, its velocity, the path of its last move, and the planes of what stopped that (floor, wall and
   * ceiling in their colours) with their normals.
   */
  drawCharacter(hero: Character): void {
    mustHave('DebugView.drawCharacter', 'hero', hero, 'a Character', 'swept');
    const { placement, colors, from, to } = this;
    const { swept, position, up, velocity, lastMotion, floorNormal, collisions } = hero;
    const { hx, hy, hz, kind, half, radius } = swept;
    this.ink.set(colors.character);
    placement.setNormal(position, up);
    if (kind === CAPSULE) {
      this.capsule.radius = radius;
      this.capsule.halfHeight = half;
      this.addCapsule(placement, this.capsule);
    } else {
      placement.sx = hx;
      placement.sy = hy;
      placement.sz = hz;
      this.unit(kind === BOX ? 'box' : 'sphere').addInstance(placement, this.ink);
    }
    v3.addScaled(position, lastMotion, -1, from);
    this.lines.addSegment(from, position, this.ink);
    this.ink.set(colors.velocity);
    this.stroke(position, velocity, 1);
    if (hero.onFloor) {
      v3.addScaled(position, up, -hy, to);
      this.ink.set(colors.floor);
      this.addPlane(to, floorNormal, hx);
    }
    for (let i = 0; i < collisions.length; i++) {
      const { point, normal, side } = collisions[i]!;
      this.ink.set(side === 'floor' ? colors.floor : side === 'wall' ? colors.wall : colors.ceiling);
      this.mark(point);
      this.addPlane(point, normal, hx);
    }
  }

  /** A piece of a plane, and its normal. */
  private addPlane(at: ReadonlyVec3, normal: ReadonlyVec3, size: number): void {
    const { inner } = this;
    inner.setNormal(at, normal);
    inner.sx = inner.sz = size;
    this.unit('square').addInstance(inner, this.ink);
    this.stroke(at, normal, this.normalLength);
  }

  // ---- Outlines --------------------------------------------------------------------------------------------------------

  private addShape(shape: Shape, placement: Placement): void {
    if (shape.kind === 'compound') {
      const { children } = shape;
      const { child, inner } = this;
      for (let i = 0; i < children.length; i++) {
        const part = children[i]!;
        this.addSimple(part.shape, child.copy(placement).after(inner.setPose(part.pose)));
      }
    } else if (shape.kind === 'halfSpace') this.addHalfSpace(shape, placement);
    else this.addSimple(shape.kind === 'skinned' ? shape.mesh : shape, placement);
  }

  private addSimple(shape: SimpleShape, placement: Placement): void {
    switch (shape.kind) {
      case 'mesh':
        this.outline(shape).addInstance(placement, this.ink);
        break;
      case 'heightField':
        this.outline(shape.mesh).addInstance(placement, this.ink);
        break;
      case 'sdf':
      case 'csg':
      case 'parametric':
      case 'solid':
      case 'levelSet':
        this.outline(shape).addInstance(placement, this.ink);
        break;
      case 'convex':
        // A shape that was stretched has the outline of what it was made from, stretched.
        if (shape.image !== null)
          this.addConvex(shape.image.shape, placement.after(this.inner.setMatrix(shape.image.matrix)));
        else this.outline(shape).addInstance(placement, this.ink);
        break;
      default:
        this.addConvex(shape, placement);
    }
  }

  private addConvex(shape: ConvexShape, placement: Placement): void {
    const { ink } = this;
    switch (shape.kind) {
      case 'point':
        placement.sx = placement.sy = placement.sz = this.pointSize;
        this.unit('point').addInstance(placement, ink);
        return;
      case 'sphere':
        placement.sx = placement.sy = placement.sz = shape.radius;
        this.unit('sphere').addInstance(placement, ink);
        return;
      case 'capsule':
        this.addCapsule(placement, shape);
        return;
      case 'segment':
        this.addSegment(shape.a, shape.b, shape.core, placement);
        return;
      case 'box':
        if (shape.rounding > 0) break;
        placement.sx = shape.halfSize.x;
        placement.sy = shape.halfSize.y;
        placement.sz = shape.halfSize.z;
        this.unit('box').addInstance(placement, ink);
        return;
      case 'cylinder':
      case 'cone':
        if (shape.rounding > 0) break;
        placement.sx = placement.sz = shape.radius;
        placement.sy = shape.halfHeight;
        this.unit(shape.kind).addInstance(placement, ink);
        return;
      case 'ellipsoid':
        if (shape.rounding > 0) break;
        placement.sx = shape.radii.x;
        placement.sy = shape.radii.y;
        placement.sz = shape.radii.z;
        this.unit('sphere').addInstance(placement, ink);
        return;
      default:
        // Corners on a line, or in one place.
        if (shape.faces === null && shape.kind !== 'convex') {
          this.addThin(shape, placement);
          return;
        }
    }
    this.outline(shape).addInstance(placement, ink);
  }

  private addHalfSpace({ normal, d }: HalfSpaceShape, placement: Placement): void {
    const { child, inner, from, to, planeSize } = this;
    from.x = normal.x * d;
    from.y = normal.y * d;
    from.z = normal.z * d;
    child.copy(placement).after(inner.setNormal(from, normal));
    child.sx = child.sz = planeSize;
    this.unit('square').addInstance(child, this.ink);
    const { columns: e } = child;
    v3.set(e[9]!, e[10]!, e[11]!, from);
    v3.set(e[3]!, e[4]!, e[5]!, to);
    this.stroke(from, to, 4 * this.normalLength);
  }

  /** Along y. */
  private addCapsule(placement: Placement, { radius, halfHeight }: CapsuleSize): void {
    const { ink } = this;
    placement.sx = placement.sy = placement.sz = radius;
    placement.shift = halfHeight;
    this.unit('cap').addInstance(placement, ink);
    placement.sy = placement.sz = -radius;
    placement.shift = -halfHeight;
    this.unit('cap').addInstance(placement, ink);
    if (halfHeight === 0) return;
    placement.sy = halfHeight;
    placement.sz = radius;
    placement.shift = 0;
    this.unit('tube').addInstance(placement, ink);
  }

  /** A capsule between any two points. */
  private addSegment(
    a: ReadonlyVec3,
    b: ReadonlyVec3,
    { radius }: { readonly radius: number },
    placement: Placement,
  ): void {
    const { inner, from, to, capsule } = this;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const dz = b.z - a.z;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const scale = length > 0 ? 1 / length : 0;
    to.x = scale * dx;
    to.y = length > 0 ? scale * dy : 1;
    to.z = scale * dz;
    from.x = 0.5 * (a.x + b.x);
    from.y = 0.5 * (a.y + b.y);
    from.z = 0.5 * (a.z + b.z);
    capsule.halfHeight = length / 2;
    capsule.radius = radius;
    this.addCapsule(placement.after(inner.setNormal(from, to)), capsule);
  }

  /** Corners that lie on a line: between the two ends of it. */
  private addThin(shape: ConvexShape, placement: Placement): void {
    const { core } = shape;
    const { from, samples } = this;
    const a = samples[0]!;
    const b = samples[1]!;
    v3.set(core.data[0]!, core.data[1]!, core.data[2]!, from);
    // The corner farthest from any corner is an end; that farthest from it is the other one.
    farthestFrom(core.data, from, a);
    farthestFrom(core.data, a, b);
    this.addSegment(a, b, core, placement);
  }

  private addBox({ min, max }: ReadonlyAabb, placement: Placement): void {
    const { child, inner, from } = this;
    v3.lerp(min, max, 0.5, from);
    inner.setPose(ORIGIN);
    inner.columns[9] = from.x;
    inner.columns[10] = from.y;
    inner.columns[11] = from.z;
    child.copy(placement).after(inner);
    child.sx = 0.5 * (max.x - min.x);
    child.sy = 0.5 * (max.y - min.y);
    child.sz = 0.5 * (max.z - min.z);
    this.unit('box').addInstance(child, this.ink);
  }

  private mark(p: ReadonlyVec3): void {
    const { inner, pointSize } = this;
    inner.setPose(ORIGIN);
    inner.columns[9] = p.x;
    inner.columns[10] = p.y;
    inner.columns[11] = p.z;
    inner.sx = inner.sy = inner.sz = pointSize;
    this.unit('point').addInstance(inner, this.ink);
  }

  private stroke(p: ReadonlyVec3, along: ReadonlyVec3, length: number): void {
    v3.addScaled(p, along, length, this.to);
    this.lines.addSegment(p, this.to, this.ink);
  }

  private unit(kind: UnitOutline): InstancedLines {
    let lines = this.units.get(kind);
    if (lines === undefined) {
      lines = new InstancedLines(unitOutline(kind), this.instanceMaterial, this.capacity, null);
      lines.name = kind;
      this.units.set(kind, lines);
      this.add(lines);
    }
    return lines;
  }

  private outline(shape: ConvexShape | FieldShape | Mesh): InstancedLines {
    let lines = this.outlines.get(shape);
    if (lines === undefined) {
      const geometry =
        shape.kind === 'mesh'
          ? meshOutline(shape)
          : isConvexShape(shape)
            ? convexOutline(shape)
            : fieldOutline(shape);
      lines = new InstancedLines(geometry, this.instanceMaterial, 1, shape);
      lines.name = shape.kind;
      this.outlines.set(shape, lines);
      this.add(lines);
    }
    return lines;
  }

  private drop(lines: FreeLines | InstancedLines): void {
    if (lines instanceof InstancedLines && lines.shape !== null) this.outlines.delete(lines.shape);
    this.remove(lines);
    lines.dispose();
  }

  private makeLines(): FreeLines {
    const lines = new FreeLines(this.lineMaterial, this.capacity);
    lines.name = 'lines';
    this.add(lines);
    return lines;
  }
}

interface CapsuleSize {
  radius: number;
  halfHeight: number;
}

function cornersOf({ min, max }: ReadonlyAabb, corners: readonly Vec3[]): void {
  for (let i = 0; i < corners.length; i++)
    v3.set(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z, corners[i]!);
}

const middleOf = ({ min, max }: ReadonlyAabb, out: Vec3): Vec3 => v3.lerp(min, max, 0.5, out);

function farthestFrom(points: Float64Array, { x, y, z }: ReadonlyVec3, out: Vec3): void {
  let most = -1;
  for (let i = 0; i < points.length; i += 3) {
    const dx = points[i]! - x;
    const dy = points[i + 1]! - y;
    const dz = points[i + 2]! - z;
    const distance = dx * dx + dy * dy + dz * dz;
    if (distance <= most) continue;
    most = distance;
    v3.set(points[i]!, points[i + 1]!, points[i + 2]!, out);
  }
}

function mustBeHit(caller: string, hit: CastHit | null): void {
  if (hit === null) return;
  mustHave(caller, 'hit', hit, 'a hit', 'point');
  mustBeNumber(caller, 'hit.t', hit.t);
  checkPoint(caller, 'hit.point', hit.point);
  checkPoint(caller, 'hit.normal', hit.normal);
}
