/**
 * Two trees of oriented boxes, walked at once: what the searches for pairs of triangles that meet, or are nearest, share.
 *
 * Their loops over boxes have no part that runs rarely; that is left to their callers. If they had, V8 (11, of Node 20) could
 * leave them slow for as long as the process lives: when it throws the code of a function away, at a branch that had never
 * run, while it makes code for the loop alone (on-stack replacement), it keeps that, and every call begins in the
 * interpreter. `bench/spread.ts` shows it.
 */
import { type Frame, makeFrame } from '../../convex/frame.ts';
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { boxTreeOf } from '../derived.ts';
import { loadTriangle, type Mesh, makeCorners } from '../mesh.ts';
import { type BoxTree, MAX_BOX_DEPTH } from './box-tree.ts';
import { loadMovedTriangle } from './relative-frame.ts';
import { PlaneSearch } from './separating-planes.ts';

/**
 * How much of r₁ + r₂, the radii of two boxes, all tests of their axes give away. With δ = AXIS_ERROR = 5.2e-8, axes
 * are off by δ as vectors and their cosines by 2 δ. The sphere test has passed, so centers are at most r₁ + r₂ apart,
 * and half sizes along three axes add up to at most √3 r. A face is then off by (1 + 2 √3) δ, a cross product of axes by
 * 3 √2 δ on the one side and 2 √2 δ on the other: less than 8 δ = 4.2e-7 in all. Where axes are nearly parallel, their
 * cross product is mere rounding, and the test by it amounts to this slack.
 */
export const SLACK = 1e-6;

/** What has become of the second mesh's tree, in the first one's units: x -> k M x + t. */
interface Alignment {
  k: number;
  tx: number;
  ty: number;
  tz: number;
  /** What rounding may have moved things by. */
  rounding: number;
}

/** Four roundings a coordinate, of terms not larger than these sums of coordinates; the rest pays for the sums. */
const ROUNDING = 32 * UNIT_ROUNDING;

function align(one: BoxTree, two: BoxTree, at: Frame, out: Alignment): Alignment {
  const [ax, ay, az] = one.center;
  const [bx, by, bz] = two.center;
  const { scale } = one;
  out.k = scale / two.scale;
  out.tx = (at.m00 * bx + at.m01 * by + at.m02 * bz + (at.tx - ax)) * scale;
  out.ty = (at.m10 * bx + at.m11 * by + at.m12 * bz + (at.ty - ay)) * scale;
  out.tz = (at.m20 * bx + at.m21 * by + at.m22 * bz + (at.tz - az)) * scale;
  const size =
    Math.abs(ax) +
    Math.abs(ay) +
    Math.abs(az) +
    (Math.abs(bx) + Math.abs(by) + Math.abs(bz)) +
    (Math.abs(at.tx) + Math.abs(at.ty) + Math.abs(at.tz)) +
    3 * (one.reach + two.reach);
  out.rounding = ROUNDING * (size * scale);
  return out;
}

const makeAlignment = (): Alignment => ({ k: 0.5, tx: 0.5, ty: 0.5, tz: 0.5, rounding: 0.5 });

const NO_BOXES = new Float32Array(0);
const NO_LINKS = new Int32Array(0);

/** @internal */
export class BoxTreePair {
  protected a!: Mesh;
  protected b!: Mesh;
  private one!: BoxTree;
  private two!: BoxTree;
  protected p: Float32Array = NO_BOXES;
  protected q: Float32Array = NO_BOXES;
  protected linksA: Int32Array = NO_LINKS;
  protected linksB: Int32Array = NO_LINKS;
  /** Units of the trees for one of the meshes. */
  protected scale = 0.5;
  protected frame: Frame = makeFrame();
  protected readonly alignment = makeAlignment();
  /** One pair waits a level, in each tree. */
  protected readonly stack = new Int32Array(2 * (2 * MAX_BOX_DEPTH + 2));
  protected top = 0;
  /** The current pair. */
  protected nodeA = 0;
  protected nodeB = 0;
  /** Comparisons of triangles that found nothing. After `PATIENCE` of them, planes are looked for. */
  protected misses = 0;
  private readonly planeSearch = new PlaneSearch();
  private hasPlanes = false;
  protected readonly first = makeCorners();
  protected readonly second = makeCorners();

  /** Both trees at their roots, that of `b` as seen from `a`. */
  protected begin(a: Mesh, b: Mesh, at: Frame): void {
    const one = boxTreeOf(a);
    const two = boxTreeOf(b);
    align(one, two, at, this.alignment);
    this.a = a;
    this.b = b;
    this.one = one;
    this.two = two;
    this.p = one.boxes;
    this.q = two.boxes;
    this.linksA = one.links;
    this.linksB = two.links;
    this.scale = one.scale;
    this.frame = at;
    this.misses = 0;
    this.hasPlanes = false;
    this.stack[0] = 0;
    this.stack[1] = 0;
    this.top = 2;
  }

  /** Puts the current pair back, to be opened. */
  protected pushBack(): void {
    this.stack[this.top] = this.nodeA;
    this.stack[this.top + 1] = this.nodeB;
    this.top += 2;
  }

  /** The search for planes, which is for few queries. */
  protected planes(): PlaneSearch {
    const { planeSearch, one, two, a, b, frame } = this;
    if (!this.hasPlanes) planeSearch.begin(a, one, b, two, frame, this.alignment.rounding / this.scale);
    this.hasPlanes = true;
    return planeSearch;
  }

  /** Two triangles by their slots, into `first` and `second`. */
  protected loadTriangles(i: number, j: number): void {
    loadTriangle(this.a, i, this.first);
    loadMovedTriangle(this.b, j, this.frame, this.second);
  }
}
