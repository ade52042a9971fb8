import * as barycentric from '../../src/math/barycentric.ts';
import { eigenSymmetric, makeEigen } from '../../src/math/eigen.ts';
import * as line from '../../src/math/line.ts';
import * as m2 from '../../src/math/mat2.ts';
import * as m3 from '../../src/math/mat3.ts';
import * as planes from '../../src/math/plane.ts';
import * as poses from '../../src/math/pose.ts';
import * as q4 from '../../src/math/quat.ts';
import * as solve from '../../src/math/solve.ts';
import * as trig from '../../src/math/trig.ts';
import type { Mat3, Plane, Pose } from '../../src/math/types.ts';
import { mat2, mat3, plane, pose, quat, vec2, vec3 } from '../../src/math/types.ts';
import * as v2 from '../../src/math/vec2.ts';
import * as v3 from '../../src/math/vec3.ts';
import type { Sample } from '../kit/sample.ts';

const ARITHMETIC = 'plain arithmetic: numbers in, numbers out, as IEEE 754 says';
const LIKE_MATH = 'NaN and infinities come out as from the Math functions of the same name';

const arithmetic = (fn: Sample['fn'], args: Sample['args'], out?: unknown): Sample =>
  out === undefined ? { fn, args, unchecked: ARITHMETIC } : { fn, args, out, unchecked: ARITHMETIC };

const p2 = { a: vec2(1.5, -2), b: vec2(0.25, 3) };
const p3 = { a: vec3(1.5, -2, 0.5), b: vec3(0.25, 3, -1) };
const q = quat(0.1, 0.7, -0.1, 0.7);
const turned = quat(0.5, 0.5, -0.5, 0.5);
const angled = m2.set(2, 1, -1, 3);
const skewed: Mat3 = { elements: [2, 1, 0, -1, 3, 0.5, 0.25, 1, 4] };
const symmetric: Mat3 = { elements: [4, 1, 0.5, 1, 3, -1, 0.5, -1, 2] };
const place: Pose = { position: vec3(1, 2, 3), quaternion: turned };
const floor: Plane = { normal: vec3(0.6, 0.8, 0), d: 2 };
const corners = { a: vec3(0, 0, 0.5), b: vec3(3, 0.25, 0), c: vec3(0.5, 2, 1) };
const weights = { u: 0.5, v: 0.3, w: 0.2 };
const plucker = (x: number): line.Plucker => ({ direction: vec3(x, 1, 0), moment: vec3(1, -x, 2) });

const vectors2: Sample[] = [
  arithmetic(v2.set, { x: 1, y: 2 }, vec2()),
  arithmetic(v2.copy, { a: p2.a }, vec2()),
  arithmetic(v2.add, p2, vec2()),
  arithmetic(v2.sub, p2, vec2()),
  arithmetic(v2.scale, { a: p2.a, s: 2.5 }, vec2()),
  arithmetic(v2.negate, { a: p2.a }, vec2()),
  arithmetic(v2.addScaled, { ...p2, s: 0.5 }, vec2()),
  arithmetic(v2.multiply, p2, vec2()),
  arithmetic(v2.min, p2, vec2()),
  arithmetic(v2.max, p2, vec2()),
  arithmetic(v2.abs, { a: p2.a }, vec2()),
  arithmetic(v2.lerp, { ...p2, t: 0.25 }, vec2()),
  arithmetic(v2.dot, p2),
  arithmetic(v2.perp, { a: p2.a }, vec2()),
  arithmetic(v2.perpDot, p2),
  arithmetic(v2.lengthSq, { a: p2.a }),
  arithmetic(v2.length, { a: p2.a }),
  arithmetic(v2.distanceSq, p2),
  arithmetic(v2.distance, p2),
  arithmetic(v2.normalize, { a: p2.a }, vec2()),
  arithmetic(v2.project, p2, vec2()),
  arithmetic(v2.reject, p2, vec2()),
  arithmetic(v2.angle, p2),
  arithmetic(v2.signedAngle, p2),
  arithmetic(v2.transform, { a: p2.a, m: angled }, vec2()),
  arithmetic(v2.transformTransposed, { a: p2.a, m: angled }, vec2()),
  arithmetic(v2.equals, p2),
  arithmetic(v2.perpendicular, { a: p2.a }, vec2()),
];

const vectors3: Sample[] = [
  arithmetic(v3.set, { x: 1, y: 2, z: 3 }, vec3()),
  arithmetic(v3.copy, { a: p3.a }, vec3()),
  arithmetic(v3.add, p3, vec3()),
  arithmetic(v3.sub, p3, vec3()),
  arithmetic(v3.scale, { a: p3.a, s: 2.5 }, vec3()),
  arithmetic(v3.negate, { a: p3.a }, vec3()),
  arithmetic(v3.addScaled, { ...p3, s: 0.5 }, vec3()),
  arithmetic(v3.multiply, p3, vec3()),
  arithmetic(v3.min, p3, vec3()),
  arithmetic(v3.max, p3, vec3()),
  arithmetic(v3.abs, { a: p3.a }, vec3()),
  arithmetic(v3.lerp, { ...p3, t: 0.25 }, vec3()),
  arithmetic(v3.dot, p3),
  arithmetic(v3.cross, p3, vec3()),
  arithmetic(v3.crossAccurate, p3, vec3()),
  arithmetic(v3.triple, { ...p3, c: vec3(1, 0, 2) }),
  arithmetic(v3.lengthSq, { a: p3.a }),
  arithmetic(v3.length, { a: p3.a }),
  arithmetic(v3.distanceSq, p3),
  arithmetic(v3.distance, p3),
  arithmetic(v3.normalize, { a: p3.a }, vec3()),
  arithmetic(v3.project, p3, vec3()),
  arithmetic(v3.reject, p3, vec3()),
  arithmetic(v3.angle, p3),
  arithmetic(v3.rotate, { a: p3.a, q }, vec3()),
  arithmetic(v3.rotateInverse, { a: p3.a, q }, vec3()),
  arithmetic(v3.transform, { a: p3.a, m: skewed }, vec3()),
  arithmetic(v3.transformTransposed, { a: p3.a, m: skewed }, vec3()),
  arithmetic(v3.equals, p3),
  arithmetic(v3.perpendicular, { a: p3.a }, vec3()),
];

const matrices: Sample[] = [
  arithmetic(m2.set, { m00: 1, m01: 2, m10: 3, m11: 4 }, mat2()),
  arithmetic(m2.identity, {}, mat2()),
  arithmetic(m2.copy, { m: angled }, mat2()),
  arithmetic(m2.fromColumns, p2, mat2()),
  arithmetic(m2.fromAngle, { angle: 0.5 }, mat2()),
  arithmetic(m2.column, { m: angled, index: 1 }, vec2()),
  arithmetic(m2.row, { m: angled, index: 1 }, vec2()),
  arithmetic(m2.add, { a: angled, b: angled }, mat2()),
  arithmetic(m2.scale, { m: angled, s: 2 }, mat2()),
  arithmetic(m2.abs, { m: angled }, mat2()),
  arithmetic(m2.transpose, { m: angled }, mat2()),
  arithmetic(m2.multiply, { a: angled, b: m2.fromAngle(1) }, mat2()),
  arithmetic(m2.determinant, { m: angled }),
  arithmetic(m2.inverse, { m: angled }, mat2()),
  arithmetic(m3.identity, {}, mat3()),
  arithmetic(m3.copy, { m: skewed }, mat3()),
  arithmetic(m3.fromColumns, { ...p3, c: vec3(1, 2, 3) }, mat3()),
  arithmetic(m3.fromQuat, { q: turned }, mat3()),
  arithmetic(m3.fromAxisAngle, { axis: vec3(0, 0.6, 0.8), angle: 2 }, mat3()),
  arithmetic(m3.column, { m: skewed, index: 2 }, vec3()),
  arithmetic(m3.row, { m: skewed, index: 2 }, vec3()),
  arithmetic(m3.add, { a: skewed, b: symmetric }, mat3()),
  arithmetic(m3.scale, { m: skewed, s: 2 }, mat3()),
  arithmetic(m3.abs, { m: skewed }, mat3()),
  arithmetic(m3.transpose, { m: skewed }, mat3()),
  arithmetic(m3.multiply, { a: skewed, b: symmetric }, mat3()),
  arithmetic(m3.multiplyTransposed, { a: skewed, b: symmetric }, mat3()),
  arithmetic(m3.determinant, { m: skewed }),
  arithmetic(m3.inverse, { m: skewed }, mat3()),
];

const rotations: Sample[] = [
  arithmetic(q4.set, { x: 0, y: 0, z: 0, w: 1 }, quat()),
  arithmetic(q4.identity, {}, quat()),
  arithmetic(q4.copy, { a: q }, quat()),
  arithmetic(q4.dot, { a: q, b: turned }),
  arithmetic(q4.equals, { a: q, b: turned }),
  arithmetic(q4.conjugate, { a: q }, quat()),
  arithmetic(q4.multiply, { a: q, b: turned }, quat()),
  arithmetic(q4.normalize, { a: q }, quat()),
  arithmetic(q4.fromAxisAngle, { axis: vec3(0, 0.6, 0.8), angle: 2 }, quat()),
  arithmetic(q4.fromMat3, { m: m3.fromQuat(turned) }, quat()),
  arithmetic(q4.angle, { a: q, b: turned }),
  arithmetic(q4.nlerp, { a: q, b: turned, t: 0.3 }, quat()),
  arithmetic(q4.slerp, { a: q, b: turned, t: 0.3 }, quat()),
  arithmetic(q4.halfway, { a: q, b: turned }, quat()),
  arithmetic(poses.transformPoint, { pose: place, p: p3.a }, vec3()),
  arithmetic(poses.transformVector, { pose: place, v: p3.a }, vec3()),
  arithmetic(poses.inverseTransformPoint, { pose: place, p: p3.a }, vec3()),
  arithmetic(poses.inverseTransformVector, { pose: place, v: p3.a }, vec3()),
  arithmetic(poses.composePoses, { a: place, b: { position: p3.b, quaternion: q } }, pose()),
  arithmetic(poses.invertPose, { pose: place }, pose()),
];

const functions: Sample[] = [
  { fn: trig.sin, args: { x: 1 }, unchecked: LIKE_MATH },
  { fn: trig.cos, args: { x: 1 }, unchecked: LIKE_MATH },
  { fn: trig.sincos, args: { x: 1 }, out: trig.makeSinCos(), unchecked: LIKE_MATH },
  { fn: trig.tan, args: { x: 1 }, unchecked: LIKE_MATH },
  { fn: trig.atan, args: { x: 1 }, unchecked: LIKE_MATH },
  { fn: trig.atan2, args: { y: 1, x: -2 }, unchecked: LIKE_MATH },
  { fn: trig.asin, args: { x: 0.5 }, unchecked: LIKE_MATH },
  { fn: trig.acos, args: { x: 0.5 }, unchecked: LIKE_MATH },
];

const geometry: Sample[] = [
  {
    fn: eigenSymmetric,
    args: { m: symmetric },
    out: makeEigen(),
  },
  { fn: solve.solve2x2, args: { m: angled, b: p2.b }, out: vec2() },
  {
    fn: solve.solve3x3,
    args: { m: skewed, b: p3.b },
    out: vec3(),
  },
  { fn: solve.solveUnknown3x3, args: { m: skewed, b: p3.b, index: 1 } },
  {
    fn: solve.meetLines2,
    args: { a: { normal: vec2(1, 2), d: 3 }, b: { normal: vec2(2, -1), d: 1 } },
    out: solve.makeLineMeeting(),
  },
  { fn: solve.determinant4x4, args: { m: { elements: [1, 2, 0, 1, 0, 3, 1, 1, 2, 0, 1, 4, 1, 1, 0, 2] } } },
  {
    fn: solve.solveNxN,
    args: { m: [2, 1, 1, 3], b: [1, 2] },
    out: [0, 0],
    allocates: 'elimination works on copies of the equations',
  },
  { fn: barycentric.barycentricFrame, args: corners, out: barycentric.makeBarycentricFrame() },
  {
    fn: barycentric.barycentricInFrame,
    args: { p: p3.a, frame: { a: vec3(), toB: vec3(1, 0, 0), toC: vec3(0, 1, 0) } },
    out: barycentric.makeBarycentric(),
  },
  { fn: barycentric.barycentricTriangle, args: { p: p3.a, ...corners }, out: barycentric.makeBarycentric() },
  {
    fn: barycentric.barycentricTriangleFlat,
    args: { p: p3.a, ...corners },
    out: barycentric.makeBarycentric(),
  },
  {
    fn: barycentric.barycentricTetrahedron,
    args: { p: p3.a, ...corners, d: vec3(1, 1, 5) },
    out: barycentric.makeBarycentric4(),
  },
  { fn: barycentric.barycentricRegion, args: { weights } },
  { fn: barycentric.interpolate, args: { weights, a: 1, b: 2, c: 5 } },
  {
    fn: barycentric.interpolateVec3,
    args: { weights, ...corners },
    out: vec3(),
  },
  { fn: barycentric.isConvexCombination, args: { weights: [0.5, 0.5], tolerance: 1e-9 } },
  { fn: line.collinear, args: { ...corners, tolerance: 1e-9 } },
  { fn: line.pluckerFromPoints, args: { p: p3.a, q: p3.b }, out: line.makePlucker() },
  { fn: line.pluckerFromMotion, args: { p: p3.a, velocity: p3.b }, out: line.makePlucker() },
  { fn: line.pluckerSide, args: { a: plucker(2), b: plucker(-1) } },
  { fn: planes.planeFromPoints, args: corners, out: plane() },
  { fn: planes.planeFromPointNormal, args: { p: p3.a, normal: p3.b }, out: plane() },
  { fn: planes.planeFromNormal, args: { normal: p3.b, d: 2 }, out: plane() },
  { fn: planes.normalizePlane, args: { source: floor }, out: plane() },
  { fn: planes.flipPlane, args: { source: floor }, out: plane() },
  { fn: planes.transformPlane, args: { source: floor, pose: place }, out: plane() },
  { fn: planes.planeValue, args: { plane: floor, p: p3.a } },
  { fn: planes.planeSide, args: { plane: floor, p: p3.a } },
  { fn: planes.containsHalfspacePoint, args: { plane: floor, p: p3.a } },
  { fn: planes.containsOpenHalfspacePoint, args: { plane: floor, p: p3.a } },
  { fn: planes.dihedralAngle, args: { a: floor, b: { normal: vec3(0, 0, 2), d: 1 } } },
  { fn: planes.quadArea, args: { ...corners, d: vec3(-1, 1, 0) } },
];

export const samples: Sample[] = [
  ...vectors2,
  ...vectors3,
  ...matrices,
  ...rotations,
  ...functions,
  ...geometry,
];
