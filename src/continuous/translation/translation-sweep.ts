/**
 * The first contact of a polyhedron that moves along a line. van Waveren 2005, §2.2, §2.3, §3 and §4, with a rounded zone:
 * see feature-times.ts. The polygons of the target come from polygon-walk.ts, which rejects most of them. Of one that may be
 * reached, all features meet those of the mover: shared vertices and edges once, and on which side they pass is kept in bits.
 */
import { emptyBox, extendBox, withCapacity, withIntegerCapacity } from '../boxes.ts';
import { copyContact } from '../feature-contact.ts';
import { canTouch } from '../features.ts';
import { BLOCK_HEAD } from '../model/packed-level.ts';
import { isEarlier, type SweepContext } from '../sweep-context.ts';
import type { PolyhedralModel } from '../types.ts';
import { edgeEdge, vertexEdge, vertexPolygon, vertexVertex } from './feature-times.ts';
import { readLeading } from './leading-features.ts';
import { walkLevel } from './polygon-walk.ts';
import {
  COORDINATE_ERROR,
  type MovingBody,
  needNormal,
  needVertex,
  releaseFrame,
  rotateToFrame,
  TranslationContext,
  toFrame,
} from './translation-context.ts';

/**
 * Finds the first contact within the first `context.best` of the motion and writes it to the context: at t = 0, if a polygon cuts
 * through the mover at the start. @internal
 */
export function translateModel(context: SweepContext): void {
  context.translation ??= new TranslationContext(context.tuning);
  const { translation } = context;
  translation.ready = false;
  let cut = false;
  if (context.target.sources.length === 0) {
    if (enter(context)) meetPoints(translation);
  } else cut = walkLevel(context, meetPolygon);
  if (!translation.ready) return;
  if (translation.found && !cut) report(context);
  releaseFrame(translation);
}

/** Sets up what is needed as soon as there is something to meet. False if nothing moves. */
function enter(context: SweepContext): boolean {
  const { target } = context;
  const translation = context.translation!;
  if (!setFrame(context)) return false;
  readLeading(translation);
  translation.doneVertices.begin(target.vertexTouches.length);
  translation.doneEdges.begin(target.edgeKinds.length);
  translation.ready = true;
  return true;
}

/** The hit, in the target's frame. */
function report(context: SweepContext): void {
  const { contact } = context;
  const translation = context.translation!;
  const { ax, ay, az, bx, by, bz, vx, vy, vz, contact: own } = translation;
  const t = Math.min(translation.best / translation.length, context.best);
  if (!isEarlier(context, t)) return;
  copyContact(own, contact);
  // The direction between points that are as near as that is not a unit vector to the last bit.
  const norm = Math.sqrt(own.nx * own.nx + own.ny * own.ny + own.nz * own.nz);
  const nx = own.nx / norm;
  const ny = own.ny / norm;
  const nz = own.nz / norm;
  const { x, y, z } = own;
  context.best = t;
  context.found = true;
  contact.gap = Math.max(0, own.gap);
  contact.x = translation.ox + ax * x + bx * y + vx * z;
  contact.y = translation.oy + ay * x + by * y + vy * z;
  contact.z = translation.oz + az * x + bz * y + vz * z;
  contact.nx = ax * nx + bx * ny + vx * nz;
  contact.ny = ay * nx + by * ny + vy * nz;
  contact.nz = az * nx + bz * ny + vz * nz;
}

/** A polygon of the target that the mover comes near to: all features against the mover's. */
function meetPolygon(context: SweepContext, f: number, blocks: Float64Array, block: number): void {
  const translation = context.translation!;
  const { leading, walk } = translation;
  if (!translation.ready && !enter(context)) return;
  if (leading.cached) meetByBits(translation, f, blocks, block);
  else meetOutline(translation, f);
  walk.limit = translation.best / translation.length;
}

/** For movers with many features: does the outline of the polygon, seen along the motion, meet that of the mover? */
function meetOutline(translation: TranslationContext, f: number): void {
  const { outline, target, pad, moverBox, polygonBox: box } = translation;
  const { polygonStart, polygonVertices } = target.model;
  emptyBox(box);
  for (let k = polygonStart[f]!, end = polygonStart[f + 1]!; k < end; k++) {
    const v = polygonVertices[k]!;
    needVertex(translation, target, v);
    extendBox(box, target.points, 3 * v);
  }
  for (let k = 0; k < 3; k++) {
    const ahead = k === 2 ? translation.best : 0;
    if (box[k]! > moverBox[k + 3]! + pad + ahead || box[k + 3]! < moverBox[k]! - pad) return;
  }
  needNormal(translation, target, f);
  outline.lowX = box[0]! - pad;
  outline.lowY = box[1]! - pad;
  outline.highX = box[3]! + pad;
  outline.highY = box[4]! + pad;
  meetByBoxes(translation, f);
}

// ---- The frame of the motion ----------------------------------------------------------------------------------------

/** Sets up the frame and brings the mover into it. False if nothing moves. @internal */
function setFrame(context: SweepContext): boolean {
  const translation = context.translation!;
  const { vx, vy, vz } = context;
  const longest = Math.max(Math.abs(vx), Math.abs(vy), Math.abs(vz));
  if (!(longest > 0)) return false;
  // Scaled, so that nothing under- or overflows.
  const sx = vx / longest;
  const sy = vy / longest;
  const sz = vz / longest;
  const norm = Math.sqrt(sx * sx + sy * sy + sz * sz);
  const ux = sx / norm;
  const uy = sy / norm;
  const uz = sz / norm;
  translation.vx = ux;
  translation.vy = uy;
  translation.vz = uz;
  translation.length = longest * norm;
  // Across: the axis that the motion has least of, made perpendicular.
  const wx = Math.abs(ux);
  const wy = Math.abs(uy);
  const wz = Math.abs(uz);
  let ax = 0;
  let ay = 0;
  let az = 0;
  if (wx <= wy && wx <= wz) {
    const r = Math.sqrt(uy * uy + uz * uz);
    ay = uz / r;
    az = -uy / r;
  } else if (wy <= wz) {
    const r = Math.sqrt(ux * ux + uz * uz);
    ax = -uz / r;
    az = ux / r;
  } else {
    const r = Math.sqrt(ux * ux + uy * uy);
    ax = uy / r;
    ay = -ux / r;
  }
  translation.ax = ax;
  translation.ay = ay;
  translation.az = az;
  translation.bx = uy * az - uz * ay;
  translation.by = uz * ax - ux * az;
  translation.bz = ux * ay - uy * ax;
  const { box } = context;
  translation.ox = 0.5 * (box[0]! + box[3]!);
  translation.oy = 0.5 * (box[1]! + box[4]!);
  translation.oz = 0.5 * (box[2]! + box[5]!);
  translation.reach = context.best * translation.length;
  translation.best = translation.reach;
  translation.found = false;
  translation.e = context.thickness;
  translation.tau = COORDINATE_ERROR * context.magnitude;
  translation.pad = translation.e + 2 * translation.tau;
  translation.slack = context.slack;
  setBody(translation.mover, context.mover);
  setBody(translation.target, context.target);
  bringMover(context);
  return true;
}

/** Makes the arrays long enough for a model, whose vertices and normals are to be filled in. */
function setBody(body: MovingBody, model: PolyhedralModel): void {
  body.model = model;
  body.front = model.sides === 'front';
  body.points = withCapacity(body.points, model.points.length);
  body.planes = withCapacity(body.planes, model.planes.length);
  body.filledVertices.begin(model.vertexTouches.length);
  body.filledPolygons.begin(model.sources.length);
}

/** All of the mover. */
function bringMover(context: SweepContext): void {
  const { points, planes, mover: model } = context;
  const translation = context.translation!;
  const { mover, moverBox } = translation;
  const { filledVertices, filledPolygons } = mover;
  const vertices = model.vertexTouches.length;
  const polygons = model.sources.length;
  emptyBox(moverBox);
  for (let v = 0; v < vertices; v++) {
    toFrame(translation, points, 3 * v, mover.points);
    extendBox(moverBox, mover.points, 3 * v);
  }
  for (let f = 0; f < polygons; f++) rotateToFrame(translation, planes, 4 * f, mover.planes);
  filledVertices.marks.fill(filledVertices.mark, 0, vertices);
  filledPolygons.marks.fill(filledPolygons.mark, 0, polygons);
}

// ---- One polygon -----------------------------------------------------------------------------------------------------

/**
 * A polygon that may be reached, by the bit cache. `block` is where it is in the packed level. @internal
 */
function meetByBits(translation: TranslationContext, f: number, blocks: Float64Array, block: number): void {
  const { target, bits } = translation;
  const count = blocks[block]!;
  bits.corners = withCapacity(bits.corners, 3 * count);
  bits.sideLeft = withIntegerCapacity(bits.sideLeft, count);
  bits.sideRight = withIntegerCapacity(bits.sideRight, count);
  bits.cornerLeft = withIntegerCapacity(bits.cornerLeft, count);
  bits.cornerRight = withIntegerCapacity(bits.cornerRight, count);
  bringCorners(translation, blocks, block);
  const inside = lookAtSides(translation, count);
  if (inside !== 0 && !(target.front && translation.along >= 0)) meetInside(translation, f, inside);
  for (let i = 0; i < count; i++) meetCorner(translation, f, i);
  for (let i = 0; i < count; i++) meetSide(translation, f, i, i + 1 < count ? i + 1 : 0);
}

/** Brings the corners into the frame. */
function bringCorners(translation: TranslationContext, blocks: Float64Array, block: number): void {
  const { bits, ox, oy, oz, ax, ay, az, bx, by, bz, vx, vy, vz } = translation;
  const { corners } = bits;
  for (let k = 0, i = block + BLOCK_HEAD, end = 3 * blocks[block]!; k < end; k += 3, i += 3) {
    const dx = blocks[i]! - ox;
    const dy = blocks[i + 1]! - oy;
    const dz = blocks[i + 2]! - oz;
    corners[k] = ax * dx + ay * dy + az * dz;
    corners[k + 1] = bx * dx + by * dy + bz * dz;
    corners[k + 2] = vx * dx + vy * dy + vz * dz;
  }
  const nx = blocks[block + 1]!;
  const ny = blocks[block + 2]!;
  const nz = blocks[block + 3]!;
  const along = vx * nx + vy * ny + vz * nz;
  translation.along = along;
  const sign = along > 0 ? -1 : 1;
  bits.nx = sign * (ax * nx + ay * ny + az * nz);
  bits.ny = sign * (bx * nx + by * ny + bz * nz);
  bits.nz = sign * along;
}

/** Fills in the bits. Returns those of the mover's vertices that may meet the inside. */
function lookAtSides(translation: TranslationContext, count: number): number {
  const { pad, leading, bits } = translation;
  const { spots, lines } = leading;
  const { corners, sideLeft, sideRight, cornerLeft, cornerRight } = bits;
  const { vertexBits, vertices, vertexCount, edges, edgeCount } = leading;
  let inside = vertexBits;
  // The polygon runs with its inside on the left if it looks along the motion.
  const back = translation.along > 0 ? 0 : -1;
  for (let i = 0; i < count; i++) {
    const x = corners[3 * i]!;
    const y = corners[3 * i + 1]!;
    const next = i + 1 < count ? 3 * i + 3 : 0;
    const ux = corners[next]! - x;
    const uy = corners[next + 1]! - y;
    const near = pad * (Math.abs(ux) + Math.abs(uy));
    let left = 0;
    let right = 0;
    for (let k = 0; k < vertexCount; k++) {
      const side = ux * (spots[2 * k + 1]! - y) - uy * (spots[2 * k]! - x);
      const bit = vertices[k]!;
      left |= +(side > near) << bit;
      right |= +(side < -near) << bit;
    }
    sideLeft[i] = left;
    sideRight[i] = right;
    inside &= ~((left & back) | (right & ~back));
    left = 0;
    right = 0;
    for (let k = 0; k < edgeCount; k++) {
      const side = lines[4 * k]! * y - lines[4 * k + 1]! * x - lines[4 * k + 2]!;
      const limit = lines[4 * k + 3]!;
      const bit = edges[k]!;
      left |= +(side > limit) << bit;
      right |= +(side < -limit) << bit;
    }
    cornerLeft[i] = left;
    cornerRight[i] = right;
  }
  return inside;
}

/** The mover's vertices that may meet the inside of a polygon: the nearest one first, the others if they can be earlier. */
function meetInside(translation: TranslationContext, f: number, inside: number): void {
  const { mover, target, pad, bits } = translation;
  const { corners } = bits;
  const { points: p } = mover;
  const { nx, ny, nz } = bits;
  const plane = nx * corners[0]! + ny * corners[1]! + nz * corners[2]!;
  let lowest = -1;
  let least = Infinity;
  for (let left = inside; left !== 0; ) {
    const k = 31 - Math.clz32(left);
    left &= ~(1 << k);
    const h = nx * p[3 * k]! + ny * p[3 * k + 1]! + nz * p[3 * k + 2]!;
    if (h < least) {
      least = h;
      lowest = k;
    }
  }
  // Not even the nearest one in time?
  if (lowest < 0 || least - plane - pad > -nz * translation.best) return;
  needPolygon(translation, f);
  vertexPolygon(translation, mover, lowest, target, f);
  for (let left = inside & ~(1 << lowest); left !== 0; ) {
    const k = 31 - Math.clz32(left);
    left &= ~(1 << k);
    const h = nx * p[3 * k]! + ny * p[3 * k + 1]! + nz * p[3 * k + 2]! - plane;
    if (!(h - pad > -nz * translation.best)) vertexPolygon(translation, mover, k, target, f);
  }
}

/** All of a polygon of the target in the frame. */
function needPolygon(translation: TranslationContext, f: number): void {
  const { target } = translation;
  const { polygonStart, polygonVertices } = target.model;
  needNormal(translation, target, f);
  for (let k = polygonStart[f]!, end = polygonStart[f + 1]!; k < end; k++)
    needVertex(translation, target, polygonVertices[k]!);
}

/** A corner of a polygon of the target that has its bits, against everything of the mover's. */
function meetCorner(translation: TranslationContext, f: number, i: number): void {
  const { mover, target, e, tuning, leading, bits, doneVertices } = translation;
  const { spots, insideLeft, insideRight } = leading;
  const { corners } = bits;
  const { edgeBits, polygons, polygonCount, vertices, vertexCount } = leading;
  const left = bits.cornerLeft[i]!;
  const right = bits.cornerRight[i]!;
  const x = corners[3 * i]!;
  const y = corners[3 * i + 1]!;
  let near = ~(left | right) & edgeBits;
  let meets = +(near !== 0);
  for (let k = 0; k < polygonCount; k++)
    meets |= +(((left & insideRight[k]!) | (right & insideLeft[k]!)) === 0);
  for (let k = 0; k < vertexCount; k++)
    meets |= +(Math.abs(spots[2 * k]! - x) < e) & +(Math.abs(spots[2 * k + 1]! - y) < e);
  if (!meets) return;
  const { model } = target;
  const vertex = model.polygonVertices[model.polygonStart[f]! + i]!;
  if (tuning.skipInternal && model.vertexTouches[vertex] !== 1) return;
  if (tuning.shareFeatures && doneVertices.marks[vertex] === doneVertices.mark) return;
  doneVertices.marks[vertex] = doneVertices.mark;
  needVertex(translation, target, vertex);
  for (let k = 0; k < polygonCount; k++)
    if (((left & insideRight[k]!) | (right & insideLeft[k]!)) === 0)
      vertexPolygon(translation, target, vertex, mover, polygons[k]!);
  while (near !== 0) {
    const k = 31 - Math.clz32(near);
    near &= ~(1 << k);
    vertexEdge(translation, target, vertex, mover, k);
  }
  for (let k = 0; k < vertexCount; k++)
    if (Math.abs(spots[2 * k]! - x) < e && Math.abs(spots[2 * k + 1]! - y) < e)
      vertexVertex(translation, vertices[k]!, vertex);
}

/** A side of a polygon of the target, from corner i to corner j, against the mover's edges and vertices. */
function meetSide(translation: TranslationContext, f: number, i: number, j: number): void {
  const { mover, target, tuning, leading, bits, doneEdges } = translation;
  const { cornerLeft, cornerRight } = bits;
  const { edgeBits, vertexBits } = leading;
  const left = bits.sideLeft[i]!;
  const right = bits.sideRight[i]!;
  let crossing = ~((cornerLeft[i]! & cornerLeft[j]!) | (cornerRight[i]! & cornerRight[j]!)) & edgeBits;
  let near = ~(left | right) & vertexBits;
  if ((crossing | near) === 0) return;
  const { model } = target;
  const code = model.polygonEdges[model.polygonStart[f]! + i]!;
  const edge = code < 0 ? ~code : code;
  const kind = model.edgeKinds[edge]!;
  if (tuning.skipInternal && !canTouch(kind)) return;
  if (tuning.shareFeatures && doneEdges.marks[edge] === doneEdges.mark) return;
  doneEdges.marks[edge] = doneEdges.mark;
  const { edges } = mover.model;
  let ready = false;
  while (crossing !== 0) {
    const k = 31 - Math.clz32(crossing);
    crossing &= ~(1 << k);
    // Both ends on one side? (Bits of vertices that take no part are 0.)
    const from = edges[2 * k]!;
    const to = edges[2 * k + 1]!;
    if ((((left >>> from) & (left >>> to)) | ((right >>> from) & (right >>> to))) & 1) continue;
    if (!ready) {
      needVertex(translation, target, model.edges[2 * edge]!);
      needVertex(translation, target, model.edges[2 * edge + 1]!);
      ready = true;
    }
    edgeEdge(translation, k, edge);
  }
  while (near !== 0) {
    const k = 31 - Math.clz32(near);
    near &= ~(1 << k);
    vertexEdge(translation, mover, k, target, edge);
  }
}

/** The same by boxes. */
function meetVertexByBoxes(translation: TranslationContext, vertex: number): void {
  const { mover, target, pad, leading, outline } = translation;
  const { edges, edgeCount, polygons, polygonCount } = leading;
  outline.lowX = target.points[3 * vertex]! - pad;
  outline.lowY = target.points[3 * vertex + 1]! - pad;
  outline.highX = target.points[3 * vertex]! + pad;
  outline.highY = target.points[3 * vertex + 1]! + pad;
  for (let i = 0; i < polygonCount; i++)
    if (polygonMeets(translation, polygons[i]!))
      vertexPolygon(translation, target, vertex, mover, polygons[i]!);
  for (let i = 0; i < edgeCount; i++)
    if (edgeMeetsBox(translation, edges[i]!)) vertexEdge(translation, target, vertex, mover, edges[i]!);
  meetVertices(translation, vertex);
}

/** A target without polygons: a point. @internal */
function meetPoints(translation: TranslationContext): void {
  const { target } = translation;
  for (let v = 0; v < target.model.vertexTouches.length; v++) {
    needVertex(translation, target, v);
    meetVertexByBoxes(translation, v);
  }
}

/** A vertex of the target against the mover's. */
function meetVertices(translation: TranslationContext, vertex: number): void {
  const { mover, target, e, leading } = translation;
  const { points: p } = mover;
  const { points: q } = target;
  const { vertices, vertexCount } = leading;
  const x = q[3 * vertex]!;
  const y = q[3 * vertex + 1]!;
  for (let i = 0; i < vertexCount; i++) {
    const v = 3 * vertices[i]!;
    if (Math.abs(p[v]! - x) < e && Math.abs(p[v + 1]! - y) < e)
      vertexVertex(translation, vertices[i]!, vertex);
  }
}

/** Does the box of an edge of the mover meet the outline? */
function edgeMeetsBox(translation: TranslationContext, edge: number): boolean {
  const { mover, outline } = translation;
  const { lowX, lowY, highX, highY } = outline;
  const { points: p, model } = mover;
  const i = 3 * model.edges[2 * edge]!;
  const j = 3 * model.edges[2 * edge + 1]!;
  return (
    Math.min(p[i]!, p[j]!) <= highX &&
    Math.max(p[i]!, p[j]!) >= lowX &&
    Math.min(p[i + 1]!, p[j + 1]!) <= highY &&
    Math.max(p[i + 1]!, p[j + 1]!) >= lowY
  );
}

/** A polygon that may be reached, for movers with many features. The box is the polygon's, seen along the motion. @internal */
function meetByBoxes(translation: TranslationContext, f: number): void {
  const { mover, target, pad, tuning, leading, outline, doneVertices, doneEdges } = translation;
  const { lowX, lowY, highX, highY } = outline;
  const { points: p } = mover;
  const { points: q, model } = target;
  const { polygonVertices, polygonEdges } = model;
  const { vertices, vertexCount, edges, edgeCount } = leading;
  const first = model.polygonStart[f]!;
  const last = model.polygonStart[f + 1]!;
  const share = tuning.shareFeatures;
  for (let i = 0; i < vertexCount; i++) {
    const v = 3 * vertices[i]!;
    if (+(p[v]! >= lowX) & +(p[v]! <= highX) & +(p[v + 1]! >= lowY) & +(p[v + 1]! <= highY))
      vertexPolygon(translation, mover, vertices[i]!, target, f);
  }
  for (let k = first; k < last; k++) {
    const vertex = polygonVertices[k]!;
    if (doneVertices.marks[vertex] === doneVertices.mark && share) continue;
    doneVertices.marks[vertex] = doneVertices.mark;
    if (!tuning.skipInternal || model.vertexTouches[vertex] === 1) meetVertexByBoxes(translation, vertex);
  }
  for (let k = first; k < last; k++) {
    const code = polygonEdges[k]!;
    const edge = code < 0 ? ~code : code;
    if (doneEdges.marks[edge] === doneEdges.mark && share) continue;
    doneEdges.marks[edge] = doneEdges.mark;
    const kind = model.edgeKinds[edge]!;
    if (tuning.skipInternal && !canTouch(kind)) continue;
    const i = 3 * model.edges[2 * edge]!;
    const j = 3 * model.edges[2 * edge + 1]!;
    const x0 = Math.min(q[i]!, q[j]!) - pad;
    const x1 = Math.max(q[i]!, q[j]!) + pad;
    const y0 = Math.min(q[i + 1]!, q[j + 1]!) - pad;
    const y1 = Math.max(q[i + 1]!, q[j + 1]!) + pad;
    outline.lowX = x0;
    outline.lowY = y0;
    outline.highX = x1;
    outline.highY = y1;
    for (let n = 0; n < edgeCount; n++)
      if (edgeMeetsBox(translation, edges[n]!)) edgeEdge(translation, edges[n]!, edge);
    for (let n = 0; n < vertexCount; n++) {
      const v = 3 * vertices[n]!;
      if (+(p[v]! >= x0) & +(p[v]! <= x1) & +(p[v + 1]! >= y0) & +(p[v + 1]! <= y1))
        vertexEdge(translation, mover, vertices[n]!, target, edge);
    }
  }
}

/** Does the outline of a polygon of the mover meet a box, as boxes do? */
function polygonMeets(translation: TranslationContext, f: number): boolean {
  const { mover, outline } = translation;
  const { lowX, lowY, highX, highY } = outline;
  const { points: p, model } = mover;
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  for (let k = model.polygonStart[f]!, end = model.polygonStart[f + 1]!; k < end; k++) {
    const v = 3 * model.polygonVertices[k]!;
    x0 = Math.min(x0, p[v]!);
    x1 = Math.max(x1, p[v]!);
    y0 = Math.min(y0, p[v + 1]!);
    y1 = Math.max(y1, p[v + 1]!);
  }
  return x0 <= highX && x1 >= lowX && y0 <= highY && y1 >= lowY;
}
