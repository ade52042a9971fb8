import {
  classifyPointThickPlane,
  classifyPolygonThickPlane,
  classifySegmentThickPlane,
  clipPolygonThickPlane,
  splitPolygonThickPlane,
  thickPlaneRadius,
} from '../../src/bsp/thick-plane.ts';
import {
  compensatedSum,
  differenceOfProducts,
  productError,
  sqrtIncrement,
  sumError,
} from '../../src/math/accurate.ts';
import * as float from '../../src/math/float.ts';
import * as interval from '../../src/math/interval.ts';
import { makeInterval } from '../../src/math/interval.ts';
import { inCircle, inSphere, orient2d, orient3d } from '../../src/math/predicates.ts';
import { makeRoots, solveLinear, solveQuadratic } from '../../src/math/roots.ts';
import { equalAbsolute, equalCombined, equalRelative, inRange } from '../../src/math/tolerance.ts';
import { oneMinusCos } from '../../src/math/trig.ts';
import { vec2, vec3 } from '../../src/math/types.ts';
import {
  classifyAabbImplicit,
  classifyAabbSphere,
  differenceImplicit,
  intersectionImplicit,
  unionImplicit,
} from '../../src/rtcd/ch03/implicit.ts';
import * as integer from '../../src/rtcd/ch11/integer.ts';
import {
  segmentIntegerPlane,
  sideOfIntegerPlane,
  stopAtIntegerPlanes,
} from '../../src/rtcd/ch11/integer-plane.ts';
import { compareRational, isUnitFraction } from '../../src/rtcd/ch11/rational.ts';
import { digitsLost, probe } from '../../src/rtcd/ch11/stability.ts';
import type { Sample } from '../kit/index.ts';

const arithmetic = 'plain arithmetic: NaN in, NaN out';
const intervals = 'plain arithmetic: ends may be infinite';
const bigInts = 'BigInt arithmetic allocates';

const [o, x, y, z] = [vec3(), vec3(1), vec3(0, 1), vec3(0, 0, 1)];
const plane = { normal: vec3(0, 1, 0), d: 0.5, radius: 0.01 };
const triangle = [vec3(0.1, 0.2, 0.3), vec3(1.5, 0.4, 0.1), vec3(0.2, 1.5, 0.7)];
const box = { min: vec3(-0.5, -0.5, -0.5), max: vec3(0.5, 1.5, 2.5) };
const floor = { normal: vec3(1, 2, 3), offset: 4n };
const [a, b] = [makeInterval(0.1, 0.3), makeInterval(1.7, 2.9)];

export const samples: Sample[] = [
  { fn: float.ulp, args: { x: 1.5 }, unchecked: arithmetic },
  { fn: float.nextUp, args: { x: 1.5 }, unchecked: arithmetic },
  { fn: float.nextDown, args: { x: 1.5 }, unchecked: arithmetic },
  { fn: float.nextUpF32, args: { x: 1.5 }, unchecked: arithmetic },
  { fn: float.nextDownF32, args: { x: 1.5 }, unchecked: arithmetic },
  { fn: float.roundUpF32, args: { x: 0.1 }, unchecked: arithmetic },
  { fn: float.roundDownF32, args: { x: 0.1 }, unchecked: arithmetic },
  { fn: float.sortKeyF32, args: { x: 1.5 }, unchecked: 'every number has a key' },
  { fn: float.fromSortKeyF32, args: { key: 0x80000000 }, unchecked: 'every key has a number' },
  { fn: float.sortKeyF64, args: { x: 1.5 }, out: float.makeWord64(), unchecked: 'every number has a key' },
  {
    fn: float.fromSortKeyF64,
    args: { key: { high: 0x80000000, low: 1 } },
    unchecked: 'every key has a number',
  },
  { fn: float.exponent, args: { x: 1.5 }, unchecked: arithmetic },
  { fn: float.scalb, args: { x: 1.5, n: -3 }, unchecked: arithmetic },

  { fn: sumError, args: { a: 1.5, b: 1e-9, sum: 1.5 + 1e-9 }, unchecked: arithmetic },
  { fn: productError, args: { a: 1.1, b: 1.3, product: 1.1 * 1.3 }, unchecked: arithmetic },
  { fn: differenceOfProducts, args: { a: 1.1, b: 1.3, c: 1.2, d: 1.1916 }, unchecked: arithmetic },
  { fn: compensatedSum, args: { values: [0.1, 0.2, 0.3] } },
  { fn: sqrtIncrement, args: { x: 2.5, dx: 0.5 } },
  { fn: oneMinusCos, args: { x: 0.5 } },

  { fn: solveQuadratic, args: { a: 1.5, b: -2.5, c: 0.5 }, out: makeRoots() },
  { fn: solveLinear, args: { a: 1.5, b: -2.5 }, out: makeRoots() },

  { fn: orient2d, args: { a: vec2(0.1, 0.2), b: vec2(1.5, 0.3), c: vec2(0.4, 1.6) } },
  { fn: orient3d, args: { a: o, b: x, c: y, d: z } },
  { fn: inCircle, args: { a: vec2(0.1, 0.2), b: vec2(1.5, 0.3), c: vec2(0.4, 1.6), d: vec2(0.5, 0.5) } },
  { fn: inSphere, args: { a: o, b: x, c: y, d: z, e: vec3(0.2, 0.3, 0.4) } },

  { fn: inRange, args: { x: 0.5, low: 0, high: 1 }, unchecked: 'made to answer no to NaN' },
  { fn: equalAbsolute, args: { x: 0.5, y: 0.6, epsilon: 0.2 } },
  { fn: equalRelative, args: { x: 0.5, y: 0.6, epsilon: 0.2 } },
  { fn: equalCombined, args: { x: 0.5, y: 0.6, epsilon: 0.2 } },

  { fn: thickPlaneRadius, args: { extent: 1.5 } },
  { fn: classifyPointThickPlane, args: { p: vec3(0.1, 0.2, 0.3), plane } },
  { fn: classifySegmentThickPlane, args: { a: vec3(0.1, 0.2, 0.3), b: vec3(0.1, 1.2, 0.3), plane } },
  { fn: classifyPolygonThickPlane, args: { vertices: triangle, plane } },
  {
    fn: splitPolygonThickPlane,
    args: { vertices: triangle, plane },
    out: { front: [], back: [] },
    allocates: 'the parts have new vertices',
  },
  { fn: clipPolygonThickPlane, args: { vertices: triangle, plane } },

  { fn: interval.add, args: { a, b }, out: makeInterval(), unchecked: intervals },
  { fn: interval.sub, args: { a, b }, out: makeInterval(), unchecked: intervals },
  { fn: interval.mul, args: { a, b }, out: makeInterval(), unchecked: intervals },
  { fn: interval.div, args: { a, b }, out: makeInterval(), unchecked: intervals },
  { fn: interval.square, args: { a }, out: makeInterval(), unchecked: intervals },
  { fn: interval.sqrt, args: { a }, out: makeInterval(), unchecked: intervals },
  { fn: classifyAabbImplicit, args: { box, f: (s: unknown) => s, depth: 1 } },
  { fn: unionImplicit, args: { f: (s: unknown) => s, g: (s: unknown) => s } },
  { fn: intersectionImplicit, args: { f: (s: unknown) => s, g: (s: unknown) => s } },
  { fn: differenceImplicit, args: { f: (s: unknown) => s, g: (s: unknown) => s } },
  { fn: classifyAabbSphere, args: { box, sphere: { center: vec3(0.1, 0.2, 0.3), radius: 1.5 } } },

  { fn: integer.addInt32, args: { a: 5, b: 7 } },
  { fn: integer.subInt32, args: { a: 5, b: 7 } },
  { fn: integer.mulInt32, args: { a: 5, b: 7 } },
  { fn: integer.addInt53, args: { a: 5, b: 7 } },
  { fn: integer.subInt53, args: { a: 5, b: 7 } },
  { fn: integer.mulInt53, args: { a: 5, b: 7 } },
  { fn: integer.add64, args: { a: { high: 1, low: 2 }, b: { high: 3, low: 4 } }, out: float.makeWord64() },
  { fn: integer.mulUint32, args: { a: 3000000000, b: 7 }, out: float.makeWord64() },
  { fn: integer.mulInt32Wide, args: { a: -2000000000, b: 7 }, out: float.makeWord64() },
  { fn: isUnitFraction, args: { numerator: 1, denominator: 3 }, unchecked: 'made to answer no to NaN' },
  { fn: compareRational, args: { a: 1, b: 3, c: 2, d: 5 } },
  { fn: sideOfIntegerPlane, args: { p: vec3(1, 2, 3), plane: floor } },
  {
    fn: segmentIntegerPlane,
    args: { a: vec3(9, 9, 9), b: vec3(-9, -8, -7), plane: floor },
    out: vec3(),
    allocates: bigInts,
  },
  {
    fn: stopAtIntegerPlanes,
    args: { a: vec3(9, 9, 9), b: vec3(-9, -8, -7), planes: [floor] },
    out: vec3(),
    allocates: bigInts,
  },

  {
    fn: digitsLost,
    args: { x: 1, y: 1.1 },
    unchecked: 'tells how far two results, whatever they are, agree',
  },
  { fn: probe, args: { f: (s: number, t: number) => s * t, args: [0.5, 1.5] } },
];
