/**
 * One pose of a skinned mesh, worked out where queries come to it: a mesh whose boxes follow the joints without a look at the
 * vertices (see `SkinBounds`), and whose vertices are skinned leaf by leaf. What has been worked out is kept until the next
 * pose, by stamps.
 */
import { EPS64 } from '../math/float.ts';
import { mustBeInRange } from '../math/size-range.ts';
import type { ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyAabb } from '../primitives/types.ts';
import { makeAabb } from '../primitives/types.ts';
import { extentOf, fineTriangles, fitPacked } from '../trees/pack-build.ts';
import {
  boxAt,
  isLeaf,
  leafEnd,
  leafFirst,
  linkAt,
  MAX_DEPTH,
  nodeAt,
  nodeNumber,
  type PackedTree,
} from '../trees/packed-tree.ts';
import { derivedOf } from '../trimesh/derived.ts';
import { FAMILY, KERNELS } from '../trimesh/family-key.ts';
import { type LiveTree, largestOf, layOut, type Mesh } from '../trimesh/mesh.ts';
import { DualQuaternions } from './dual-quaternions.ts';
import type { Skin } from './skin.ts';

/** Of the sizes that take part: what rounding moves a vertex or the side of a box by. */
const ROUNDING = 64 * EPS64;
/** Steps of the grid that boxes are larger by, on each side: searches count on 1/32. */
const WIDER = 1 / 16;
/** How much finer the grid is across something flat, at most. */
const FLATTEST = 16;
/** Steps that the search for the nearest triangle sees, at least: see `searchNearest`. */
const SEEN = (1 << 25) - (1 << 17);
/** Steps of the grid that searches look around themselves. */
const AROUND = 2;
/** Of the speed: what is slower along an axis is taken as so fast. */
const SLOW = 1e-12;
/** Of a distance: what is nearer is not lost to rounding. */
const FARTHER = 1 + 1e-9;
/** Joints whose dual quaternions have at least this share in common are near each other. */
const NEAR = 1 / 8;
/** The boundary of a surface that has one somewhere. */
const OPEN = new Float64Array(6);
const CLOSED = new Float64Array(0);

// Of the walks, which run no code of a user.
const pending = new Int32Array(MAX_DEPTH + 2);
const pendingAt = new Float64Array(MAX_DEPTH + 2);
const pair = new Float64Array(2);

/** A pose, and what has been worked out for it so far. */
export class SkinPose implements LiveTree {
  readonly skin: Skin;
  /** Twelve numbers a joint: three rows of four, from where a vertex is before to where the joint takes it. Then those of pairs. */
  readonly matrices: Float64Array;
  readonly morphWeights: Float64Array;
  /** Queries that are under way: they keep this pose. */
  users = 0;
  /** What has this stamp is of this pose. */
  private stamp = 1;
  private readonly nodeStamps: Uint32Array;
  private readonly vertexStamps: Uint32Array;
  private readonly tree: PackedTree;
  private readonly vertices: Float64Array;
  private readonly surface: Mesh;
  private readonly box = new Float64Array(6);
  /** Of a slot, before joints move it, with the morph targets: the middle and half the size. */
  private readonly rest = new Float64Array(6);
  private readonly dual: DualQuaternions | null;
  /** Of the nodes that join the joints, before there is a grid: twelve numbers a node. */
  private readonly topBoxes: Float64Array;
  /** The stamp for which the whole has its box. */
  private measured = 0;
  private rounding = 0.5;
  private whole: Mesh | null = null;
  /** What the queries have worked out since the pose was taken over. */
  readonly work = { slots: 0, vertices: 0 };

  constructor(skin: Skin) {
    const { tree, jointCount, vertexCount, triangleCount, corners, ids } = skin;
    this.skin = skin;
    const { products } = skin;
    this.matrices = new Float64Array(12 * (jointCount + (products === null ? 0 : products.pairs.length / 2)));
    for (let at = 0; at < 12 * jointCount; at += 12) {
      this.matrices[at] = 1;
      this.matrices[at + 5] = 1;
      this.matrices[at + 10] = 1;
    }
    this.dual = products === null ? null : new DualQuaternions(jointCount, products);
    this.dual?.set(this.matrices);
    this.morphWeights = new Float64Array(skin.morphs.length);
    this.nodeStamps = new Uint32Array(tree.nodeCount);
    this.vertexStamps = new Uint32Array(vertexCount);
    this.vertices = new Float64Array(3 * vertexCount);
    this.topBoxes = new Float64Array(12 * skin.topCount);
    const links = tree.links.slice();
    this.tree = {
      nodeCount: tree.nodeCount,
      bounds: new Uint16Array(links.buffer),
      links,
      grid: new Float64Array(6),
    };
    this.surface = {
      kind: 'mesh',
      triangleCount,
      givenCount: triangleCount,
      bounds: makeAabb(),
      buffer: links.buffer,
      tree: this.tree,
      vertices: this.vertices,
      corners,
      ids,
      live: this,
      [FAMILY]: null,
      [KERNELS]: null,
    };
    const derived = derivedOf(this.surface);
    derived.boundary = skin.isClosed ? CLOSED : OPEN;
    derived.parts = skin.parts;
  }

  /** Takes the pose over. Nothing is skinned before it is asked for. O(joints). */
  set(jointMatrices: ArrayLike<number>, morphWeights: ArrayLike<number> | undefined): void {
    const { matrices, skin } = this;
    for (let joint = 0; joint < skin.jointCount; joint++)
      multiplyJoint(jointMatrices, skin.inverseBind, joint, matrices, 12 * joint);
    this.dual?.set(matrices);
    if (morphWeights === undefined) this.morphWeights.fill(0);
    else this.morphWeights.set(morphWeights);
    this.renew();
  }

  /** As another one. */
  copy({ matrices, dual, morphWeights }: SkinPose): void {
    this.matrices.set(matrices);
    if (dual !== null) this.dual?.copy(dual);
    this.morphWeights.set(morphWeights);
    this.renew();
  }

  private renew(): void {
    this.whole = null;
    this.work.slots = 0;
    this.work.vertices = 0;
    if (this.stamp === 0xffffffff) {
      this.stamp = 0;
      this.nodeStamps.fill(0);
      this.vertexStamps.fill(0);
    }
    this.stamp++;
  }

  /** The surface, as far as searches of it ask for it: see `LiveTree`. */
  get mesh(): Mesh {
    if (this.measured !== this.stamp) this.measure();
    return this.surface;
  }

  /** A box around it all. No vertex is looked at: it may be larger than it need be. */
  get bounds(): ReadonlyAabb {
    return this.mesh.bounds;
  }

  /** The boxes of the joints, and the grid for all others. */
  private measure(): void {
    const { skin, tree, topBoxes: top, box, stamp, nodeStamps } = this;
    const { topCount } = skin;
    const { links } = tree;
    this.setRounding();
    for (let node = topCount - 1; node >= 0; node--)
      for (let side = 0; side < 2; side++) {
        const link = links[linkAt(nodeAt(node), side)]!;
        const to = 12 * node + 6 * side;
        if (!isLeaf(link) && nodeNumber(link) < topCount) {
          const from = 12 * nodeNumber(link);
          for (let k = 0; k < 3; k++) {
            top[to + k] = Math.min(top[from + k]!, top[from + 6 + k]!);
            top[to + 3 + k] = Math.max(top[from + 3 + k]!, top[from + 9 + k]!);
          }
        } else {
          this.fitSlot(2 * node + side);
          for (let k = 0; k < 6; k++) top[to + k] = box[k]!;
        }
      }
    const { min, max } = this.surface.bounds;
    min.x = Math.min(top[0]!, top[6]!);
    min.y = Math.min(top[1]!, top[7]!);
    min.z = Math.min(top[2]!, top[8]!);
    max.x = Math.max(top[3]!, top[9]!);
    max.y = Math.max(top[4]!, top[10]!);
    max.z = Math.max(top[5]!, top[11]!);
    mustBeInRange(
      'skinned',
      'the largest coordinate of the pose',
      largestOf([...values(min), ...values(max)]),
    );
    // What is flat has steps, too: the search for the nearest triangle sees no more than 2^25 of them.
    const least = Math.max(max.x - min.x, max.y - min.y, max.z - min.z) / 65536 / FLATTEST;
    this.setGrid(0, min.x, max.x, least);
    this.setGrid(1, min.y, max.y, least);
    this.setGrid(2, min.z, max.z, least);
    for (let node = 0; node < topCount; node++) {
      for (let side = 0; side < 2; side++) {
        for (let k = 0; k < 6; k++) box[k] = top[12 * node + 6 * side + k]!;
        this.storeBox(boxAt(nodeAt(node), side));
      }
      nodeStamps[node] = stamp;
    }
    this.measured = stamp;
  }

  private setGrid(axis: 0 | 1 | 2, low: number, high: number, least: number): void {
    const { grid } = this.tree;
    const rounding = 256 * EPS64 * Math.max(Math.abs(low), Math.abs(high));
    // Two steps beside it on each side.
    const step = Math.max((high - low) / 65531, least, rounding, 1e-290);
    grid[axis] = low - 2 * step;
    grid[axis + 3] = step;
  }

  /** What rounding may move a vertex by, or the side of a box. */
  private setRounding(): void {
    const { matrices, skin } = this;
    let most = 0;
    for (let at = 0; at < matrices.length; at++) most = Math.max(most, Math.abs(matrices[at]!));
    let reach = skin.reach + 1;
    for (let m = 0; m < skin.morphs.length; m++)
      reach += Math.abs(this.morphWeights[m]!) * skin.morphReach[m]!;
    this.rounding = ROUNDING * most * reach;
    // Dual quaternions are divided by no less than 1/n², and by shares no less than 1/8.
    if (skin.products !== null) this.rounding *= 8 * skin.products.most * skin.products.most;
  }

  /** Writes to `box` what bounds the vertices below a slot. */
  private fitSlot(slot: number): void {
    const { start } = this.skin.slots;
    if (start[slot] === start[slot + 1])
      this.box.fill(Infinity, 0, 3).fill(-Infinity, 3); // an empty leaf
    else {
      this.morphSlot(slot);
      if (this.dual === null) this.fitLinear(slot);
      else this.fitDual(slot, this.dual);
    }
  }

  private morphSlot(slot: number): void {
    const { morphWeights, rest } = this;
    const { boxes, morphStart, morphs, morphBoxes } = this.skin.slots;
    const from = 6 * slot;
    for (let k = 0; k < 6; k++) rest[k] = boxes[from + k]!;
    for (let i = morphStart[slot]!; i < morphStart[slot + 1]!; i++) {
      const by = morphWeights[morphs[i]!]!;
      const size = Math.abs(by);
      for (let k = 0; k < 3; k++) {
        rest[k]! += by * morphBoxes[6 * i + k]!;
        rest[k + 3]! += size * morphBoxes[6 * i + 3 + k]!;
      }
    }
  }

  private fitLinear(slot: number): void {
    const { matrices, rest, box, rounding } = this;
    const { start, joints, least, most } = this.skin.slots;
    const cx = rest[0]!;
    const cy = rest[1]!;
    const cz = rest[2]!;
    const hx = rest[3]!;
    const hy = rest[4]!;
    const hz = rest[5]!;
    const first = start[slot]!;
    const end = start[slot + 1]!;
    for (let row = 0; row < 3; row++) {
      let at = 12 * joints[first]! + 4 * row;
      let a = matrices[at]!;
      let b = matrices[at + 1]!;
      let c = matrices[at + 2]!;
      let middle = a * cx + b * cy + c * cz + matrices[at + 3]!;
      let half = Math.abs(a) * hx + Math.abs(b) * hy + Math.abs(c) * hz;
      const low0 = middle - half;
      const high0 = middle + half;
      let lowest = low0;
      let highest = high0;
      let low = low0;
      let high = high0;
      for (let i = first + 1; i < end; i++) {
        at = 12 * joints[i]! + 4 * row;
        a = matrices[at]!;
        b = matrices[at + 1]!;
        c = matrices[at + 2]!;
        middle = a * cx + b * cy + c * cz + matrices[at + 3]!;
        half = Math.abs(a) * hx + Math.abs(b) * hy + Math.abs(c) * hz;
        const down = middle - half - low0;
        const up = middle + half - high0;
        const p = least[i]!;
        const q = most[i]!;
        low += down < 0 ? q * down : p * down;
        high += up > 0 ? q * up : p * up;
        lowest = Math.min(lowest, low0 + down);
        highest = Math.max(highest, high0 + up);
      }
      box[row] = Math.max(low, lowest) - rounding;
      box[row + 3] = Math.min(high, highest) + rounding;
    }
  }

  /**
   * As `fitLinear`, with pairs of joints as joints, and a denominator D: a coordinate of a vertex is that of the first joint, plus
   * the sum of how much higher nᵢⱼ is than gᵢⱼ times that, by the product of the weights and 1/D (see `dual-quaternions.ts`).
   */
  private fitDual(slot: number, { shares, isDoubtful }: DualQuaternions): void {
    const { matrices, rest, box, rounding, skin } = this;
    const { start, joints, least, most } = skin.slots;
    const n = skin.products!.most;
    const first = start[slot]!;
    const end = start[slot + 1]!;
    let isSure = true;
    let isFar = false;
    let lost = 0;
    let sureLost = 0;
    for (let i = first; i < end; i++) {
      const share = shares[joints[i]!]!;
      if (isDoubtful[joints[i]!] === 1) isSure = false;
      if (share < NEAR) isFar = true;
      lost += most[i]! * (1 - share);
      sureLost += least[i]! * (1 - share);
    }
    // Of 1/D.
    const largest = isSure ? Math.min(n, lost < 1 ? 1 / (1 - lost) : n) : n * n;
    const smallest = isSure ? 1 / (1 - sureLost) : 1;
    for (let row = 0; row < 3; row++) {
      let low0 = 0;
      let high0 = 0;
      let low = 0;
      let high = 0;
      let lowest = 0;
      let highest = 0;
      for (let i = first; i < end; i++) {
        const joint = joints[i]!;
        const at = 12 * joint + 4 * row;
        const a = matrices[at]!;
        const b = matrices[at + 1]!;
        const c = matrices[at + 2]!;
        const middle = a * rest[0]! + b * rest[1]! + c * rest[2]! + matrices[at + 3]!;
        const half = Math.abs(a) * rest[3]! + Math.abs(b) * rest[4]! + Math.abs(c) * rest[5]!;
        if (i === first) {
          low = lowest = low0 = middle - half;
          high = highest = high0 = middle + half;
          continue;
        }
        const share = shares[joint]!;
        const down = middle - half - share * low0;
        const up = middle + half - share * high0;
        const p = least[i]! * smallest;
        const q = most[i]! * largest;
        if (isSure || joint < skin.jointCount) {
          low += down < 0 ? q * down : p * down;
          high += up > 0 ? q * up : p * up;
        } else {
          // Its sign is another one in some vertex, perhaps.
          low -= q * Math.max(Math.abs(down), Math.abs(middle + half - share * low0));
          high += q * Math.max(Math.abs(up), Math.abs(middle - half - share * high0));
        }
        lowest = Math.min(lowest, (middle - half) / share);
        highest = Math.max(highest, (middle + half) / share);
      }
      // It is a convex combination of all, if all signs are known.
      const isWithin = isSure && !isFar;
      box[row] = (isWithin ? Math.max(low, lowest) : low) - rounding;
      box[row + 3] = (isWithin ? Math.min(high, highest) : high) + rounding;
    }
  }

  /** Writes `box` to the tree, rounded outward. */
  private storeBox(to: number): void {
    const { box } = this;
    const { bounds, grid } = this.tree;
    for (let k = 0; k < 3; k++) {
      const low = Math.floor((box[k]! - grid[k]!) / grid[k + 3]! - WIDER);
      const high = Math.ceil((box[k + 3]! - grid[k]!) / grid[k + 3]! + WIDER);
      // What there is is on the grid.
      bounds[to + k] = Math.max(0, Math.min(65535, low));
      bounds[to + 3 + k] = Math.max(0, Math.min(65535, high));
    }
  }

  /** Brings the boxes of both children of a node up to date. `at` is its offset. */
  open(at: number): void {
    const node = nodeNumber(at);
    const { nodeStamps, stamp } = this;
    if (nodeStamps[node] === stamp) return;
    nodeStamps[node] = stamp;
    this.fitSlot(2 * node);
    this.storeBox(boxAt(at, 0));
    this.fitSlot(2 * node + 1);
    this.storeBox(boxAt(at, 1));
    this.work.slots += 2;
  }

  openLeaf(link: number): void {
    this.openCorners(3 * leafFirst(link), 3 * leafEnd(link));
  }

  openSlot(slot: number): void {
    this.openCorners(3 * slot, 3 * slot + 3);
  }

  /** Skins vertices, by the corners that they are. */
  private openCorners(first: number, end: number): void {
    const { corners } = this.skin;
    const { vertexStamps, vertices, stamp } = this;
    for (let i = first; i < end; i++) {
      const v = corners[i]!;
      if (vertexStamps[v] === stamp) continue;
      vertexStamps[v] = stamp;
      this.skinVertex(v, vertices);
      this.work.vertices++;
    }
  }

  near(box: ReadonlyAabb, distance: number): void {
    this.walkNear(box, null, distance);
  }

  nearest(p: ReadonlyVec3, distance: number): number {
    POINT_BOX.min = p;
    POINT_BOX.max = p;
    return this.walkNear(POINT_BOX, p, distance);
  }

  /**
   * A distance, not above the given one, within which something is of a convex set in a box, if it is within that at all; `p` is
   * a point of the set.
   */
  nearestTo(box: ReadonlyAabb, p: ReadonlyVec3, distance: number): number {
    return this.walkNear(box, p, distance);
  }

  /** Opens what is within a distance of a box. If a point is given, what is farther from it than a vertex no longer counts. */
  private walkNear({ min, max }: ReadonlyAabb, p: ReadonlyVec3 | null, distance: number): number {
    const { bounds, links, grid } = this.tree;
    const { vertices } = this;
    const { corners } = this.skin;
    const gx = grid[0]!;
    const gy = grid[1]!;
    const gz = grid[2]!;
    const sx = grid[3]!;
    const sy = grid[4]!;
    const sz = grid[5]!;
    const padding = AROUND * Math.max(sx, sy, sz);
    const x0 = min.x - padding - gx;
    const y0 = min.y - padding - gy;
    const z0 = min.z - padding - gz;
    const x1 = max.x + padding - gx;
    const y1 = max.y + padding - gy;
    const z1 = max.z + padding - gz;
    const slack = padding + ROUNDING * (finite(min) + finite(max));
    const farX = SEEN * sx;
    const farY = SEEN * sy;
    const farZ = SEEN * sz;
    let limit = distance;
    let bound = distance * FARTHER + slack;
    let top = 0;
    let link = 0;
    for (;;) {
      if (!isLeaf(link)) {
        this.open(link);
        for (let side = 0; side < 2; side++) {
          const at = boxAt(link, side);
          const dx = Math.min(farX, Math.max(0, bounds[at]! * sx - x1, x0 - bounds[at + 3]! * sx));
          const dy = Math.min(farY, Math.max(0, bounds[at + 1]! * sy - y1, y0 - bounds[at + 4]! * sy));
          const dz = Math.min(farZ, Math.max(0, bounds[at + 2]! * sz - z1, z0 - bounds[at + 5]! * sz));
          pair[side] = Math.sqrt(dx * dx + dy * dy + dz * dz);
        }
        const ahead = pair[0]! <= pair[1]! ? 0 : 1;
        if (pair[1 - ahead]! <= bound) {
          pending[top] = links[linkAt(link, 1 - ahead)]!;
          pendingAt[top++] = pair[1 - ahead]!;
        }
        if (pair[ahead]! <= bound) {
          link = links[linkAt(link, ahead)]!;
          continue;
        }
      } else {
        this.openLeaf(link);
        if (p !== null)
          for (let i = 3 * leafFirst(link), end = 3 * leafEnd(link); i < end; i++) {
            const v = 3 * corners[i]!;
            const dx = vertices[v]! - p.x;
            const dy = vertices[v + 1]! - p.y;
            const dz = vertices[v + 2]! - p.z;
            const d = Math.sqrt(dx * dx + dy * dy + dz * dz) + padding;
            if (d < limit) {
              limit = d;
              bound = d * FARTHER + slack;
            }
          }
      }
      do {
        if (top === 0) return limit;
        top--;
      } while (!(pendingAt[top]! <= bound));
      link = pending[top]!;
    }
  }

  swept({ min, max }: ReadonlyAabb, { x: vx, y: vy, z: vz }: ReadonlyVec3, t: number): void {
    const { bounds, links, grid } = this.tree;
    const gx = grid[0]!;
    const gy = grid[1]!;
    const gz = grid[2]!;
    const sx = grid[3]!;
    const sy = grid[4]!;
    const sz = grid[5]!;
    const far = finite(min) + finite(max) + Math.abs(gx) + Math.abs(gy) + Math.abs(gz);
    const padding = AROUND * Math.max(sx, sy, sz) + SLOW * 8 * far;
    const x0 = min.x - padding - gx;
    const y0 = min.y - padding - gy;
    const z0 = min.z - padding - gz;
    const x1 = max.x + padding - gx;
    const y1 = max.y + padding - gy;
    const z1 = max.z + padding - gz;
    // As slow as that, it does not leave its box along the axis before it is beyond all others.
    const least = Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz)) * SLOW || 1e-290;
    const ix = 1 / (Math.abs(vx) < least ? least : vx);
    const iy = 1 / (Math.abs(vy) < least ? least : vy);
    const iz = 1 / (Math.abs(vz) < least ? least : vz);
    const still = vx === 0 && vy === 0 && vz === 0;
    const latest = still ? 0 : t * FARTHER;
    let top = 0;
    let link = 0;
    for (;;) {
      if (!isLeaf(link)) {
        this.open(link);
        for (let side = 0; side < 2; side++) {
          const at = boxAt(link, side);
          const ax = (bounds[at]! * sx - x1) * ix;
          const bx = (bounds[at + 3]! * sx - x0) * ix;
          const ay = (bounds[at + 1]! * sy - y1) * iy;
          const by = (bounds[at + 4]! * sy - y0) * iy;
          const az = (bounds[at + 2]! * sz - z1) * iz;
          const bz = (bounds[at + 5]! * sz - z0) * iz;
          const enter = Math.max(Math.min(ax, bx), Math.min(ay, by), Math.min(az, bz));
          const leave = Math.min(Math.max(ax, bx), Math.max(ay, by), Math.max(az, bz));
          // In doubt, it is asked for.
          const misses = enter > leave || enter > latest || leave < 0;
          if (!misses) pending[top++] = links[linkAt(link, side)]!;
        }
      } else this.openLeaf(link);
      if (top === 0) return;
      link = pending[--top]!;
    }
  }

  lowest({ x, y, z }: ReadonlyVec3): void {
    const { bounds, links, grid } = this.tree;
    const { vertices } = this;
    const { corners } = this.skin;
    const kx = x > 0 ? 0 : 3;
    const ky = y > 0 ? 1 : 4;
    const kz = z > 0 ? 2 : 5;
    const sx = x * grid[3]!;
    const sy = y * grid[4]!;
    const sz = z * grid[5]!;
    const slack = AROUND * (Math.abs(sx) + Math.abs(sy) + Math.abs(sz));
    const base = x * grid[0]! + y * grid[1]! + z * grid[2]! - slack;
    let least = Infinity;
    let top = 0;
    let link = 0;
    for (;;) {
      if (!isLeaf(link)) {
        this.open(link);
        for (let side = 0; side < 2; side++) {
          const at = boxAt(link, side);
          pair[side] = base + bounds[at + kx]! * sx + bounds[at + ky]! * sy + bounds[at + kz]! * sz;
        }
        const ahead = pair[0]! <= pair[1]! ? 0 : 1;
        if (pair[1 - ahead]! <= least) {
          pending[top] = links[linkAt(link, 1 - ahead)]!;
          pendingAt[top++] = pair[1 - ahead]!;
        }
        if (pair[ahead]! <= least) {
          link = links[linkAt(link, ahead)]!;
          continue;
        }
      } else {
        this.openLeaf(link);
        for (let i = 3 * leafFirst(link), end = 3 * leafEnd(link); i < end; i++) {
          const v = 3 * corners[i]!;
          least = Math.min(least, x * vertices[v]! + y * vertices[v + 1]! + z * vertices[v + 2]!);
        }
      }
      do {
        if (top === 0) return;
        top--;
      } while (!(pendingAt[top]! <= least));
      link = pending[top]!;
    }
  }

  /** The whole surface as a mesh of its own, which stays as it is. O(n) for the first time. */
  wholeMesh(family: unknown): Mesh {
    this.whole ??= this.makeMesh(family);
    return this.whole;
  }

  private makeMesh(family: unknown): Mesh {
    const { skin } = this;
    const { corners, ids, rim } = skin;
    const { nodeCount, links } = skin.tree;
    const vertices = new Float64Array(3 * skin.vertexCount);
    for (let v = 0; v < skin.vertexCount; v++) this.skinVertex(v, vertices);
    mustBeInRange('skinned', 'the largest coordinate of the pose', largestOf(extentOf(vertices)));
    const own = links.slice();
    const tree = { nodeCount, bounds: new Uint16Array(own.buffer), links: own, grid: new Float64Array(6) };
    const index = Uint32Array.from(corners);
    fitPacked(tree, Uint32Array.from(ids.keys()), fineTriangles(vertices, index));
    const given = new Uint32Array(index.length);
    for (let i = 0; i < ids.length; i++)
      for (let k = 0; k < 3; k++) given[3 * ids[i]! + k] = index[3 * i + k]!;
    const mesh = layOut({ positions: vertices, index: given }, tree, ids, false);
    mesh[FAMILY] = family;
    const derived = derivedOf(mesh);
    // How the vertices are joined decides, not who happens to be where.
    derived.boundary = Float64Array.from(
      { length: 3 * rim.length },
      (_, i) => vertices[3 * rim[Math.floor(i / 3)]! + (i % 3)]!,
    );
    derived.parts = skin.parts;
    return mesh;
  }

  /** Writes where a vertex is to its place among all of them. */
  skinVertex(v: number, out: Float64Array): void {
    const { skin, matrices, morphWeights } = this;
    const { positions, start, joints, weights, morphs } = skin;
    let x = positions[3 * v]!;
    let y = positions[3 * v + 1]!;
    let z = positions[3 * v + 2]!;
    for (let m = 0; m < morphs.length; m++) {
      const by = morphWeights[m]!;
      if (by === 0) continue;
      const target = morphs[m]!;
      x += by * target[3 * v]!;
      y += by * target[3 * v + 1]!;
      z += by * target[3 * v + 2]!;
    }
    if (this.dual !== null) {
      out[3 * v] = x;
      out[3 * v + 1] = y;
      out[3 * v + 2] = z;
      this.dual.move(skin, v, out);
      return;
    }
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let i = start[v]!; i < start[v + 1]!; i++) {
      const at = 12 * joints[i]!;
      const w = weights[i]!;
      px += w * (matrices[at]! * x + matrices[at + 1]! * y + matrices[at + 2]! * z + matrices[at + 3]!);
      py += w * (matrices[at + 4]! * x + matrices[at + 5]! * y + matrices[at + 6]! * z + matrices[at + 7]!);
      pz += w * (matrices[at + 8]! * x + matrices[at + 9]! * y + matrices[at + 10]! * z + matrices[at + 11]!);
    }
    out[3 * v] = px;
    out[3 * v + 1] = py;
    out[3 * v + 2] = pz;
  }
}

/** Writes the matrix of a joint times its inverse bind matrix, as three rows of four. */
export function multiplyJoint(
  jointMatrices: ArrayLike<number>,
  inverseBind: Float64Array,
  joint: number,
  out: Float64Array,
  at: number,
): void {
  const from = 16 * joint;
  for (let row = 0; row < 3; row++) {
    const a = jointMatrices[from + row]!;
    const b = jointMatrices[from + 4 + row]!;
    const c = jointMatrices[from + 8 + row]!;
    const d = jointMatrices[from + 12 + row]!;
    for (let column = 0; column < 4; column++) {
      const i = from + 4 * column;
      out[at + 4 * row + column] =
        a * inverseBind[i]! + b * inverseBind[i + 1]! + c * inverseBind[i + 2]! + d * inverseBind[i + 3]!;
    }
  }
}

const POINT_BOX: { min: ReadonlyVec3; max: ReadonlyVec3 } = makeAabb();

const values = ({ x, y, z }: ReadonlyVec3): number[] => [x, y, z];

/** The size of what is finite of a point. */
function finite({ x, y, z }: ReadonlyVec3): number {
  const size = Math.abs(x) + Math.abs(y) + Math.abs(z);
  return size < Infinity ? size : 0;
}
