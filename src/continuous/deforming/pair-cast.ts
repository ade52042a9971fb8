/**
 * A vertex and a face, or two edges, whose vertices move in straight lines: the filters first, exact arithmetic where they
 * cannot decide; then what there is to say about the contact.
 */
import { type Vec3, vec3 } from '../../math/types.ts';
import { EDGE_WEIGHTS, ExactContact, exactContact, FACE_WEIGHTS } from './exact-contact.ts';
import { exactSeparation } from './exact-separation.ts';
import { Filter, HIT, UNSURE } from './filter.ts';
import { SeparationFilter } from './separation-filter.ts';

/** The first contact of two primitives that move. */
export interface DeformingHit {
  /** When, in [0, 1]. Never later than the exact time, and earlier by at most 1e-12 of it. */
  t: number;
  /** Where: on the vertex, or on the first edge. */
  point: Vec3;
  /** Out of the face towards where the vertex came from; or out of the second edge towards the first. A unit vector. */
  normal: Vec3;
  /**
   * The weights of the four vertices: 1 and those of the face's three; or two for each edge. Those of each thing sum up to 1, and
   * its point of contact is the weighted sum of its vertices at time t.
   */
  readonly weights: Float64Array;
}

export const makeDeformingHit = (): DeformingHit => ({
  t: 0.5,
  point: vec3(0.5, 0.5, 0.5),
  normal: vec3(0.5, 0.5, 0.5),
  weights: new Float64Array(4),
});

const FILTER = 0;
const EXACT = 1;
const SEPARATION = 2;

export class PairCast {
  /** The four points at t = 0 and at t = 1: what is asked about. */
  readonly numbers = new Float64Array(24);
  /** They touch when they are as near as this. */
  separation = 0.5;
  /** The time of a hit. */
  t = 0.5;
  /** How often exact arithmetic was needed. */
  exactCount = 0;
  private by = FILTER;
  private readonly filter = new Filter();
  private readonly exact = new ExactContact();
  private readonly apart = new SeparationFilter();
  private readonly edge = vec3(0.5, 0.5, 0.5);
  private readonly velocity = vec3(0.5, 0.5, 0.5);

  /** Do they touch? Sets `t` if so. */
  cast(isFace: boolean): boolean {
    if (this.separation > 0) return this.castApart(isFace);
    const { filter, exact } = this;
    const found = isFace ? filter.vertexFace(this.numbers, 0) : filter.edgeEdge(this.numbers, 0);
    this.by = FILTER;
    this.t = filter.t;
    if (found !== UNSURE) return found === HIT;
    this.exactCount++;
    this.by = EXACT;
    const isHit = exactContact(this.numbers, isFace, exact);
    this.t = exact.t;
    return isHit;
  }

  private castApart(isFace: boolean): boolean {
    const { apart } = this;
    this.by = SEPARATION;
    apart.load(this.numbers, 0, isFace);
    apart.distance = this.separation;
    const found = apart.first();
    this.t = apart.t;
    if (found !== UNSURE) return found === HIT;
    this.exactCount++;
    const t = exactSeparation(this.numbers, isFace, this.separation);
    this.t = t;
    return t >= 0;
  }

  /** Describes the hit that `cast` has found. */
  write(isFace: boolean, out: DeformingHit): void {
    const { numbers, t, apart } = this;
    const { point, weights } = out;
    out.t = t;
    apart.load(numbers, 0, isFace);
    apart.t = t;
    apart.closest();
    weights[0] = isFace ? 1 : 1 - apart.u;
    weights[1] = apart.u;
    weights[2] = isFace ? apart.v : 1 - apart.v;
    weights[3] = isFace ? apart.w : apart.v;
    const first = isFace ? 1 : weights[0]!;
    const second = isFace ? 0 : weights[1]!;
    const s = 1 - t;
    point.x = first * (s * numbers[0]! + t * numbers[12]!) + second * (s * numbers[3]! + t * numbers[15]!);
    point.y = first * (s * numbers[1]! + t * numbers[13]!) + second * (s * numbers[4]! + t * numbers[16]!);
    point.z = first * (s * numbers[2]! + t * numbers[14]!) + second * (s * numbers[5]! + t * numbers[17]!);
    this.setVelocity(isFace, weights);
    if (this.by === SEPARATION ? this.writeApart(out) : this.by === EXACT && this.exact.edge >= 0) {
      this.setEdge(isFace);
      this.writeAgainst(out.normal);
    } else if (this.by !== SEPARATION) this.writePlane(isFace, out.normal);
  }

  /** The velocity of the first thing's point of contact relative to the second's. */
  private setVelocity(isFace: boolean, weights: Float64Array): void {
    const { numbers, velocity } = this;
    velocity.x = velocity.y = velocity.z = 0;
    for (let i = 0; i < 4; i++) {
      const weight = (isFace ? i < 1 : i < 2) ? weights[i]! : -weights[i]!;
      velocity.x += weight * (numbers[12 + 3 * i]! - numbers[3 * i]!);
      velocity.y += weight * (numbers[13 + 3 * i]! - numbers[3 * i + 1]!);
      velocity.z += weight * (numbers[14 + 3 * i]! - numbers[3 * i + 2]!);
    }
  }

  /** From one closest point to the other. Returns whether there is no such direction. */
  private writeApart({ normal }: DeformingHit): boolean {
    const { direction } = this.apart;
    normal.x = direction.x;
    normal.y = direction.y;
    normal.z = direction.z;
    const isNone = !normalize(normal);
    if (isNone) this.exact.edge = -1;
    return isNone;
  }

  /** The normal of the face, or of the plane of both edges, towards where the first thing came from. */
  private writePlane(isFace: boolean, normal: Vec3): void {
    const { exact, velocity } = this;
    let side: number;
    if (this.by === EXACT) {
      normal.x = exact.normal[0]!;
      normal.y = exact.normal[1]!;
      normal.z = exact.normal[2]!;
      side = -exact.side;
    } else {
      const { numbers: n, t } = this;
      // b - a and c - a of the face, or the two edges.
      const i = isFace ? 3 : 0;
      const j = isFace ? 3 : 6;
      const k = isFace ? 6 : 3;
      const ux = (1 - t) * (n[k]! - n[i]!) + t * (n[k + 12]! - n[i + 12]!);
      const uy = (1 - t) * (n[k + 1]! - n[i + 1]!) + t * (n[k + 13]! - n[i + 13]!);
      const uz = (1 - t) * (n[k + 2]! - n[i + 2]!) + t * (n[k + 14]! - n[i + 14]!);
      const vx = (1 - t) * (n[9]! - n[j]!) + t * (n[21]! - n[j + 12]!);
      const vy = (1 - t) * (n[10]! - n[j + 1]!) + t * (n[22]! - n[j + 13]!);
      const vz = (1 - t) * (n[11]! - n[j + 2]!) + t * (n[23]! - n[j + 14]!);
      normal.x = uy * vz - uz * vy;
      normal.y = uz * vx - ux * vz;
      normal.z = ux * vy - uy * vx;
      side = -this.filter.side;
    }
    if (!normalize(normal)) {
      exact.edge = -1;
      this.setEdge(isFace);
      this.writeAgainst(normal);
      return;
    }
    // The volume is positive where the first thing is behind the normal. In touch from the start: against the velocity.
    if (side === 0) side = normal.x * velocity.x + normal.y * velocity.y + normal.z * velocity.z > 0 ? -1 : 1;
    if (side < 0) {
      normal.x = 0 - normal.x;
      normal.y = 0 - normal.y;
      normal.z = 0 - normal.z;
    }
  }

  /** The direction of the edge that a vertex is on where all is on one line; 0 if there is none. */
  private setEdge(isFace: boolean): void {
    const { edge, numbers: n, t } = this;
    edge.x = edge.y = edge.z = 0;
    const number = this.exact.edge;
    if (number < 0) return;
    // The differences of a weight differ in one of their two points: from there to there the edge goes.
    const [i, j] = (isFace ? FACE_WEIGHTS : EDGE_WEIGHTS)[number]!;
    const isFirst = (i & 1) !== (j & 1);
    const from = 3 * (isFace ? i + 1 : isFirst ? i & 1 : 2 + (i >> 1));
    const to = 3 * (isFace ? j + 1 : isFirst ? j & 1 : 2 + (j >> 1));
    edge.x = (1 - t) * (n[to]! - n[from]!) + t * (n[to + 12]! - n[from + 12]!);
    edge.y = (1 - t) * (n[to + 1]! - n[from + 1]!) + t * (n[to + 13]! - n[from + 13]!);
    edge.z = (1 - t) * (n[to + 2]! - n[from + 2]!) + t * (n[to + 14]! - n[from + 14]!);
    normalize(edge);
  }

  /** A normal against the velocity and across the edge, as far as there are any. */
  private writeAgainst(normal: Vec3): void {
    const { velocity, edge } = this;
    const { x, y, z } = edge;
    normalize(velocity);
    const along = velocity.x * x + velocity.y * y + velocity.z * z;
    normal.x = along * x - velocity.x;
    normal.y = along * y - velocity.y;
    normal.z = along * z - velocity.z;
    if (normal.x * normal.x + normal.y * normal.y + normal.z * normal.z < 1e-20) {
      // Along the edge, or at rest: any direction across.
      const isX = Math.abs(x) <= Math.abs(y) && Math.abs(x) <= Math.abs(z);
      normal.x = isX ? 0 : y;
      normal.y = isX ? z : -x;
      normal.z = isX ? -y : 0;
    }
    if (!normalize(normal)) normal.z = 1;
  }
}

/** Makes a unit vector of it; false, and 0, if it has no length. */
function normalize(v: Vec3): boolean {
  const largest = Math.max(Math.abs(v.x), Math.abs(v.y), Math.abs(v.z));
  if (!(largest > 0 && largest < Infinity)) {
    v.x = v.y = v.z = 0;
    return false;
  }
  const x = v.x / largest;
  const y = v.y / largest;
  const z = v.z / largest;
  const scale = 1 / Math.sqrt(x * x + y * y + z * z);
  // + 0: no -0 comes out.
  v.x = x * scale + 0;
  v.y = y * scale + 0;
  v.z = z * scale + 0;
  return true;
}
