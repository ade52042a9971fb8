/**
 * Generalized winding numbers: how much of the sphere around a point a mesh covers, back sides seen as 1 and front
 * sides as -1. Jacobson et al. 2013; far parts of the mesh as their first moments, after Barill et al. 2018.
 */
import { checkPoint, describe, mustBeNumber, mustHave, refuse } from '../math/check.ts';
import { atan2 } from '../math/trig.ts';
import { type ReadonlyVec3, vec3 } from '../math/types.ts';
import { side } from '../primitives/overlap/side.ts';
import { isLeaf, leafEnd, leafFirst, linkAt, MAX_DEPTH, nodeNumber } from '../trees/packed-tree.ts';
import { AxisRay, isBeyondBounds } from './crossing-number.ts';
import { boundaryOf, momentsOf } from './derived.ts';
import { loadTriangle, type Mesh, makeCorners } from './mesh.ts';
import { MOMENTS } from './moments.ts';

/**
 * How often does the mesh wind around p, counter-clockwise triangles facing out? For a closed mesh this is a whole
 * number, exactly: 0 outside, 1 inside, 2 in what two nested or overlapping parts have in common, 0 in a cavity whose
 * walls face inwards, -1 in a mesh turned inside out. (Vertices at the same position count as one.) For one with holes it is
 * a fraction that says how much p is surrounded, right to rounding. On the surface the number jumps, and what comes back
 * is between those on both sides.
 *
 * A mesh with thousands of edges on its boundary, such as a soup of single triangles, would take long: there the number
 * may be off by as much as `tolerance` (as a rule by a fiftieth of that). With a tolerance of 0 it is right to rounding.
 *
 * About O(log n + edges of the boundary); O(n log n) for the first query of a mesh.
 */
export function windingNumberMesh(p: ReadonlyVec3, mesh: Mesh, tolerance = 0.05): number {
  checkPoint('windingNumberMesh', 'p', p);
  mustHave('windingNumberMesh', 'mesh', mesh, 'a mesh', 'tree');
  mustBeNumber('windingNumberMesh', 'tolerance', tolerance);
  if (!(tolerance >= 0 && tolerance < Infinity))
    refuse('windingNumberMesh', 'tolerance', `must be finite and not negative, got ${describe(tolerance)}`);
  const boundary = boundaryOf(mesh);
  return boundary.length <= MANY ? windingByRay(p, mesh, boundary) : solidAngle(p, mesh, tolerance);
}

/** Is the winding number around p greater than a half? @internal */
export function isSurrounded(p: ReadonlyVec3, mesh: Mesh): boolean {
  const boundary = boundaryOf(mesh);
  if (boundary.length <= MANY) return windingByRay(p, mesh, boundary) > 0.5;
  for (let tolerance = 0.2; tolerance > 0.01; tolerance *= 0.2) {
    const number = solidAngle(p, mesh, tolerance) - 0.5;
    if (Math.abs(number) > tolerance) return number > 0;
  }
  return solidAngle(p, mesh, 0) > 0.5;
}

/** The length of a boundary from which on moments are faster than curtains: 6 numbers an edge. */
const MANY = 6 * 8192;

/**
 * A sum of many angles without an arc tangent each: angles add up as complex numbers are multiplied, and a sum that leaves
 * (-π, π] shows in the signs of the imaginary parts.
 */
class AngleSum {
  /** The product so far, and the whole turns that it has lost. */
  private re = 0.5;
  private im = 0.5;
  private turns = 0;

  begin(): void {
    this.re = 1;
    this.im = 0;
    this.turns = 0;
  }

  /**
   * Adds the angle of re + i im, which is not to be π: its sign would be undecided. What has no angle is left out: as 0, the
   * corner of a triangle.
   */
  add(re: number, im: number): void {
    const size = Math.abs(re) + Math.abs(im);
    if (!(size > 0 && size < Infinity)) return;
    const newRe = (this.re * re - this.im * im) / size;
    const newIm = (this.re * im + this.im * re) / size;
    if (this.im >= 0) {
      if (im > 0 && newIm < 0) this.turns++;
    } else if (im < 0 && newIm >= 0) this.turns--;
    this.re = newRe;
    this.im = newIm;
  }

  /** The sum in turns of 2π. */
  inTurns(): number {
    return this.turns + atan2(this.im, this.re) * 0.15915494309189535; // 1 / 2π
  }
}

/** What to multiply by so that no part of the mesh is farther than about 1 from p: then products do not overflow. */
function unitFor(p: ReadonlyVec3, { bounds }: Mesh): number {
  const { min, max } = bounds;
  const x = Math.max(Math.abs(min.x - p.x), Math.abs(max.x - p.x));
  const y = Math.max(Math.abs(min.y - p.y), Math.abs(max.y - p.y));
  const z = Math.max(Math.abs(min.z - p.z), Math.abs(max.z - p.z));
  return 1 / Math.max(x, y, z, SMALLEST);
}
const SMALLEST = 1e-300;

/**
 * The winding number of a mesh with the given boundary around a point that is not on it. (Around one that is, the
 * number next to it in the direction of the ray.) Exact if there is no boundary, else to rounding.
 *
 * A mesh with a boundary is closed by curtains: from each edge of the boundary a strip to infinity, against the direction
 * of the ray, which thus meets none. What the curtains cover of the sphere around the point has a closed form, and is
 * taken off again. So the price of a hole is its rim.
 */
function windingByRay(point: ReadonlyVec3, mesh: Mesh, boundary: Float64Array): number {
  const { ray } = curtains;
  ray.aim(point, mesh);
  const through = isBeyondBounds(point, mesh) ? 0 : ray.crossings(point, mesh);
  if (boundary.length === 0) return through;
  curtains.unit = unitFor(point, mesh);
  return through + curtains.coverage(boundary);
}

/** In place of 0 where the sign is known. */
const NEXT_TO_NOTHING = 1e-200;

class Curtains {
  readonly ray = new AxisRay();
  /** What brings distances to about 1 or less. */
  unit = 0.5;
  private readonly angles = new AngleSum();
  private readonly end = vec3(0.5, 0.5, 0.5);
  private readonly from = vec3(0.5, 0.5, 0.5);
  private readonly to = vec3(0.5, 0.5, 0.5);

  /** What the curtains cover, as seen from the start of the ray, in units of the sphere. */
  coverage(boundary: Float64Array): number {
    const { ray, angles, end, from, to } = this;
    angles.begin();
    for (let i = 0; i < boundary.length; i += 6) {
      end.x = boundary[i]!;
      end.y = boundary[i + 1]!;
      end.z = boundary[i + 2]!;
      ray.rotate(end, from);
      end.x = boundary[i + 3]!;
      end.y = boundary[i + 4]!;
      end.z = boundary[i + 5]!;
      ray.rotate(end, to);
      this.add();
    }
    return angles.inTurns();
  }

  /**
   * Half the solid angle of the triangle of from, to and the end of the curtain: the limit of the formula of Van Oosterom
   * and Strackee (1983) as that corner goes to infinity. Where p is on the curtain the sign decides: it is that of p moved
   * by (δ, δ²), as for the ray. And where p is on the side of a curtain, seen from the moved p that side is an arc of 180°,
   * and the formula becomes its term in δ.
   */
  private add(): void {
    const { from, to, unit } = this;
    const { p, over, up } = this.ray;
    const orientation = -side(from, to, over, p);
    const left = orientation !== 0 ? orientation : from.y !== to.y ? from.y - to.y : to.x - from.x;
    if (left === 0) return; // a curtain without width
    const scale = up ? -unit : unit; // along the curtain is up
    const ux = (from.x - p.x) * unit;
    const uy = (from.y - p.y) * unit;
    const uz = (from.z - p.z) * scale;
    const vx = (to.x - p.x) * unit;
    const vy = (to.y - p.y) * unit;
    const vz = (to.z - p.z) * scale;
    let re: number;
    let im: number;
    if (ux === 0 && uy === 0 && uz < 0) {
      re = -vx;
      im = vy;
    } else if (vx === 0 && vy === 0 && vz < 0) {
      re = -ux;
      im = uy;
    } else {
      const u = Math.sqrt(ux * ux + uy * uy + uz * uz);
      const v = Math.sqrt(vx * vx + vy * vy + vz * vz);
      re = u * v + (ux * vx + uy * vy + uz * vz) + vz * u + uz * v;
      im = ux * vy - uy * vx;
    }
    im = Math.max(Math.abs(im), NEXT_TO_NOTHING);
    this.angles.add(re, left > 0 === up ? -im : im);
  }
}

const curtains = new Curtains();

/** Parts in far mode, about: an error is divided among so many. */
const PARTS = 256;
const NO_MOMENTS = new Float64Array(0);
/**
 * In units of the whole sphere, for closed meshes too. Each part is replaced by its moments if that is off by no more
 * than its share. There may be more parts than expected: then it is done again with smaller shares.
 *
 * @internal
 */
export function solidAngle(p: ReadonlyVec3, mesh: Mesh, tolerance: number): number {
  sum.x = p.x;
  sum.y = p.y;
  sum.z = p.z;
  sum.scale = unitFor(p, mesh);
  const moments = tolerance > 0 ? momentsOf(mesh) : NO_MOMENTS;
  for (sum.limit = tolerance / PARTS; ; sum.limit *= 0.25) {
    sum.addUp(mesh, moments);
    if (sum.error <= tolerance) break;
  }
  return sum.total();
}

const ONE_SPHERE = 0.07957747154594767; // 1 / 4π
/** Squared distances whose powers are finite and not 0. Beyond, triangles are added up one by one. */
const TINY = 1e-80;
const HUGE = 1e80;

/** A sum of solid angles seen from a point: parts that are far away by their moments, the others triangle by triangle. */
class SolidAngleSum {
  x = 0.5;
  y = 0.5;
  z = 0.5;
  /** What brings distances to 1 or less. */
  scale = 0.5;
  /** The most that one part may be off by. */
  limit = 0.5;
  /** A bound on the error of all parts. */
  error = 0.5;
  private far = 0.5;
  private readonly angles = new AngleSum();
  private readonly pending = new Int32Array(MAX_DEPTH + 2);
  private readonly corners = makeCorners();

  total(): number {
    return this.far + this.angles.inTurns();
  }

  addUp(mesh: Mesh, moments: Float64Array): void {
    const { links } = mesh.tree;
    const { pending } = this;
    this.far = 0;
    this.error = 0;
    this.angles.begin();
    pending[0] = 0;
    let top = 1;
    while (top > 0) {
      const node = pending[--top]!;
      if (moments.length > 0 && this.addPart(moments, nodeNumber(node) * MOMENTS)) continue;
      for (let child = 0; child < 2; child++) {
        const link = links[linkAt(node, child)]!;
        if (!isLeaf(link)) pending[top++] = link;
        else for (let i = leafFirst(link), end = leafEnd(link); i < end; i++) this.addTriangle(mesh, i);
      }
    }
  }

  /**
   * Adds a part by its moments, if it is far enough away.
   *
   * With r from p to the centre c of the part, the solid angle is the integral of ∇(1/|r + h|) · n over the h of the
   * part. Expanded in solid harmonics of h, term l is no greater than l |h|^(l-1) / |r|^(l+1) (Szegő 1928 on the gradient
   * of a Legendre polynomial). The first two are added here; with ρ = R / |r|, all others add up to
   * (3 ρ² - 2 ρ³) / (1 - ρ)² / |r|², for each unit of area.
   */
  private addPart(moments: Float64Array, at: number): boolean {
    const x = moments[at]! - this.x;
    const y = moments[at + 1]! - this.y;
    const z = moments[at + 2]! - this.z;
    const radiusSq = moments[at + 3]!;
    const rr = x * x + y * y + z * z;
    if (!(rr > 2 * radiusSq && rr > TINY && rr < HUGE)) return false;
    const ratioSq = radiusSq / rr;
    const ratio = Math.sqrt(ratioSq);
    const rest = 1 - ratio;
    const error = (ONE_SPHERE * moments[at + 4]! * ratioSq * (3 - 2 * ratio)) / (rest * rest * rr);
    if (!(error <= this.limit)) return false;
    const dipole = moments[at + 5]! * x + moments[at + 6]! * y + moments[at + 7]! * z;
    const quadrupole =
      moments[at + 8]! * x * x +
      moments[at + 9]! * y * y +
      moments[at + 10]! * z * z +
      moments[at + 11]! * x * y +
      moments[at + 12]! * y * z +
      moments[at + 13]! * z * x;
    this.far += (ONE_SPHERE * (dipole + moments[at + 14]! - (3 * quadrupole) / rr)) / (rr * Math.sqrt(rr));
    this.error += error;
    return true;
  }

  /**
   * Adds a triangle: half its solid angle is the angle of re + i im (Van Oosterom and Strackee 1983).
   */
  private addTriangle(mesh: Mesh, i: number): void {
    const { x: px, y: py, z: pz, scale, corners } = this;
    loadTriangle(mesh, i, corners);
    const { a, b, c } = corners;
    const ax = (a.x - px) * scale;
    const ay = (a.y - py) * scale;
    const az = (a.z - pz) * scale;
    const bx = (b.x - px) * scale;
    const by = (b.y - py) * scale;
    const bz = (b.z - pz) * scale;
    const cx = (c.x - px) * scale;
    const cy = (c.y - py) * scale;
    const cz = (c.z - pz) * scale;
    const im = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    // In the plane of the triangle its solid angle is 0; on it, the mean of those on both sides is.
    if (im === 0) return;
    const la = Math.sqrt(ax * ax + ay * ay + az * az);
    const lb = Math.sqrt(bx * bx + by * by + bz * bz);
    const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const re =
      la * lb * lc +
      (ax * bx + ay * by + az * bz) * lc +
      (bx * cx + by * cy + bz * cz) * la +
      (cx * ax + cy * ay + cz * az) * lb;
    this.angles.add(re, im);
  }
}

const sum = new SolidAngleSum();
