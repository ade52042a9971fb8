/** An edge that rotates and one that stands still: when they are near at the earliest, and their distance at one time. */
import { UNIT_ROUNDING } from '../../math/tolerance.ts';
import { EDGE } from '../feature-contact.ts';
import { isInEdgeCone } from '../features.ts';
import { bendAt, firstInBall, riseAt, startArc, startVector } from './arc.ts';
import { addHalfAngles, firstQuarticZero, firstZero, HalfAngleFunction } from './half-angle.ts';
import { directionAtStart, isAhead, LINE, type RotationContext, type Segment } from './rotation-context.ts';

/** Takes edge e of the mover for a search against edges of the target. */
export function startMovingEdge(rotation: RotationContext, e: number): void {
  const { movingEdge, pair, mover, target } = rotation;
  const { start, end, direction, moment } = movingEdge;
  const { points, model } = mover;
  const i = 3 * model.edges[2 * e]!;
  const j = 3 * model.edges[2 * e + 1]!;
  pair.isEdge = true;
  pair.moving = mover;
  pair.fixed = target;
  pair.movingIndex = e;
  startArc(start, rotation, points[i]!, points[i + 1]!, points[i + 2]!);
  startArc(end, rotation, points[j]!, points[j + 1]!, points[j + 2]!);
  const dx = points[j]! - points[i]!;
  const dy = points[j + 1]! - points[i + 1]!;
  const dz = points[j + 2]! - points[i + 2]!;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const ux = dx / length;
  const uy = dy / length;
  const uz = dz / length;
  startVector(direction, rotation, ux, uy, uz);
  const x = points[i]! - rotation.ox;
  const y = points[i + 1]! - rotation.oy;
  const z = points[i + 2]! - rotation.oz;
  startVector(moment, rotation, y * uz - z * uy, z * ux - x * uz, x * uy - y * ux);
  movingEdge.length = length;
  movingEdge.reach = Math.max(start.reach, end.reach) + rotation.tolerance;
  movingEdge.edge = e;
}

/** Writes edge e of a fixed model, with ends at 3 i and 3 j in `points`, from `at` on. */
export function writeLine(
  rotation: RotationContext,
  lines: Float64Array,
  at: number,
  points: Float64Array,
  i: number,
  j: number,
): void {
  const ax = points[i]!;
  const ay = points[i + 1]!;
  const az = points[i + 2]!;
  let wx = points[j]! - ax;
  let wy = points[j + 1]! - ay;
  let wz = points[j + 2]! - az;
  const length = Math.sqrt(wx * wx + wy * wy + wz * wz);
  wx /= length;
  wy /= length;
  wz /= length;
  const x = ax - rotation.ox;
  const y = ay - rotation.oy;
  const z = az - rotation.oz;
  lines[at] = ax;
  lines[at + 1] = ay;
  lines[at + 2] = az;
  lines[at + 3] = wx;
  lines[at + 4] = wy;
  lines[at + 5] = wz;
  lines[at + 6] = y * wz - z * wy;
  lines[at + 7] = z * wx - x * wz;
  lines[at + 8] = x * wy - y * wx;
  lines[at + 9] = length;
}

/**
 * When the moving edge can be within the zone of the fixed edge at the earliest, as far as their lines say: their
 * distance is N / |u × w|, and so at least N.
 */
export function lineEntry(rotation: RotationContext, lines: Float64Array, at: number): number {
  const { movingEdge } = rotation;
  const { x: ux, y: uy, z: uz } = movingEdge.direction;
  const dx = movingEdge.start.x - lines[at]!;
  const dy = movingEdge.start.y - lines[at + 1]!;
  const dz = movingEdge.start.z - lines[at + 2]!;
  const wx = lines[at + 3]!;
  const wy = lines[at + 4]!;
  const wz = lines[at + 5]!;
  const value = dx * (uy * wz - uz * wy) + dy * (uz * wx - ux * wz) + dz * (ux * wy - uy * wx);
  const mx = lines[at + 6]!;
  const my = lines[at + 7]!;
  const mz = lines[at + 8]!;
  const rise =
    movingEdge.moment.cx * wx +
    movingEdge.moment.cy * wy +
    movingEdge.moment.cz * wz +
    (movingEdge.direction.cx * mx + movingEdge.direction.cy * my + movingEdge.direction.cz * mz);
  const bend =
    movingEdge.moment.ux * wx +
    movingEdge.moment.uy * wy +
    movingEdge.moment.uz * wz +
    (movingEdge.direction.ux * mx + movingEdge.direction.uy * my + movingEdge.direction.uz * mz);
  if (value > rotation.accept) return firstZero(value - rotation.enter, rise, bend);
  return value < -rotation.accept ? firstZero(-value - rotation.enter, -rise, -bend) : 0;
}

/** When the ball about the moving edge comes to that about box i, with the zone, at the earliest. */
export function edgeBallEntry(rotation: RotationContext, boxes: Float64Array, i: number): number {
  const { onward, movingEdge, ball } = rotation;
  const { start, end } = movingEdge;
  const k = 6 * i;
  const x = boxes[k + 3]! - boxes[k]!;
  const y = boxes[k + 4]! - boxes[k + 1]!;
  const z = boxes[k + 5]! - boxes[k + 2]!;
  ball.dx = 0.5 * (start.x + end.x) - boxes[k]! - 0.5 * x;
  ball.dy = 0.5 * (start.y + end.y) - boxes[k + 1]! - 0.5 * y;
  ball.dz = 0.5 * (start.z + end.z) - boxes[k + 2]! - 0.5 * z;
  onward.cx = 0.5 * (start.cx + end.cx);
  onward.cy = 0.5 * (start.cy + end.cy);
  onward.cz = 0.5 * (start.cz + end.cz);
  onward.ux = 0.5 * (start.ux + end.ux);
  onward.uy = 0.5 * (start.uy + end.uy);
  onward.uz = 0.5 * (start.uz + end.uz);
  ball.radius = 0.5 * (Math.sqrt(x * x + y * y + z * z) + movingEdge.length) + rotation.leave;
  return firstInBall(onward, ball);
}

/** Takes edge n of those of the target that are near, for the search that follows `lineEntry`. */
export function takeFixedEdge({ fixedEdge, edgeLines: lines, nearEdges }: RotationContext, n: number): void {
  const at = LINE * n;
  fixedEdge.ax = lines[at]!;
  fixedEdge.ay = lines[at + 1]!;
  fixedEdge.az = lines[at + 2]!;
  fixedEdge.ux = lines[at + 3]!;
  fixedEdge.uy = lines[at + 4]!;
  fixedEdge.uz = lines[at + 5]!;
  fixedEdge.length = lines[at + 9]!;
  setEnd(fixedEdge);
  fixedEdge.edge = nearEdges[n]!;
}

function setEnd(edge: Segment): void {
  edge.bx = edge.ax + edge.length * edge.ux;
  edge.by = edge.ay + edge.length * edge.uy;
  edge.bz = edge.az + edge.length * edge.uz;
}

// ---- The distance at one time ---------------------------------------------------------------------------------------

/** Turns the edge on to the time r and measures: fills `pair`. */
export function measureEdges(rotation: RotationContext, r: number): void {
  const { pair, movingEdge, fixedEdge, rotatedEdge, edges, tolerance } = rotation;
  const { start, end, direction, length } = movingEdge;
  const sine = (2 * r) / (1 + r * r);
  const versine = sine * r;
  pair.r = r;
  rotatedEdge.ax = start.x + (sine * start.cx - versine * start.ux);
  rotatedEdge.ay = start.y + (sine * start.cy - versine * start.uy);
  rotatedEdge.az = start.z + (sine * start.cz - versine * start.uz);
  rotatedEdge.bx = end.x + (sine * end.cx - versine * end.ux);
  rotatedEdge.by = end.y + (sine * end.cy - versine * end.uy);
  rotatedEdge.bz = end.z + (sine * end.cz - versine * end.uz);
  const ux = direction.x + sine * direction.cx - versine * direction.ux;
  const uy = direction.y + sine * direction.cy - versine * direction.uy;
  const uz = direction.z + sine * direction.cz - versine * direction.uz;
  rotatedEdge.ux = ux;
  rotatedEdge.uy = uy;
  rotatedEdge.uz = uz;
  rotatedEdge.length = length;
  const { ux: wx, uy: wy, uz: wz } = fixedEdge;
  const vx = uy * wz - uz * wy;
  const vy = uz * wx - ux * wz;
  const vz = ux * wy - uy * wx;
  const across = Math.sqrt(vx * vx + vy * vy + vz * vz);
  edges.vx = vx;
  edges.vy = vy;
  edges.vz = vz;
  edges.across = across;
  const dx = rotatedEdge.ax - fixedEdge.ax;
  const dy = rotatedEdge.ay - fixedEdge.ay;
  const dz = rotatedEdge.az - fixedEdge.az;
  pair.kind = EDGE;
  pair.feature = fixedEdge.edge;
  pair.isBack = false;
  // Parallel edges, but for rounding, are left to their ends.
  const isCrossing = across * Math.max(length, fixedEdge.length) > 8 * tolerance;
  if (isCrossing) {
    const d = 1 / (across * across);
    const s = -d * (vx * (dy * wz - dz * wy) + vy * (dz * wx - dx * wz) + vz * (dx * wy - dy * wx));
    const t = -d * (vx * (dy * uz - dz * uy) + vy * (dz * ux - dx * uz) + vz * (dx * uy - dy * ux));
    const margin = tolerance / across;
    if (s >= -margin && s <= length + margin && t >= -margin && t <= fixedEdge.length + margin) {
      pair.isInside = true;
      if (crossing(rotation, s)) return;
    }
  }
  pair.isInside = false;
  nearestEnds(rotation);
}

/** The lines are nearest inside of both edges, at about s along the moving one. False if that is so on paper only. */
function crossing(rotation: RotationContext, near: number): boolean {
  const { pair, rotatedEdge, fixedEdge, edges } = rotation;
  // Of nearly parallel lines both positions are wrong, and not by the same. From each other they are right.
  const { ax, ay, az, ux: wx, uy: wy, uz: wz, length } = fixedEdge;
  const { ux, uy, uz } = rotatedEdge;
  const dx0 = rotatedEdge.ax - ax;
  const dy0 = rotatedEdge.ay - ay;
  const dz0 = rotatedEdge.az - az;
  const t = between((dx0 + near * ux) * wx + (dy0 + near * uy) * wy + (dz0 + near * uz) * wz, length);
  const s = between((t * wx - dx0) * ux + (t * wy - dy0) * uy + (t * wz - dz0) * uz, rotatedEdge.length);
  const x = rotatedEdge.ax + s * ux;
  const y = rotatedEdge.ay + s * uy;
  const z = rotatedEdge.az + s * uz;
  pair.x = x;
  pair.y = y;
  pair.z = z;
  pair.qx = ax + t * wx;
  pair.qy = ay + t * wy;
  pair.qz = az + t * wz;
  const dx = x - pair.qx;
  const dy = y - pair.qy;
  const dz = z - pair.qz;
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  setProduct(rotation);
  // Nearly parallel ones may be behind each other's ends, and then farther apart than their lines.
  const isEnd = s === 0 || s === rotatedEdge.length || t === 0 || t === length;
  if (isEnd && distance > Math.abs(edges.value) / edges.across + rotation.touch) return false;
  const isTouch = distance <= rotation.touch;
  const side =
    rotation.side !== 0 ? rotation.side : isTouch ? touchingSide(rotation, s) : edges.value < 0 ? -1 : 1;
  if (isTouch || UNIT_ERROR * distance < rotation.tolerance * edges.across) {
    const sign = side / edges.across;
    setAcross(rotation, sign);
    pair.gap = isTouch ? sign * edges.value : side * edges.value < 0 ? -distance : distance;
    if (rotation.side === 0 && pair.gap < 0) pair.gap = 0;
  } else {
    // Of nearly parallel lines the common normal is not known well, but the nearest points are.
    const sign = side * edges.value < 0 ? -1 / distance : 1 / distance;
    pair.nx = sign * dx;
    pair.ny = sign * dy;
    pair.nz = sign * dz;
    testCones(rotation);
    pair.gap = sign < 0 ? -distance : distance;
  }
  pair.rate = riseAt(rotation, pair, x, y, z);
  const end = (16 * rotation.touch) / edges.across;
  pair.isBlocked =
    isTouch && !pair.isNearest && s > end && s < rotatedEdge.length - end && t > end && t < length - end;
  return true;
}

const between = (x: number, length: number): number => Math.max(0, Math.min(x, length));

/** The rounding of a product of unit vectors. */
const UNIT_ERROR = 8 * UNIT_ROUNDING;

/** Sets the direction from the fixed edge to the moving one, `sign` u × w, and whether both face each other along it. */
function setAcross(rotation: RotationContext, sign: number): void {
  const { pair, edges } = rotation;
  pair.nx = sign * edges.vx;
  pair.ny = sign * edges.vy;
  pair.nz = sign * edges.vz;
  testCones(rotation);
}

/** Do both edges face each other along the direction of `pair`? */
function testCones(rotation: RotationContext): void {
  const { pair, movingEdge, fixedEdge, edges, startDirection } = rotation;
  const tolerance =
    1e-7 + (4 * rotation.tolerance) / (edges.across * Math.min(movingEdge.length, fixedEdge.length));
  // The faces of the moving edge are known where they started.
  directionAtStart(rotation);
  pair.isNearest =
    isInEdgeCone(pair.fixed, fixedEdge.edge, pair, 1, tolerance) &&
    isInEdgeCone(pair.moving, movingEdge.edge, startDirection, -1, tolerance);
}

/** On which side of the fixed line the moving one is where they meet: as the faces there allow, or its distance says, or where its body is. */
function touchingSide(rotation: RotationContext, s: number): number {
  const { pair, movingEdge, edges, startDirection, middle } = rotation;
  setAcross(rotation, 1 / edges.across);
  const front = pair.isNearest;
  setAcross(rotation, -1 / edges.across);
  if (front !== pair.isNearest) return front ? 1 : -1;
  if (Math.abs(edges.value) > 0.25 * rotation.tolerance * edges.across) return edges.value < 0 ? -1 : 1;
  // As seen from the start.
  const { start, direction } = movingEdge;
  const x = middle.x - start.x - s * direction.x;
  const y = middle.y - start.y - s * direction.y;
  const z = middle.z - start.z - s * direction.z;
  const up = -(startDirection.nx * x + startDirection.ny * y + startDirection.nz * z);
  if (Math.abs(up) > 4 * rotation.touch) return up > 0 ? 1 : -1;
  return isAhead(rotation, edges.vx, edges.vy, edges.vz) ? 1 : -1;
}

/** The side for `rotation.side`, as last measured. */
export const sideOfCrossing = ({ pair, edges }: RotationContext): number =>
  pair.nx * edges.vx + pair.ny * edges.vy + pair.nz * edges.vz < 0 ? -1 : 1;

/** The distance of edges that do not cross: an end of one from the other. */
function nearestEnds(rotation: RotationContext): void {
  const { pair, rotatedEdge, fixedEdge, edges } = rotation;
  pair.gap = Infinity;
  fromEdge(rotation, rotatedEdge.ax, rotatedEdge.ay, rotatedEdge.az, fixedEdge);
  fromEdge(rotation, rotatedEdge.bx, rotatedEdge.by, rotatedEdge.bz, fixedEdge);
  fromEdge(rotation, fixedEdge.ax, fixedEdge.ay, fixedEdge.az, rotatedEdge);
  fromEdge(rotation, fixedEdge.bx, fixedEdge.by, fixedEdge.bz, rotatedEdge);
  const gap = Math.sqrt(pair.gap);
  pair.gap = gap;
  pair.qx = pair.x - pair.nx;
  pair.qy = pair.y - pair.ny;
  pair.qz = pair.z - pair.nz;
  if (gap > 0) {
    pair.nx /= gap;
    pair.ny /= gap;
    pair.nz /= gap;
  } else {
    // An end on the other edge: any direction across that, or for parallel ones any at all.
    const isAcross = edges.across > 0;
    pair.nx = isAcross ? edges.vx / edges.across : 0;
    pair.ny = isAcross ? edges.vy / edges.across : 0;
    pair.nz = isAcross ? edges.vz / edges.across : 1;
  }
  pair.rate = riseAt(rotation, pair, pair.x, pair.y, pair.z);
  pair.isNearest = false;
  pair.isBlocked = false;
  setProduct(rotation);
}

/** The offset of an end of one edge from the other, if it is the shortest so far: its square is in `pair.gap`, itself in n. */
function fromEdge(
  { pair, rotatedEdge }: RotationContext,
  x: number,
  y: number,
  z: number,
  edge: Segment,
): void {
  const { ax, ay, az, ux, uy, uz, length } = edge;
  const t = between((x - ax) * ux + (y - ay) * uy + (z - az) * uz, length);
  const dx = x - ax - t * ux;
  const dy = y - ay - t * uy;
  const dz = z - az - t * uz;
  const sq = dx * dx + dy * dy + dz * dz;
  if (!(sq < pair.gap)) return;
  const isRotated = edge === rotatedEdge;
  pair.gap = sq;
  pair.nx = isRotated ? -dx : dx;
  pair.ny = isRotated ? -dy : dy;
  pair.nz = isRotated ? -dz : dz;
  // On the moving edge.
  pair.x = isRotated ? x + pair.nx : x;
  pair.y = isRotated ? y + pair.ny : y;
  pair.z = isRotated ? z + pair.nz : z;
}

/**
 * The product of the lines and how it changes, from the points in `pair`: those are near each other, and often near the axis,
 * so that little is lost to rounding even if the lines are nearly parallel.
 */
function setProduct(rotation: RotationContext): void {
  const { pair, fixedEdge, rotatedEdge, edges, onward, rotatedDirection } = rotation;
  const { vx, vy, vz } = edges;
  const { ux: wx, uy: wy, uz: wz } = fixedEdge;
  startArc(onward, rotation, pair.x, pair.y, pair.z);
  startVector(rotatedDirection, rotation, rotatedEdge.ux, rotatedEdge.uy, rotatedEdge.uz);
  const { cx, cy, cz, ux, uy, uz } = onward;
  const { cx: gx, cy: gy, cz: gz, ux: px, uy: py, uz: pz } = rotatedDirection;
  const dx = pair.x - pair.qx;
  const dy = pair.y - pair.qy;
  const dz = pair.z - pair.qz;
  // How u × w moves: the same of what u moves by.
  const hx = gy * wz - gz * wy;
  const hy = gz * wx - gx * wz;
  const hz = gx * wy - gy * wx;
  const jx = py * wz - pz * wy;
  const jy = pz * wx - px * wz;
  const jz = px * wy - py * wx;
  edges.hx = hx;
  edges.hy = hy;
  edges.hz = hz;
  edges.jx = jx;
  edges.jy = jy;
  edges.jz = jz;
  edges.value = dx * vx + dy * vy + dz * vz;
  edges.rise = cx * vx + cy * vy + cz * vz + (dx * hx + dy * hy + dz * hz);
  edges.bend =
    ux * vx + uy * vy + uz * vz - 2 * (cx * hx + cy * hy + cz * hz) + (dx * jx + dy * jy + dz * jz);
}

// ---- Times -----------------------------------------------------------------------------------------------------------

/** Writes N² - level² |u × w|², times (1 + r²)², of the lines as they rotate on from now. */
function writeQuartic(rotation: RotationContext, level: number): void {
  const { edges, quartic, quarticSizes } = rotation;
  const { rise, bend, vx, vy, vz } = edges;
  const n1 = 2 * rise;
  const n2 = edges.value - 2 * bend;
  const x1 = 2 * edges.hx;
  const y1 = 2 * edges.hy;
  const z1 = 2 * edges.hz;
  const x2 = vx - 2 * edges.jx;
  const y2 = vy - 2 * edges.jy;
  const z2 = vz - 2 * edges.jz;
  const l = level * level;
  quartic[0] = edges.value * edges.value - l * (vx * vx + vy * vy + vz * vz);
  quartic[1] = 2 * (edges.value * n1 - l * (vx * x1 + vy * y1 + vz * z1));
  quartic[2] =
    n1 * n1 + 2 * edges.value * n2 - l * (x1 * x1 + y1 * y1 + z1 * z1 + 2 * (vx * x2 + vy * y2 + vz * z2));
  quartic[3] = 2 * (n1 * n2 - l * (x1 * x2 + y1 * y2 + z1 * z2));
  quartic[4] = n2 * n2 - l * (x2 * x2 + y2 * y2 + z2 * z2);
  const a0 = Math.abs(edges.value);
  const a1 = Math.abs(n1);
  const a2 = a0 + 2 * Math.abs(bend);
  const b0 = Math.abs(vx) + Math.abs(vy) + Math.abs(vz);
  const b1 = Math.abs(x1) + Math.abs(y1) + Math.abs(z1);
  const b2 = b0 + Math.abs(x2) + Math.abs(y2) + Math.abs(z2);
  quarticSizes[0] = a0 * a0 + l * b0 * b0;
  quarticSizes[1] = 2 * (a0 * a1 + l * b0 * b1);
  quarticSizes[2] = a1 * a1 + 2 * a0 * a2 + l * (b1 * b1 + 2 * b0 * b2);
  quarticSizes[3] = 2 * (a1 * a2 + l * b1 * b2);
  quarticSizes[4] = a2 * a2 + l * b2 * b2;
}

/** The rest of the piece, as the tangent of half its angle; a little more. */
const rest = ({ best, pair: { r } }: RotationContext): number => ((best - r) / (1 + best * r)) * 1.0000001;

/** Up to when the edges are farther from each other than `level`, which is less than `pair.gap`. */
export function edgesStayAbove(rotation: RotationContext, level: number): number {
  const { pair, movingEdge, fixedEdge, rotatedEdge, edges } = rotation;
  const margin = pair.gap - level;
  // No point of the edge moves faster than this.
  let r = margin / (2 * movingEdge.reach);
  const { rise, bend } = edges;
  if (level <= 0) {
    // Touching from the start: a rounding beyond the other side, whatever the angle of the lines.
    const side = rotation.side;
    if (pair.isNearest)
      r = Math.max(r, firstZero(side * edges.value - level * edges.across, side * rise, side * bend));
  } else if (Math.abs(edges.value) > level * edges.across) {
    r = Math.max(r, linesStayAbove(rotation, level));
  } else {
    // The lines are too near, the edges not. If they are so far that they cannot meet until the lines have parted: jump.
    const out = 1.015625 * level;
    const parted = Math.min(
      firstZero(out - edges.value, -rise, -bend),
      firstZero(out + edges.value, rise, bend),
    );
    if (margin > 2 * parted * movingEdge.reach) r = Math.max(r, parted);
  }
  // A plane between them, which stands still, and one that rotates: the ends of the one edge, or of the other, come to it.
  r = Math.max(r, endsEntry(rotation, rotatedEdge, fixedEdge, level));
  r = Math.max(r, endsEntry(rotation, fixedEdge, rotatedEdge, level));
  return addHalfAngles(pair.r, r);
}

/** D = u · d, E = u · w and G = w · d, where d leads from the start of the fixed edge to that of the moving one. */
function writeProducts(rotation: RotationContext): void {
  const { fixedEdge, rotatedEdge, products, rotatedDirection, kx, ky, kz, ox, oy, oz } = rotation;
  const { ux, uy, uz } = rotatedEdge;
  const { ux: wx, uy: wy, uz: wz } = fixedEdge;
  const { cx, cy, cz } = rotatedDirection;
  const dx = rotatedEdge.ax - fixedEdge.ax;
  const dy = rotatedEdge.ay - fixedEdge.ay;
  const dz = rotatedEdge.az - fixedEdge.az;
  const mx = fixedEdge.ax - ox;
  const my = fixedEdge.ay - oy;
  const mz = fixedEdge.az - oz;
  const x = rotatedEdge.ax - ox;
  const y = rotatedEdge.ay - oy;
  const z = rotatedEdge.az - oz;
  const uk = kx * ux + ky * uy + kz * uz;
  const xk = kx * x + ky * y + kz * z;
  const wk = kx * wx + ky * wy + kz * wz;
  const { alongMoving, together, alongFixed } = products;
  alongMoving.c0 = ux * dx + uy * dy + uz * dz;
  alongMoving.c1 = -2 * (cx * mx + cy * my + cz * mz);
  alongMoving.c2 = alongMoving.c0 + 2 * (ux * mx + uy * my + uz * mz - uk * (kx * mx + ky * my + kz * mz));
  together.c0 = ux * wx + uy * wy + uz * wz;
  together.c1 = 2 * (cx * wx + cy * wy + cz * wz);
  together.c2 = together.c0 - 2 * (together.c0 - uk * wk);
  alongFixed.c0 = wx * dx + wy * dy + wz * dz;
  alongFixed.c1 = 2 * (wx * (ky * z - kz * y) + wy * (kz * x - kx * z) + wz * (kx * y - ky * x));
  alongFixed.c2 = alongFixed.c0 - 2 * (wx * x + wy * y + wz * z - xk * wk);
}

/** Adds `scale` times the product of two such functions to the quartic. */
function addProduct(
  rotation: RotationContext,
  scale: number,
  a: HalfAngleFunction,
  b: HalfAngleFunction,
): void {
  const { quartic, quarticSizes } = rotation;
  const { c0: a0, c1: a1, c2: a2 } = a;
  const { c0: b0, c1: b1, c2: b2 } = b;
  quartic[0] = quartic[0]! + scale * a0 * b0;
  quartic[1] = quartic[1]! + scale * (a0 * b1 + a1 * b0);
  quartic[2] = quartic[2]! + scale * (a0 * b2 + a1 * b1 + a2 * b0);
  quartic[3] = quartic[3]! + scale * (a1 * b2 + a2 * b1);
  quartic[4] = quartic[4]! + scale * a2 * b2;
  const s0 = Math.abs(scale * a0);
  const s1 = Math.abs(scale * a1);
  const s2 = Math.abs(scale * a2);
  const t0 = Math.abs(b0);
  const t1 = Math.abs(b1);
  const t2 = Math.abs(b2);
  quarticSizes[0] = quarticSizes[0]! + s0 * t0;
  quarticSizes[1] = quarticSizes[1]! + (s0 * t1 + s1 * t0);
  quarticSizes[2] = quarticSizes[2]! + (s0 * t2 + s1 * t1 + s2 * t0);
  quarticSizes[3] = quarticSizes[3]! + (s1 * t2 + s2 * t1);
  quarticSizes[4] = quarticSizes[4]! + s2 * t2;
}

/** 1, over 1 + r². */
const ONE = Object.assign(new HalfAngleFunction(), { c0: 1, c1: 0, c2: 1 });

/**
 * Edges that do not cross are left to their ends: when the lines are nearest at a point on both, at the earliest. The time of
 * `pair` if that is undecided. Along the moving edge the position is (E G - D) / |u × w|², along the other one
 * (G - D E) / |u × w|², with |u × w|² = 1 - E².
 */
export function edgesMayCross(rotation: RotationContext): number {
  const { pair, movingEdge, fixedEdge, edges, products, quartic, quarticSizes } = rotation;
  writeProducts(rotation);
  const { alongMoving, together, alongFixed } = products;
  const { c0: d0 } = alongMoving;
  const { c0: e0 } = together;
  const { c0: g0 } = alongFixed;
  const acrossSq = edges.across * edges.across;
  const margin = 2 * rotation.tolerance;
  const along = e0 * g0 - d0;
  const over = g0 - d0 * e0;
  // By how much it is before the start or behind the end of either, times |u × w|²: the most of that.
  const before = -along;
  const behind = along - movingEdge.length * acrossSq;
  const under = -over;
  const beyond = over - fixedEdge.length * acrossSq;
  const most = Math.max(before, behind, under, beyond);
  if (!(most > margin)) return pair.r;
  quartic.fill(0);
  quarticSizes.fill(0);
  const side = most === before || most === under ? -1 : 1;
  if (most === before || most === behind) {
    addProduct(rotation, side, together, alongFixed);
    addProduct(rotation, -side, alongMoving, ONE);
  } else {
    addProduct(rotation, side, alongFixed, ONE);
    addProduct(rotation, -side, alongMoving, together);
  }
  if (side > 0) {
    const length = most === behind ? movingEdge.length : fixedEdge.length;
    addProduct(rotation, -length, ONE, ONE);
    addProduct(rotation, length, together, together);
  }
  addProduct(rotation, -margin, ONE, ONE);
  return addHalfAngles(pair.r, firstQuarticZero(quartic, quarticSizes, rest(rotation)));
}

/** Lines nearer than so many times the level: squares of their product and of the level can be compared. */
const FAR = 1048576; // 2^20

/** Up to when the lines, whose distance is more than `level`, are that far from each other. */
function linesStayAbove(rotation: RotationContext, level: number): number {
  const { edges } = rotation;
  const { value, rise, bend } = edges;
  // Too far for the quartic, in which the level would be lost to rounding; and so far that the angle does not matter.
  if (value > FAR * level) return firstZero(value - level, rise, bend);
  if (value < -FAR * level) return firstZero(-value - level, -rise, -bend);
  writeQuartic(rotation, level);
  return quarticZero(rotation, level);
}

/**
 * The first zero of the quartic, or the end of the time in which it can be trusted. Of lines that are nearly parallel at some
 * time it is lost in rounding, but for a time that is as short as they are near to it.
 */
function quarticZero(rotation: RotationContext, level: number): number {
  const { edges, quartic, quarticSizes } = rotation;
  const limit = (FAR * level) / (2 * (Math.abs(edges.rise) + Math.abs(edges.bend)));
  let end = rest(rotation);
  if (!(limit < end)) {
    const zero = firstQuarticZero(quartic, quarticSizes, end);
    if (zero > 0) return zero;
    end /= 16;
  } else end = limit;
  for (let k = 0; k < 12; k++, end /= 16) {
    const zero = Math.min(end, firstQuarticZero(quartic, quarticSizes, end));
    if (zero > 0) return zero;
  }
  return 0;
}

/**
 * The zero-gap time: when the lines as last measured meet. van Waveren 2005, §2.5. Whether the edges do is to be measured
 * there.
 */
export function linesMeet(rotation: RotationContext): number {
  const { pair, edges } = rotation;
  const side = edges.value < 0 ? -1 : 1;
  return addHalfAngles(pair.r, firstZero(side * edges.value, side * edges.rise, side * edges.bend));
}

/** When an end of one edge comes to within `level` of the plane that holds the other one back, upright on the direction of the pair. */
function endsEntry(rotation: RotationContext, of: Segment, other: Segment, level: number): number {
  const a = endEntry(rotation, of.ax, of.ay, of.az, other, level);
  return Math.min(a, endEntry(rotation, of.bx, of.by, of.bz, other, level));
}

function endEntry(
  rotation: RotationContext,
  x: number,
  y: number,
  z: number,
  other: Segment,
  level: number,
): number {
  const { pair, fixedEdge } = rotation;
  const { nx, ny, nz } = pair;
  const { ax, ay, az, bx, by, bz } = other;
  // As the moving edge sees it, the fixed one rotates the other way.
  const sign = other === fixedEdge ? 1 : -1;
  const h = Math.min(
    sign * (nx * (x - ax) + ny * (y - ay) + nz * (z - az)) - level,
    sign * (nx * (x - bx) + ny * (y - by) + nz * (z - bz)) - level,
  );
  return h > 0 ? firstZero(h, riseAt(rotation, pair, x, y, z), sign * bendAt(rotation, pair, x, y, z)) : 0;
}

/**
 * The next time to look at crossing edges that move apart, and would be too near again at `back`: they have left the zone
 * then, or are at their farthest.
 */
export function edgesRise(rotation: RotationContext, level: number, back: number): number {
  const { pair, quartic } = rotation;
  writeQuartic(rotation, level);
  for (let i = 0; i < 5; i++) quartic[i] = -quartic[i]!;
  const leaves = addHalfAngles(pair.r, quarticZero(rotation, level));
  if (leaves < back || !(back <= rotation.best)) return leaves;
  let low = pair.r;
  let high = back;
  for (let i = 0; i < 60 && high - low > 1e-15 * high; i++) {
    const r = low + (high - low) / 2;
    measureEdges(rotation, r);
    if (pair.rate > 0) low = r;
    else high = r;
  }
  return low;
}
