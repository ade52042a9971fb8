/**
 * How deep two bodies are in each other: the least translation of the first that parts them.
 *
 * For convex bodies, and closed meshes that are convex, that is what the convex engine computes. For all others there is
 * no such engine: translations that part them are the outside of a union of convex sets, one for each two parts (RTCD
 * §9.2, configuration space), and the nearest point of that may be behind any of very many corners. What is done instead:
 * directions are tried that are likely, each is followed until the bodies are clear of each other (`exit-path.ts`), and
 * from the best ones the search goes on downhill over the planes that held last, as in Je, Tang, Lee,
 * Lee and Kim 2012 (PolyDepth). So the translation always parts them; it is a least one near where it ends, not more than
 * what parts their convex hulls, and the very least if no two parts alone are as deep.
 */
import type { ConvexCore } from '../../convex/core.ts';
import {
  copyFrame,
  directionToFirst,
  directionToSecond,
  type Frame,
  invertFrame,
  makeFrame,
  toFirst,
  toSecond,
} from '../../convex/frame.ts';
import { DifferencePoint, measureGap } from '../../convex/minkowski.ts';
import { penetration } from '../../convex/penetration.ts';
import { EPS64 } from '../../math/float.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import type { SkinnedShape } from '../../skinned/skinned-shape.ts';
import { closestPointMesh, makeMeshPoint } from '../../trimesh/closest.ts';
import { isClosed } from '../../trimesh/derived.ts';
import { loadTriangle, type Mesh, makeCorners } from '../../trimesh/mesh.ts';
import { type FoundPairs, searchPairs } from '../../trimesh/mesh-mesh/overlap.ts';
import { TriangleCore } from '../../trimesh/triangle-core.ts';
import { type TriangleVisitor, visitNear } from '../../trimesh/visit-triangles.ts';
import { copyPoint } from '../body-space.ts';
import { algorithmFor } from '../family.ts';
import { isField } from '../fields/field.ts';
import type { BodyPart, Separation } from '../results.ts';
import { isConvexShape, type Shape } from '../shape.ts';
import { contactsOfCores } from './convex-contacts.ts';
import { overlapCores, separateCores } from './convex-distance.ts';
import { ConvexInMesh } from './convex-in-mesh.ts';
import { depthByCasts } from './depth-by-casts.ts';
import { intersectShapes, separateShapes } from './dispatch.ts';
import { erodedOf } from './eroded-mesh.ts';
import { boxesMeet, ExitPath, leave, leaveExactly, makePartPair, type PartPair } from './exit-path.ts';
import { convexOf } from './mesh-hull.ts';
import { depthOfTriangles, makeMeeting } from './moving-triangles.ts';
import { type ContactSink, flipSeparation, type WholeAlgorithm } from './pair.ts';
import { PairContext } from './pair-context.ts';
import { AXES, type BoundedShape, hullOfParts, type Part, partsOf } from './parts.ts';
import { nearestDirection, type PlaneList } from './plane-corner.ts';

/** Of the smaller body: overlaps that are no deeper are touching. */
const TOUCH = 1e-10;
/** Of the coordinates: what the transform to the other body rounds them by. */
const ROUNDING = 64 * EPS64;
/** How many directions of those that overlapping parts suggest are tried. */
const MOST_DIRECTIONS = 16;
/** Parts of meshes that are asked for directions, at most. */
const MOST_ASKED = 600;
/** From how many of the directions the search goes on downhill, and how many steps. */
const MOST_STARTS = 5;
const MOST_STEPS = 16;
/** Of how many planes the corners are looked at, and how many corners are tried. */
const MOST_PLANES = 16;
const MOST_CORNERS = 12;
/** Over all pairs of parts, before a path is given up. */
const MOST_PASSES = 200;
/** Where to look whether something that overlaps could be parted by next to nothing. */
const AROUND: readonly ReadonlyVec3[] = [
  ...AXES,
  ...[-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => vec3(0.6 * x, 0.57 * y, 0.55 * z)))),
];

const IDENTITY = makeFrame();

/** The corners of an icosahedron and of a dodecahedron: no direction is farther from one of them than 21 degrees. */
const EVERYWHERE: readonly ReadonlyVec3[] = [
  ...[-0.8506508, 0.8506508].flatMap((a) =>
    [-0.5257311, 0.5257311].flatMap((b) => [vec3(0, b, a), vec3(b, a, 0), vec3(a, 0, b)]),
  ),
  ...[-0.9341724, 0.9341724].flatMap((a) =>
    [-0.3568221, 0.3568221].flatMap((b) => [vec3(0, a, b), vec3(a, b, 0), vec3(b, 0, a)]),
  ),
  ...AROUND.slice(AXES.length),
];

/** Relative to the depth of the whole: a contact that is nearly as deep stands for it. */
const SAME_DEPTH = 1e-6;

/** For meshes, height fields and compounds, with each other and with convex shapes. */
export const wholeBodies: WholeAlgorithm = {
  /**
   * The least translation that parts the shapes. Of the two orders in which they can be asked about, it is always the same that
   * is looked at, so that the answers are the same.
   */
  depth(first, second, context, out) {
    const { frame, back, inner } = context;
    const a = asMesh(first);
    const b = asMesh(second);
    if (isHalfSpace(a) || isHalfSpace(b)) {
      context.limit = Infinity;
      separateShapes(a, b, context, out);
      return;
    }
    if (hasField(a) || hasField(b)) {
      depthByCasts.depth(a, b, context, out);
      return;
    }
    const one = convexOf(a);
    const two = convexOf(b);
    const swaps = isAfter(a, b, frame, back);
    copyFrame(swaps ? back : frame, inner.frame);
    inner.limit = Infinity;
    if (one && two) {
      if (swaps) separateCores(two.core, one.core, inner, out);
      else separateCores(one.core, two.core, inner, out);
      if (out.separation > 0) out.separation = 0;
    } else if (swaps) depthOfParts(b as BoundedShape, a as BoundedShape, inner, out);
    else depthOfParts(a as BoundedShape, b as BoundedShape, inner, out);
    if (swaps) flipSeparation(frame, out);
    if (one && two) nameTriangles(a, b, frame, out);
  },
  manifold(first, second, context, sink) {
    const { frame, separation: whole } = context;
    const a = asMesh(first);
    const b = asMesh(second);
    const algorithm = algorithmFor(a, b);
    if (isHalfSpace(a) || isHalfSpace(b)) {
      algorithm.contacts(a, b, context, sink);
      return;
    }
    const one = convexOf(a);
    const two = convexOf(b);
    let least = Infinity;
    const measured: ContactSink = {
      add(contact) {
        least = Math.min(least, contact.separation);
        if (one && two) nameTriangles(a, b, frame, contact);
        sink.add(contact);
      },
    };
    if (one && two) {
      contactsOfCores(one, two, context, measured);
      if (least < Infinity) return;
    } else algorithm.contacts(a, b, context, measured);
    // Triangles are asked exactly: they may touch where cores are apart by rounding.
    if (least > 0 && !algorithm.intersects(a, b, context)) return;
    this.depth(a, b, context, whole);
    if (whole.separation < least && !(least <= (1 - SAME_DEPTH) * whole.separation)) sink.add(whole);
  },
};

/** A skinned mesh as it is now; others as they are. Directions are tried out all over it. @internal */
export const asMesh = (shape: Shape): Exclude<Shape, SkinnedShape> =>
  shape.kind === 'skinned' ? shape.mesh : shape;

/** Is it, or a part of it, known by distances only? */
const hasField = (shape: Shape): boolean =>
  isField(shape) || (shape.kind === 'compound' && shape.children.some((child) => isField(child.shape)));

/** A compound may be in one: then the deepest of its children decides. */
const isHalfSpace = ({ kind }: Shape): boolean => kind === 'halfSpace';

function depthOfParts(a: BoundedShape, b: BoundedShape, context: PairContext, out: Separation): void {
  const search = new DepthSearch(a, b, context.frame);
  if (!search.write(out)) fillTouch(a, b, context, search, out);
}

/** They only touch: what the parts say, with a normal along which they come apart, if there is one. */
function fillTouch(a: Shape, b: Shape, context: PairContext, search: DepthSearch, out: Separation): void {
  const { touch } = search;
  const { frame } = context;
  const { tx, ty, tz } = frame;
  separateShapes(a, b, context, out);
  out.separation = Math.min(0, Math.max(out.separation, -touch));
  const { normal } = out;
  const opposite = vec3(-normal.x, -normal.y, -normal.z);
  const candidates = dot(normal, normal) > 0.5 ? [vec3(normal.x, normal.y, normal.z), opposite] : [];
  candidates.push(search.best().direction, ...search.facesInTouch(), ...AROUND);
  const free = candidates.find(({ x, y, z }) => {
    const k = 8 * touch;
    frame.tx = tx - k * x;
    frame.ty = ty - k * y;
    frame.tz = tz - k * z;
    return !intersectShapes(a, b, context);
  });
  frame.tx = tx;
  frame.ty = ty;
  frame.tz = tz;
  const { x, y, z } = free ?? candidates[0]!;
  const length = Math.sqrt(x * x + y * y + z * z);
  copyPoint(vec3(x / length, y / length, z / length), normal);
}

const RANK: readonly Shape['kind'][] = ['mesh', 'heightField', 'compound'];

/** Is b to come first? Of shapes that are alike, that which has the other on the lower side. */
function isAfter(a: Shape, b: Shape, frame: Frame, back: Frame): boolean {
  const [p, q] = [
    [...orderOf(a), ...numbersOf(frame)],
    [...orderOf(b), ...numbersOf(back)],
  ];
  const i = p.findIndex((value, k) => value !== q[k]);
  return i >= 0 && p[i]! > q[i]!;
}

const numbersOf = (f: Frame): number[] => [f.tx, f.ty, f.tz, f.m01, f.m02, f.m12];

/** Numbers that distinguish most shapes. */
function orderOf(shape: Shape): number[] {
  const rank = RANK.indexOf(shape.kind);
  if (shape.kind === 'halfSpace' || isConvexShape(shape) || isField(shape)) return [rank];
  const { min, max } = shape.kind === 'heightField' ? shape.mesh.bounds : shape.bounds;
  const count =
    shape.kind === 'compound'
      ? shape.children.length
      : (shape.kind === 'heightField' ? shape.mesh : shape).triangleCount;
  return [rank, count, min.x, min.y, min.z, max.x, max.y, max.z];
}

const onMesh = makeMeshPoint();
const local = vec3();

/** The triangles of convex meshes that the points lie on. */
function nameTriangles(a: Shape, b: Shape, frame: Frame, out: Separation): void {
  if (a.kind === 'mesh') out.partA.triangle = closestPointMesh(out.pointA, a, Infinity, onMesh)!.triangle;
  if (b.kind !== 'mesh') return;
  toSecond(frame, out.pointB, local);
  out.partB.triangle = closestPointMesh(local, b, Infinity, onMesh)!.triangle;
}

const found: FoundPairs = { count: 0, pairs: new Uint32Array(1024) };

/** A translation that parts the bodies, and what held last. */
type Exit = Pick<ExitPath, 'direction' | 'distance' | 'normal' | 'pair' | 'slotA' | 'slotB'>;

const keep = ({ direction, distance, normal, pair, slotA, slotB }: ExitPath): Exit => ({
  direction: { ...direction },
  distance,
  normal: { ...normal },
  pair,
  slotA,
  slotB,
});

/** The search for one pair of bodies. */
class DepthSearch {
  private readonly pairs: PartPair[] = [];
  private readonly path = new ExitPath();
  /** Of two parts. */
  private readonly pair: PairContext = new PairContext();
  /** Pairs of which one has no inside. */
  private readonly thin: PartPair[];
  private readonly hulls: readonly [ReturnType<typeof hullOfParts>, ReturnType<typeof hullOfParts>];
  readonly touch: number;
  /** No translation that is shorter parts them: two parts alone are as deep. */
  private least = 0;
  private readonly deepest = vec3();
  private readonly suggested: Vec3[] = [];
  private readonly results: Exit[] = [];
  /** All that held on any path. */
  private readonly planes: PlaneList = [];
  private readonly frame = makeFrame();

  constructor(a: BoundedShape, b: BoundedShape, frame: Frame) {
    copyFrame(frame, this.frame);
    const first = partsOf(a, IDENTITY);
    const second = partsOf(b, frame);
    for (const one of first) for (const two of second) this.pairs.push(makePartPair(one, two));
    this.hulls = [hullOfParts(first), hullOfParts(second)];
    this.thin = this.pairs.filter((pair) => pair.a.thin || pair.b.thin);
    const reach = this.hulls[0].reach + this.hulls[1].reach;
    this.touch = TOUCH * Math.min(sizeOf(first), sizeOf(second)) + ROUNDING * reach;
    this.path.touch = this.touch;
  }

  /** False, and nothing written, if they only touch. */
  write(out: Separation): boolean {
    this.suggest();
    this.tryDirection(this.least > 0 ? this.deepest : (this.suggested[0] ?? AXES[2]!));
    if (this.best().distance === 0) return false;
    if (!this.isLeast()) this.tryOthers();
    if (!this.isLeast()) this.tryCorners();
    for (const start of this.isLeast() ? [] : this.starts()) this.downhill(start);
    if (this.best().distance === 0) return false;
    this.fill(this.best(), out);
    return true;
  }

  best(): Exit {
    return this.results.reduce((x, y) => (y.distance < x.distance ? y : x));
  }

  private isLeast(): boolean {
    const { results, least, touch } = this;
    return results.length > 0 && this.best().distance <= least + touch;
  }

  /** The best of the exits that were found, which must differ. */
  private starts(): Exit[] {
    const sorted = [...this.results].sort((x, y) => x.distance - y.distance);
    const chosen: Exit[] = [];
    for (const one of sorted) {
      if (chosen.length === MOST_STARTS) break;
      if (chosen.every(({ normal }) => dot(normal, one.normal) < 0.99)) chosen.push(one);
    }
    return chosen;
  }

  private tryOthers(): void {
    const { gjkState, penetration: deep } = this.pair;
    gjkState.count = 0;
    penetration(...this.hulls, IDENTITY, gjkState, deep);
    this.tryDirection(deep.normal);
    for (const direction of spread(this.suggested, MOST_DIRECTIONS)) {
      if (this.isLeast()) return;
      this.tryDirection(direction);
    }
    for (const axis of AXES) {
      this.tryDirection(axis);
      this.tryDirection(directionToFirst(this.frame, axis, vec3()));
    }
    for (const v of EVERYWHERE) this.tryDirection(v);
  }

  /** Where two or three of the planes that held on any path meet: concave corners of what is to be left. */
  private tryCorners(): void {
    const { distance: s } = this.best();
    const planes: PlaneList = [];
    for (const plane of this.planes.sort((p, q) => p.h - q.h))
      if (
        planes.length < MOST_PLANES &&
        planes.every(({ n, h }) => dot(n, plane.n) < 0.98 || plane.h - h > 0.02 * s)
      )
        planes.push(plane);
    const corners: { v: Vec3; height: number }[] = [];
    const look = (...some: PlaneList): void => {
      const found = nearestDirection(some);
      if (found && found.height < s * (1 - 1e-6) && found.height >= this.least) corners.push(found);
    };
    for (let i = 0; i < planes.length; i++)
      for (let j = 0; j < i; j++) {
        look(planes[i]!, planes[j]!);
        for (let k = 0; k < j; k++) look(planes[i]!, planes[j]!, planes[k]!);
      }
    corners.sort((p, q) => p.height - q.height);
    const chosen: Vec3[] = [];
    for (const { v } of corners) {
      if (chosen.length === MOST_CORNERS || this.isLeast()) return;
      if (chosen.some((other) => dot(other, v) > 0.9999)) continue;
      chosen.push(v);
      if (this.goAlong(v, this.best().distance)) this.results.push(keep(this.path));
    }
  }

  /** Keeps the exit along a direction if it is not much longer than the best. */
  private tryDirection(direction: ReadonlyVec3): void {
    const limit = this.results.length > 0 ? 1.25 * this.best().distance : Infinity;
    if (this.goAlong(direction, limit)) this.results.push(keep(this.path));
  }

  /** Follows a direction until the bodies are separated. False if that is beyond `limit`. */
  private goAlong(direction: ReadonlyVec3, limit: number): boolean {
    const arrives = this.follow(direction, limit);
    const { planes, direction: d } = this.path;
    for (const { n, distance } of planes) {
      const h = distance * dot(d, n);
      if (this.planes.length < 4 * MOST_DIRECTIONS * MOST_PLANES && h > 0 && h < Infinity)
        this.planes.push({ n, h });
    }
    return arrives;
  }

  private follow({ x, y, z }: ReadonlyVec3, limit: number): boolean {
    const { path, pairs, hulls } = this;
    const { support } = path;
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return false;
    const { direction } = path;
    direction.x = x / length;
    direction.y = y / length;
    direction.z = z / length;
    path.distance = 0;
    path.planes.length = 0;
    path.pair = null;
    path.slotA = -1;
    path.slotB = -1;
    copyPoint(direction, path.normal);
    // At the latest when a plane across the path is between the whole bodies.
    measureGap(...hulls, IDENTITY, direction, support);
    const plane = -support.gap;
    const most = Math.min(limit, plane + 4 * this.touch);
    for (let pass = 0; pass < MOST_PASSES && path.distance < most; pass++) {
      let held = false;
      for (let i = 0; i < pairs.length && path.distance < most; i++)
        if (boxesMeet(pairs[i]!, path) && leave(pairs[i]!, path, most)) held = true;
      if (held || this.leaveSeam(most)) continue;
      leaveExactly(path);
      return path.distance < limit;
    }
    if (!(plane < limit)) return false;
    path.distance = plane;
    copyPoint(direction, path.normal);
    return true;
  }

  /**
   * What has no inside may go through a seam between two parts, or two triangles, which it only touches each. If it cannot be
   * moved clear of all by next to nothing, on to where all that it touches is left. False if it can.
   */
  private leaveSeam(limit: number): boolean {
    const { path } = this;
    const pairs = this.thin.filter((pair) => boxesMeet(pair, path));
    if (this.isLoose(pairs, path.direction) || AROUND.some((v) => this.isLoose(pairs, v))) return false;
    const from = path.distance;
    path.closed = true;
    for (let i = 0; i < pairs.length && path.distance < limit; i++)
      if (boxesMeet(pairs[i]!, path)) leave(pairs[i]!, path, limit);
    path.closed = false;
    if (!(path.distance > from)) path.distance += 4 * this.touch;
    return true;
  }

  /** Are the parts of all pairs clear of each other where the path has come to, but for next to nothing along v? */
  private isLoose(pairs: readonly PartPair[], v: ReadonlyVec3): boolean {
    const { direction: d, distance } = this.path;
    const { frame: between } = this.pair;
    const k = 8 * this.touch;
    return pairs.every(({ a, b, frame }) => {
      const way = vec3(distance * d.x + k * v.x, distance * d.y + k * v.y, distance * d.z + k * v.z);
      const { x, y, z } = directionToSecond(a.frame, way, way);
      copyFrame(frame, between);
      between.tx -= x;
      between.ty -= y;
      between.tz -= z;
      return !intersectShapes(a.shape, b.shape, this.pair);
    });
  }

  /** From one exit over the planes that held last to a shorter one, as long as there is any. */
  private downhill(start: Exit): void {
    let best = start;
    let planes: PlaneList = [planeOf(start)];
    let failures = 0;
    for (let step = 0; step < MOST_STEPS && failures < 4; step++) {
      const direction = nearestDirection(planes);
      const shortest = this.best().distance;
      if (!direction || !(direction.height < Math.min(best.distance, shortest) * (1 - 1e-9))) break;
      if (!this.goAlong(direction.v, 2 * shortest)) break;
      const next = keep(this.path);
      if (next.distance < best.distance) {
        if (next.distance > best.distance * (1 - 1e-6)) failures++;
        best = next;
        this.results.push(next);
        // Planes that it is behind of need not hold.
        planes = planes.filter(({ n, h }) => dot(n, next.direction) * next.distance >= h - this.touch);
      } else failures++;
      planes.push(planeOf(next));
      if (planes.length > 6) planes.shift();
    }
  }

  /** Collects directions from the parts that overlap where they stand, and how deep the deepest two are. */
  private suggest(): void {
    const { path } = this;
    path.distance = 0;
    copyPoint(AXES[2]!, path.direction);
    for (const pair of this.pairs) {
      if (!boxesMeet(pair, path)) continue;
      const { a, b } = pair;
      if (a.convex && b.convex) this.suggestByCores(pair);
      else if (a.convex) this.suggestByTriangles(pair, a, b, false);
      else if (b.convex) this.suggestByTriangles(pair, b, a, true);
      else this.suggestByMeshes(pair);
    }
  }

  /** A depth that at least is needed, and the direction of it: to the part that stands at `frame`. */
  private addDepth(depth: number, normal: ReadonlyVec3, frame: Frame, sign: number): void {
    const v = directionToFirst(frame, normal, vec3());
    v.x *= sign;
    v.y *= sign;
    v.z *= sign;
    this.suggested.push(v);
    if (!(depth > this.least)) return;
    this.least = depth;
    copyPoint(v, this.deepest);
  }

  private suggestByCores({ a, b, frame }: PartPair): void {
    const { pair } = this;
    const { separation: single } = pair;
    copyFrame(frame, pair.frame);
    pair.limit = 0;
    if (!separateCores(a.convex!.core, b.convex!.core, pair, single)) return;
    this.addDepth(-single.separation, single.normal, a.frame, 1);
  }

  /** The triangles that a convex part overlaps, or the surface around it. `flips` if the convex one is the second. */
  private suggestByTriangles(
    { frame }: PartPair,
    shape: Part,
    { mesh, frame: at }: Part,
    flips: boolean,
  ): void {
    const { core } = shape.convex!;
    const toMesh = flips ? invertFrame(frame, makeFrame()) : frame;
    const sign = flips ? -1 : 1;
    const triangle = new TriangleCore();
    const { pair } = this;
    pair.limit = 0;
    // How deep a triangle is at most, by its plane: the exact depth takes long for curved shapes.
    const deepest = [-1, -1];
    const most = [0, 0];
    let asked = 0;
    const visitor: TriangleVisitor = {
      bound: 0,
      visit: (i) => {
        triangle.load(mesh!, i, toMesh, pair.frame);
        if (!overlapCores(core, triangle.core, pair)) return;
        if (++asked === MOST_ASKED) visitor.bound = -1;
        this.addFace(mesh!, i, at, sign);
        const bound = depthByPlane(core, triangle, pair.frame);
        const at2 = bound > most[0]! ? 0 : bound > most[1]! ? 1 : 2;
        deepest.splice(at2, 0, i);
        most.splice(at2, 0, bound);
      },
    };
    visitNear(mesh!, new ConvexInMesh().measureBox(core, toMesh), visitor);
    for (const i of deepest.slice(0, 2)) {
      if (i < 0) continue;
      triangle.load(mesh!, i, toMesh, pair.frame);
      const { separation: single } = pair;
      if (separateCores(core, triangle.core, pair, single))
        this.addDepth(-single.separation, single.normal, shape.frame, sign);
    }
    if (!isClosed(mesh!)) return;
    toSecond(toMesh, core.center, local);
    this.addNearest(mesh!, at, sign);
  }

  /** Towards the point of a surface that is nearest to `local`, which may be inside. */
  private addNearest(mesh: Mesh, at: Frame, sign: number): void {
    const { x, y, z } = local;
    closestPointMesh(local, mesh, Infinity, onMesh);
    const { point } = onMesh;
    const v = directionToFirst(
      at,
      vec3(sign * (point.x - x), sign * (point.y - y), sign * (point.z - z)),
      vec3(),
    );
    if (v.x !== 0 || v.y !== 0 || v.z !== 0) this.suggested.push(v);
    this.addFace(mesh, mesh.ids.indexOf(onMesh.triangle), at, sign);
  }

  /** The normal of a triangle; both directions where it has two sides. */
  private addFace(mesh: Mesh, slot: number, at: Frame, sign: number): void {
    loadTriangle(mesh, slot, corners);
    const { a, b, c } = corners;
    const [dx, dy, dz] = [b.x - a.x, b.y - a.y, b.z - a.z];
    const [ex, ey, ez] = [c.x - a.x, c.y - a.y, c.z - a.z];
    const n = vec3(sign * (dy * ez - dz * ey), sign * (dz * ex - dx * ez), sign * (dx * ey - dy * ex));
    const size = Math.sqrt(dot(n, n));
    if (!(size > 0)) return;
    const v = directionToFirst(at, vec3(n.x / size, n.y / size, n.z / size), vec3());
    this.suggested.push(v);
    if (!isClosed(mesh)) this.suggested.push(vec3(-v.x, -v.y, -v.z));
  }

  private suggestByMeshes({ a, b, frame }: PartPair): void {
    const [first, second] = [a.mesh!, b.mesh!];
    const one = isClosed(first) ? erodedOf(first) : first;
    const two = one === first && isClosed(second) ? erodedOf(second) : second;
    found.count = 0;
    searchPairs(one, two, frame, found);
    const leap = Math.ceil(found.count / MOST_ASKED);
    const meeting = makeMeeting();
    for (let i = 0; i < found.count; i += leap) {
      meeting.slotA = found.pairs[2 * i]!;
      meeting.slotB = found.pairs[2 * i + 1]!;
      if (depthOfTriangles(one, two, frame, meeting)) this.addDepth(meeting.exit, meeting.normal, a.frame, 1);
      this.addFace(first, meeting.slotA, a.frame, -1);
      this.addFace(second, meeting.slotB, b.frame, 1);
    }
    if (isClosed(second)) {
      middleOf(first, local);
      toSecond(frame, local, local);
      this.addNearest(second, b.frame, 1);
    }
    if (isClosed(first)) {
      middleOf(second, local);
      toFirst(frame, local, local);
      this.addNearest(first, a.frame, -1);
    }
  }

  /** Normals, in both directions, of what touches where they stand. */
  facesInTouch(): Vec3[] {
    this.path.distance = 0;
    for (const pair of this.pairs) {
      const { a, b, frame } = pair;
      if (a.convex || b.convex || !boxesMeet(pair, this.path)) continue;
      found.count = 0;
      searchPairs(a.mesh!, b.mesh!, frame, found);
      for (let i = 0; i < Math.min(found.count, MOST_ASKED); i++) {
        this.addFace(a.mesh!, found.pairs[2 * i]!, a.frame, -1);
        this.addFace(b.mesh!, found.pairs[2 * i + 1]!, b.frame, 1);
      }
    }
    return spread(this.suggested, MOST_DIRECTIONS).flatMap((v) => [v, vec3(-v.x, -v.y, -v.z)]);
  }

  private fill(exit: Exit, out: Separation): void {
    const { direction: d, distance: s } = exit;
    out.separation = -s;
    copyPoint(d, out.normal);
    if (exit.pair) this.touchPoint(exit, exit.pair, out);
    else {
      const point = this.hulls[0].custom!(vec3(-d.x, -d.y, -d.z), vec3());
      copyPoint(point, out.pointA);
      clearPart(out.partA);
      clearPart(out.partB);
    }
    const { pointA, pointB } = out;
    pointB.x = pointA.x + s * d.x;
    pointB.y = pointA.y + s * d.y;
    pointB.z = pointA.z + s * d.z;
  }

  /** Where the parts that held last touch when they are parted, as the first body has it. */
  private touchPoint(
    { slotA, slotB, distance: s, direction: d }: Exit,
    { a, b, frame }: PartPair,
    out: Separation,
  ): void {
    const { pair } = this;
    const { separation: single } = pair;
    const corner = makeFrame();
    const one = coreOf(a, slotA, IDENTITY, corner);
    const two = coreOf(b, slotB, frame, pair.frame);
    const back = rotateToFirst(a.frame, d);
    pair.frame.tx = pair.frame.tx - corner.tx - s * back.x;
    pair.frame.ty = pair.frame.ty - corner.ty - s * back.y;
    pair.frame.tz = pair.frame.tz - corner.tz - s * back.z;
    pair.limit = Infinity;
    separateCores(one, two, pair, single);
    const { pointA } = single;
    pointA.x += corner.tx;
    pointA.y += corner.ty;
    pointA.z += corner.tz;
    namePart(a, slotA, pointA, out.partA);
    toFirst(a.frame, pointA, out.pointA);
    // On the second, as it sees it.
    const onB = vec3(out.pointA.x + s * d.x, out.pointA.y + s * d.y, out.pointA.z + s * d.z);
    namePart(b, slotB, toSecond(b.frame, onB, onB), out.partB);
  }
}

/** How deep a convex set is in a triangle at most: along its normal, in either direction. */
function depthByPlane(core: ConvexCore, { data, core: flat }: TriangleCore, frame: Frame): number {
  const n = directionToFirst(frame, crossOf(data), vec3());
  const length = Math.sqrt(dot(n, n));
  if (!(length > 0)) return 0;
  const support = new DifferencePoint();
  let least = Infinity;
  for (const sign of [-1, 1]) {
    const normal = vec3((sign * n.x) / length, (sign * n.y) / length, (sign * n.z) / length);
    measureGap(core, flat, frame, normal, support);
    least = Math.min(least, core.radius - support.gap);
  }
  return least;
}

/** The normal of a triangle whose first corner is the origin, as long as its area is large. */
const crossOf = (d: Float64Array): Vec3 =>
  vec3(d[4]! * d[8]! - d[5]! * d[7]!, d[5]! * d[6]! - d[3]! * d[8]!, d[3]! * d[7]! - d[4]! * d[6]!);

/** A part that stands at `frame`, or one of its triangles, as a convex set. Writes where that stands. */
function coreOf({ convex, mesh }: Part, slot: number, frame: Frame, out: Frame): ConvexCore {
  if (convex) {
    copyFrame(frame, out);
    return convex.core;
  }
  const triangle = new TriangleCore();
  triangle.load(mesh!, slot, frame, out);
  return triangle.core;
}

function namePart({ mesh, child }: Part, slot: number, p: ReadonlyVec3, out: BodyPart): void {
  out.child = child;
  out.triangle = !mesh
    ? -1
    : slot >= 0
      ? mesh.ids[slot]!
      : closestPointMesh(p, mesh, Infinity, onMesh)!.triangle;
}

function clearPart(out: BodyPart): void {
  out.child = -1;
  out.triangle = -1;
}

const corners = makeCorners();
const dot = (a: ReadonlyVec3, b: ReadonlyVec3): number => a.x * b.x + a.y * b.y + a.z * b.z;

const rotateToFirst = (f: Frame, v: ReadonlyVec3): Vec3 =>
  vec3(
    f.m00 * v.x + f.m10 * v.y + f.m20 * v.z,
    f.m01 * v.x + f.m11 * v.y + f.m21 * v.z,
    f.m02 * v.x + f.m12 * v.y + f.m22 * v.z,
  );

function middleOf({ bounds: { min, max } }: Mesh, out: Vec3): void {
  out.x = (min.x + max.x) / 2;
  out.y = (min.y + max.y) / 2;
  out.z = (min.z + max.z) / 2;
}

/** The largest side of the box around the parts. */
function sizeOf(parts: readonly Part[]): number {
  let size = 0;
  for (const axis of ['x', 'y', 'z'] as const) {
    const low = Math.min(...parts.map(({ box }) => box.min[axis]));
    const high = Math.max(...parts.map(({ box }) => box.max[axis]));
    size = Math.max(size, high - low);
  }
  return size;
}

/** The plane that an exit ends on: n · v = h for the translation v. */
const planeOf = ({ direction, distance, normal }: Exit) => ({
  n: normal,
  h: distance * dot(direction, normal),
});

/** Up to `most` of the directions that are as different as can be, the first one first. */
function spread(directions: readonly Vec3[], most: number): Vec3[] {
  const chosen: Vec3[] = [];
  const units = directions.map((v) => {
    const length = Math.sqrt(dot(v, v));
    return vec3(v.x / length, v.y / length, v.z / length);
  });
  const nearest = new Float64Array(units.length).fill(-2);
  let next = 0;
  while (chosen.length < most && next < units.length && nearest[next]! < 0.9999) {
    const one = units[next]!;
    chosen.push(one);
    let least = 2;
    next = units.length;
    for (let i = 0; i < units.length; i++) {
      nearest[i] = Math.max(nearest[i]!, dot(units[i]!, one));
      if (nearest[i]! < least) {
        least = nearest[i]!;
        next = i;
      }
    }
  }
  return chosen;
}
