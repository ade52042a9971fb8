/**
 * When do two primitives touch whose vertices move in straight lines? Decided in whole numbers, slowly and simply: every
 * time at which a contact can begin is a root of one of a few polynomials. At each root the definition of touching is looked
 * at, as signs of polynomials there, which Tarski queries give (Sturm chains; Basu, Pollack, Roy 2006, §2.2). No interval is
 * refined to decide a sign, and nothing is shared with what is tested.
 */
import { q } from './exact.ts';

/** Whole coefficients, that of 1 first. */
type Poly = readonly bigint[];
type PolyVec = readonly [Poly, Poly, Poly];
export type PrimitivePair = 'vertex-face' | 'edge-edge';

const trim = (p: bigint[]): Poly => {
  while (p.length > 0 && p[p.length - 1] === 0n) p.pop();
  return p;
};
const plus = (a: Poly, b: Poly): Poly =>
  trim(Array.from({ length: Math.max(a.length, b.length) }, (_, i) => (a[i] ?? 0n) + (b[i] ?? 0n)));
const times = (a: Poly, b: Poly): Poly => {
  const sum: bigint[] = new Array(Math.max(0, a.length + b.length - 1)).fill(0n);
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) sum[i + j]! += a[i]! * b[j]!;
  return trim(sum);
};
const minus = (a: Poly, b: Poly): Poly => plus(a, times(b, [-1n]));
const derivative = (a: Poly): Poly => trim(a.slice(1).map((x, i) => x * BigInt(i + 1)));
const abs = (x: bigint): bigint => (x < 0n ? -x : x);
function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return abs(a);
}
/** Divided by what all coefficients have in common. */
function short(a: Poly): Poly {
  const common = a.reduce(gcd, 0n);
  return common > 1n ? a.map((x) => x / common) : a;
}
/** A positive multiple of the remainder of a / b. */
function remainder(a: Poly, b: Poly): Poly {
  const lead = b[b.length - 1]!;
  let rest = a;
  while (rest.length >= b.length) {
    const top = rest[rest.length - 1]! * (lead < 0n ? -1n : 1n);
    const shifted = [...new Array(rest.length - b.length).fill(0n), ...b];
    rest = minus(times(rest, [abs(lead)]), times(shifted, [top]));
  }
  // Worth its time where there are many steps to come.
  return b.length > 4 ? short(rest) : rest;
}

/** n / 2^k. */
interface Dyadic {
  readonly n: bigint;
  readonly k: bigint;
}
function signAt(p: Poly, { n, k }: Dyadic): number {
  let sum = 0n;
  for (let i = p.length - 1, scale = 0n; i >= 0; i--, scale += k) sum = sum * n + (p[i]! << scale);
  return sum > 0n ? 1 : sum < 0n ? -1 : 0;
}
function variations(chain: readonly Poly[], at: Dyadic): number {
  let count = 0;
  let last = 0;
  for (const p of chain) {
    const s = signAt(p, at);
    if (s !== 0 && s === -last) count++;
    if (s !== 0) last = s;
  }
  return count;
}
/** The chain whose variations count the roots of f, each with the sign of g there. */
function chainOf(f: Poly, g: Poly): readonly Poly[] {
  const chain = [f];
  let next = remainder(times(derivative(f), g), f);
  while (next.length > 0) {
    chain.push(next);
    next = remainder(chain[chain.length - 2]!, next).map((x) => -x);
  }
  return chain;
}

/** The only root of f between two numbers that are none. */
export class Root {
  readonly f: Poly;
  readonly low: Dyadic;
  readonly high: Dyadic;
  private readonly counting: readonly Poly[];

  constructor(counting: readonly Poly[], low: Dyadic, high: Dyadic) {
    this.f = counting[0]!;
    this.counting = counting;
    this.low = low;
    this.high = high;
  }

  /** The sign of g at the root. */
  sign(g: Poly): number {
    const chain = chainOf(this.f, g);
    return variations(chain, this.low) - variations(chain, this.high);
  }

  /** The sign of the root minus x: is it among the roots between x and the upper end? */
  compare(x: number): number {
    const { n, d } = q(x);
    const at = { n, k: BigInt(d.toString(2).length - 1) };
    if (isBelow(at, this.low)) return 1;
    if (isBelow(this.high, at)) return -1;
    if (signAt(this.f, at) === 0) return 0;
    return variations(this.counting, at) > variations(this.counting, this.high) ? 1 : -1;
  }
}

const isBelow = (a: Dyadic, b: Dyadic): boolean => a.n << b.k < b.n << a.k;

/** The roots of f between about -1 and 2; none of them, if none is in [0, 1]. */
function rootsOf(f: Poly): Root[] {
  if (f.length < 2) return [];
  const counting = chainOf(f, [1n]);
  const [zero, one] = [
    { n: 0n, k: 0n },
    { n: 1n, k: 0n },
  ];
  if (
    signAt(f, zero) !== 0 &&
    signAt(f, one) !== 0 &&
    variations(counting, zero) === variations(counting, one)
  )
    return [];
  const roots: Root[] = [];
  const free = (low: bigint, high: bigint, k: bigint): Dyadic => {
    // Between the two, none of at most six roots: one of these.
    for (let i = 8n; ; i = (i * 5n) % 17n) {
      const at = { n: low * (16n - i) + high * i, k: k + 4n };
      if (signAt(f, at) !== 0) return at;
    }
  };
  const search = (low: Dyadic, high: Dyadic): void => {
    const count = variations(counting, low) - variations(counting, high);
    if (count === 1) roots.push(new Root(counting, low, high));
    if (count <= 1) return;
    // biome-ignore lint/complexity/useMathMinMax: these are big integers
    const k = low.k < high.k ? high.k : low.k;
    const middle = free(low.n << (k - low.k), high.n << (k - high.k), k);
    search(low, middle);
    search(middle, high);
  };
  search(free(-2n, -1n, 0n), free(2n, 3n, 0n));
  return roots;
}

const sub = (a: PolyVec, b: PolyVec): PolyVec => [minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2])];
const dot = (a: PolyVec, b: PolyVec): Poly =>
  plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
const cross = (a: PolyVec, b: PolyVec): PolyVec => [
  minus(times(a[1], b[2]), times(a[2], b[1])),
  minus(times(a[2], b[0]), times(a[0], b[2])),
  minus(times(a[0], b[1]), times(a[1], b[0])),
];

/** The four points and the distance as whole numbers of one unit; a point is start + t (end - start). */
function read(numbers: ArrayLike<number>, distance: number): { points: PolyVec[]; d: bigint } {
  const all = [...Array.from({ length: 24 }, (_, i) => numbers[i]!), distance].map(q);
  let unit = 1n;
  for (const { d } of all) if (d > unit) unit = d;
  const whole = all.map(({ n, d }) => n * (unit / d));
  const line = (i: number): Poly => trim([whole[i]!, whole[12 + i]! - whole[i]!]);
  return {
    points: [0, 3, 6, 9].map((i): PolyVec => [line(i), line(i + 1), line(i + 2)]),
    d: whole[24]!,
  };
}

/** p against the segment ab, closer than d. */
class PointSegment {
  private readonly w: PolyVec;
  private readonly e: PolyVec;
  private readonly dd: Poly;

  constructor(p: PolyVec, a: PolyVec, b: PolyVec, dd: Poly) {
    this.w = sub(p, a);
    this.e = sub(b, a);
    this.dd = dd;
  }

  /** Each time at which they begin to touch is a root of one of these. */
  candidates(): Poly[] {
    const { w, e, dd } = this;
    const far = sub(w, e);
    const lines = minus(dot(cross(w, e), cross(w, e)), times(dd, dot(e, e)));
    return [
      lines,
      minus(dot(w, w), dd),
      minus(dot(far, far), dd),
      dot(w, e),
      dot(far, e),
      ...(dd.length === 0 ? cross(w, e) : []),
    ];
  }

  touches(at: Root): boolean {
    const { w, e, dd } = this;
    const far = sub(w, e);
    if (at.sign(minus(dot(w, w), dd)) <= 0 || at.sign(minus(dot(far, far), dd)) <= 0) return true;
    if (at.sign(dot(e, e)) === 0 || at.sign(dot(w, e)) < 0 || at.sign(dot(far, e)) > 0) return false;
    return at.sign(minus(dot(cross(w, e), cross(w, e)), times(dd, dot(e, e)))) <= 0;
  }
}

/** All times in [0, 1] among which is the first at which they are within the distance of each other; none if they never are. */
export function touchTimes(pair: PrimitivePair, numbers: ArrayLike<number>, distance = 0): Root[] {
  const { points, d } = read(numbers, distance);
  const [p, a, b, c] = points as [PolyVec, PolyVec, PolyVec, PolyVec];
  const dd = trim([d * d]);
  const isFace = pair === 'vertex-face';
  // The plane of both: p = a + β e + γ g, or p + β e = b + γ g for the edges pa and bc.
  const e = isFace ? sub(b, a) : sub(a, p);
  const g = isFace ? sub(c, a) : sub(c, b);
  const w = isFace ? sub(p, a) : sub(b, p);
  const n = cross(e, g);
  const volume = dot(n, w);
  const isInRange = (root: Root) => root.compare(0) >= 0 && root.compare(1) <= 0;
  const isPlain = d === 0n && volume.length > 0;
  const inPlane = isPlain ? rootsOf(volume).filter(isInRange) : [];
  if (isPlain && inPlane.length === 0) return [];

  const segments = isFace
    ? [new PointSegment(p, a, b, dd), new PointSegment(p, b, c, dd), new PointSegment(p, c, a, dd)]
    : [
        new PointSegment(p, b, c, dd),
        new PointSegment(a, b, c, dd),
        new PointSegment(b, p, a, dd),
        new PointSegment(c, p, a, dd),
      ];
  const nn = dot(n, n);
  const height = minus(times(volume, volume), times(dd, nn));
  const beta = dot(cross(w, g), n);
  const gamma = isFace ? dot(cross(e, w), n) : dot(cross(w, e), n);
  const limits = isFace
    ? [beta, gamma, minus(minus(nn, beta), gamma)]
    : [beta, gamma, minus(nn, beta), minus(nn, gamma)];
  const touches = (at: Root): boolean =>
    (at.sign(height) <= 0 && at.sign(nn) > 0 && limits.every((limit) => at.sign(limit) >= 0)) ||
    segments.some((segment) => segment.touches(at));
  if (isPlain) return inPlane.filter(touches);
  return [[0n, 1n], height, ...segments.flatMap((segment) => segment.candidates())]
    .flatMap(rootsOf)
    .filter((root) => isInRange(root) && touches(root));
}
