/**
 * Trees of spheres that follow a skeleton: one for each joint, joined at the extremities and a root. A sphere is moved when a
 * search comes to it, by the least and the most that the vertices below it take of each joint, and no vertex is looked at.
 * Kavan and Žára 2005; Mujika, Oyarzun, Arrieta and Carretero §3.
 *
 * A vertex is at Σ wᵢ Mᵢ v. With the sphere of v about c, and M₀ that of the joint that most is taken of, Σ wᵢ Mᵢ c is
 * M₀ c + Σ wᵢ (Mᵢ c - M₀ c): about the middles of the weights, no farther off than half their spread times |Mᵢ c - M₀ c|. And
 * Mᵢ takes the radius to no more than its largest stretch times that.
 *
 * In production, boxes follow the joints in the same way (`skinned/skin-bounds.ts`): they fit closer.
 */
import { checkPoint, checkSphere, mustBeCoordinate, mustHave, refuse } from '../../math/check.ts';
import { eigenSymmetric, makeEigen } from '../../math/eigen.ts';
import { cos, sin } from '../../math/trig.ts';
import { mat3, type ReadonlyVec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import type { ReadonlySphere, Sphere } from '../../primitives/types.ts';
import { makeSphere } from '../../primitives/types.ts';
import type { SkinnedShape } from '../../skinned/skinned-shape.ts';
import {
  flattenSpheres,
  join,
  reduceNode,
  type SphereNode,
  type SphereTree,
  sphereOfTriangle,
  splitTriangles,
} from './sphere-tree.ts';

/** Of the coordinates: what rounding moves a centre by. */
const ROUNDING = 1e-13;

/** How much of the joints the vertices below a node take. */
interface Share {
  readonly joint: number;
  least: number;
  most: number;
}

/** The tree of a skinned mesh, in whatever pose that is in when it is searched. */
export class SkinnedSpheres implements SphereTree {
  readonly shape: SkinnedShape;
  readonly skip: Uint32Array;
  readonly items: Int32Array;
  /** Right where `fit` has been since the last `begin`. */
  readonly spheres: Float64Array;
  /** How many have been fitted since then. */
  fitted = 0;
  /** As they are before any joint moves. */
  private readonly rest: Float64Array;
  private readonly start: Uint32Array;
  private readonly joints: Uint16Array;
  private readonly least: Float64Array;
  private readonly most: Float64Array;
  /** Joins several joints: around its children. */
  private readonly joins: Uint8Array;
  private readonly stamps: Uint32Array;
  private stamp = 0;
  /** The largest stretch of each joint. */
  private readonly stretch: Float64Array;
  private readonly frames = { last: -1 };

  /** `ratio` as of `quinlanSphereTree`. Linear blending, without morph targets. O(n log² n). */
  constructor(shape: SkinnedShape, ratio = 1) {
    mustHave('SkinnedSpheres', 'shape', shape, 'a skinned mesh', 'skin');
    mustBeCoordinate('SkinnedSpheres', 'ratio', ratio);
    const { skin } = shape;
    if (skin.blending !== 'linear' || skin.morphs.length > 0)
      refuse('SkinnedSpheres', 'shape', 'must blend linearly, without morph targets');
    this.shape = shape;
    const index = new Uint32Array(skin.corners);
    const soup = { positions: skin.positions, index };
    const groups = new Map<number, number[]>();
    for (let t = 0; t < skin.triangleCount; t++) {
      const joint = strongest(shape, t);
      const list = groups.get(joint);
      if (list) list.push(t);
      else groups.set(joint, [t]);
    }
    const joinsOf = new Set<SphereNode>();
    const byJoint = new Map<number, SphereNode>();
    for (const [joint, list] of groups)
      byJoint.set(joint, reduceNode(splitTriangles(soup, list, sphereOfTriangle), ratio));
    const root = joinExtremities(byJoint, skin.parents, joinsOf);
    const order: SphereNode[] = [];
    const list = (node: SphereNode): void => {
      order.push(node);
      node.children.forEach(list);
    };
    list(root);
    const tree = flattenSpheres(root);
    this.skip = tree.skip;
    this.items = tree.items;
    this.rest = tree.spheres;
    this.spheres = tree.spheres.slice();
    this.joins = Uint8Array.from(order, (node) => (joinsOf.has(node) ? 1 : 0));
    this.stamps = new Uint32Array(order.length);
    this.stretch = new Float64Array(skin.jointCount);
    const shares = sharesOf(shape, tree, index);
    this.start = new Uint32Array(order.length + 1);
    shares.forEach((own, node) => {
      own.sort((a, b) => b.least + b.most - a.least - a.most || a.joint - b.joint);
      this.start[node + 1] = this.start[node]! + own.length;
    });
    const all = shares.flat();
    this.joints = Uint16Array.from(all, ({ joint }) => joint);
    this.least = Float64Array.from(all, ({ least }) => least);
    this.most = Float64Array.from(all, ({ most }) => most);
  }

  /** Takes up the pose that the mesh is in. O(joints). */
  begin(): void {
    const { matrices } = this.shape.state;
    if (this.frames.last === this.shape.frame) return;
    this.frames.last = this.shape.frame;
    this.stamp++;
    this.fitted = 0;
    for (let joint = 0; joint < this.stretch.length; joint++)
      this.stretch[joint] = stretchOf(matrices, 12 * joint);
  }

  /** Moves the sphere of a node to where it is in this pose. */
  fit(node: number): void {
    const { stamps, stamp, spheres, rest, start, joints, least, most, stretch } = this;
    if (stamps[node] === stamp) return;
    stamps[node] = stamp;
    this.fitted++;
    if (this.joins[node] === 1) {
      this.fitJoin(node);
      return;
    }
    const { matrices } = this.shape.state;
    const at = 4 * node;
    const x = rest[at]!;
    const y = rest[at + 1]!;
    const z = rest[at + 2]!;
    const first = start[node]!;
    let m = 12 * joints[first]!;
    const ox = matrices[m]! * x + matrices[m + 1]! * y + matrices[m + 2]! * z + matrices[m + 3]!;
    const oy = matrices[m + 4]! * x + matrices[m + 5]! * y + matrices[m + 6]! * z + matrices[m + 7]!;
    const oz = matrices[m + 8]! * x + matrices[m + 9]! * y + matrices[m + 10]! * z + matrices[m + 11]!;
    let cx = ox;
    let cy = oy;
    let cz = oz;
    let off = 0;
    let stretched = stretch[joints[first]!]!;
    for (let i = first + 1; i < start[node + 1]!; i++) {
      m = 12 * joints[i]!;
      const dx = matrices[m]! * x + matrices[m + 1]! * y + matrices[m + 2]! * z + matrices[m + 3]! - ox;
      const dy = matrices[m + 4]! * x + matrices[m + 5]! * y + matrices[m + 6]! * z + matrices[m + 7]! - oy;
      const dz = matrices[m + 8]! * x + matrices[m + 9]! * y + matrices[m + 10]! * z + matrices[m + 11]! - oz;
      const middle = (least[i]! + most[i]!) / 2;
      cx += middle * dx;
      cy += middle * dy;
      cz += middle * dz;
      off += ((most[i]! - least[i]!) / 2) * Math.sqrt(dx * dx + dy * dy + dz * dz);
      stretched = Math.max(stretched, stretch[joints[i]!]!);
    }
    const radius = off + stretched * rest[at + 3]!;
    spheres[at] = cx;
    spheres[at + 1] = cy;
    spheres[at + 2] = cz;
    spheres[at + 3] =
      radius +
      ROUNDING *
        (radius + Math.abs(cx) + Math.abs(cy) + Math.abs(cz) + Math.abs(ox) + Math.abs(oy) + Math.abs(oz));
  }

  /** Around its children, one after the other: the exact sphere around two is cheap. */
  private fitJoin(node: number): void {
    const { skip, spheres } = this;
    const at = 4 * node;
    let radius = -1;
    let x = 0;
    let y = 0;
    let z = 0;
    for (let child = node + 1; child < skip[node]!; child = skip[child]!) {
      this.fit(child);
      const from = 4 * child;
      const r = spheres[from + 3]!;
      const dx = spheres[from]! - x;
      const dy = spheres[from + 1]! - y;
      const dz = spheres[from + 2]! - z;
      const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (d + r <= radius) continue;
      if (radius < 0 || d + radius <= r) {
        x = spheres[from]!;
        y = spheres[from + 1]!;
        z = spheres[from + 2]!;
        radius = r;
        continue;
      }
      const larger = (d + radius + r) / 2;
      const k = (larger - radius) / d;
      x += k * dx;
      y += k * dy;
      z += k * dz;
      radius = larger * (1 + ROUNDING);
    }
    spheres[at] = x;
    spheres[at + 1] = y;
    spheres[at + 2] = z;
    spheres[at + 3] = radius + ROUNDING * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  }

  /** The bytes of the tree and of what moves it. */
  get size(): number {
    const { skip, items, spheres, rest, start, joints, least, most } = this;
    return [skip, items, spheres, rest, start, joints, least, most].reduce(
      (sum, list) => sum + list.byteLength,
      0,
    );
  }
}

function strongest({ skin }: SkinnedShape, t: number): number {
  const sums = new Map<number, number>();
  let best = -1;
  for (let k = 3 * t; k < 3 * t + 3; k++)
    for (let i = skin.start[skin.corners[k]!]!; i < skin.start[skin.corners[k]! + 1]!; i++) {
      const joint = skin.joints[i]!;
      sums.set(joint, (sums.get(joint) ?? 0) + skin.weights[i]!);
      if (best < 0 || sums.get(joint)! > sums.get(best)!) best = joint;
    }
  return best;
}

/** Joints in a row make an extremity, extremities the whole. Without a skeleton, the joints do. */
function joinExtremities(
  byJoint: ReadonlyMap<number, SphereNode>,
  parents: Int32Array | null,
  joins: Set<SphereNode>,
): SphereNode {
  const joined = (nodes: SphereNode[]): SphereNode => {
    if (nodes.length === 1) return nodes[0]!;
    const node = join(nodes);
    joins.add(node);
    return node;
  };
  if (parents === null) return joined([...byJoint.values()]);
  const children: number[][] = Array.from(parents, () => []);
  const roots: number[] = [];
  parents.forEach((parent, joint) => {
    (parent < 0 ? roots : children[parent]!).push(joint);
  });
  const extremity = (first: number): SphereNode[] => {
    const row: SphereNode[] = [];
    let joint = first;
    for (;;) {
      const own = byJoint.get(joint);
      if (own) row.push(own);
      if (children[joint]!.length !== 1) break;
      joint = children[joint]![0]!;
    }
    const all = [...row, ...children[joint]!.flatMap(extremity)];
    return all.length > 0 ? [joined(all)] : [];
  };
  return joined(roots.flatMap(extremity));
}

/** By node, from the leaves up. */
function sharesOf({ skin }: SkinnedShape, { skip, items }: SphereTree, index: Uint32Array): Share[][] {
  const shares: Share[][] = new Array(skip.length);
  for (let node = skip.length - 1; node >= 0; node--) {
    const below: Share[][] = [];
    if (items[node]! >= 0)
      for (let k = 0; k < 3; k++) {
        const vertex = index[3 * items[node]! + k]!;
        const own: Share[] = [];
        for (let i = skin.start[vertex]!; i < skin.start[vertex + 1]!; i++)
          own.push({ joint: skin.joints[i]!, least: skin.weights[i]!, most: skin.weights[i]! });
        below.push(own);
      }
    else for (let child = node + 1; child < skip[node]!; child = skip[child]!) below.push(shares[child]!);
    const merged = new Map<number, Share>();
    for (const own of below)
      for (const { joint, least, most } of own) {
        const known = merged.get(joint);
        if (known) {
          known.least = Math.min(known.least, least);
          known.most = Math.max(known.most, most);
        } else merged.set(joint, { joint, least, most });
      }
    for (const share of merged.values())
      if (below.some((own) => !own.some(({ joint }) => joint === share.joint))) share.least = 0;
    shares[node] = [...merged.values()];
  }
  return shares;
}

const product = mat3();
const eigen = makeEigen();

/** The largest length of the image of a unit vector. */
function stretchOf(m: Float64Array, at: number): number {
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += m[at + 4 * k + i]! * m[at + 4 * k + j]!;
      product.elements[3 * j + i] = sum;
    }
  return Math.sqrt(Math.max(0, eigenSymmetric(product, eigen).values.x)) * (1 + ROUNDING);
}

/** A rotation about an axis by `angle` times any weight from `least` to `most`. */
export interface WeightedRotation {
  readonly axis: ReadonlyVec3;
  readonly pivot: ReadonlyVec3;
  readonly angle: number;
  readonly least: number;
  readonly most: number;
}

/**
 * Around all that a sphere passes when it is rotated: what bounds a sphere where vertices follow one joint each, by a part of its
 * rotation, as in the paper. Its centre moves on an arc. Two spheres at the ends of the arc bound it only while that is no more than
 * half a turn: then it is all of the circle that does.
 */
export function sphereOfArc(
  sphere: ReadonlySphere,
  rotation: WeightedRotation,
  out: Sphere = makeSphere(),
): Sphere {
  checkSphere('sphereOfArc', 'sphere', sphere);
  mustHave('sphereOfArc', 'rotation', rotation, 'a rotation {axis, pivot, angle, least, most}', 'axis');
  const { axis, pivot, angle, least, most } = rotation;
  checkPoint('sphereOfArc', 'rotation.axis', axis);
  checkPoint('sphereOfArc', 'rotation.pivot', pivot);
  mustBeCoordinate('sphereOfArc', 'rotation.angle', angle);
  mustBeCoordinate('sphereOfArc', 'rotation.least', least);
  mustBeCoordinate('sphereOfArc', 'rotation.most', most);
  const length = v3.length(axis);
  if (!(length > 0)) refuse('sphereOfArc', 'rotation.axis', 'must not be zero');
  const n = v3.scale(axis, 1 / length);
  const arm = v3.sub(sphere.center, pivot);
  const along = v3.addScaled(pivot, n, v3.dot(arm, n));
  const u = v3.sub(sphere.center, along);
  const w = v3.cross(n, u);
  const middle = (angle * (least + most)) / 2;
  const half = Math.abs((angle * (most - least)) / 2);
  const { radius } = sphere;
  const reach = v3.length(u);
  const size = v3.length(sphere.center);
  // Half a turn is a quarter to each side: from there on the circle's own middle is the nearest to all of the arc.
  const inward = half < Math.PI / 2 ? cos(half) : 0;
  v3.addScaled(v3.addScaled(along, u, inward * cos(middle)), w, inward * sin(middle), out.center);
  out.radius = (radius + reach * (half < Math.PI / 2 ? sin(half) : 1)) * (1 + ROUNDING) + ROUNDING * size;
  return out;
}
