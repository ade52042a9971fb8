/** What of a translating mover can be the first to touch something. van Waveren 2005, §4. */
import { withIntegerCapacity } from '../boxes.ts';
import { canTouch } from '../features.ts';
import type { ModelBits, PolyhedralModel } from '../types.ts';
import type { TranslationContext } from './translation-context.ts';

function bitsOf(model: PolyhedralModel): ModelBits {
  const { sweeper } = model;
  sweeper.bits ??= makeBits(model);
  return sweeper.bits;
}

function makeBits(model: PolyhedralModel): ModelBits {
  const { polygonStart, polygonVertices, polygonEdges, vertexTouches, edgeKinds, sources } = model;
  const bits = {
    polygonVertices: new Int32Array(sources.length),
    forward: new Int32Array(sources.length),
    backward: new Int32Array(sources.length),
    touchingVertices: 0,
    touchingEdges: 0,
  };
  for (let f = 0; f < sources.length; f++)
    for (let k = polygonStart[f]!; k < polygonStart[f + 1]!; k++) {
      const edge = polygonEdges[k]!;
      bits.polygonVertices[f]! |= 1 << polygonVertices[k]!;
      if (edge < 0) bits.backward[f]! |= 1 << ~edge;
      else bits.forward[f]! |= 1 << edge;
    }
  vertexTouches.forEach((touching, v) => {
    bits.touchingVertices |= touching << v;
  });
  edgeKinds.forEach((kind, e) => {
    bits.touchingEdges |= +canTouch(kind) << e;
  });
  return bits;
}

const every = (count: number): number => (count === 32 ? -1 : (1 << count) - 1);

/** Lists what can touch first. A part of a solid can only if one of the polygons about it looks along the motion. @internal */
export function readLeading(translation: TranslationContext): void {
  const { model } = translation.mover;
  const { leading, tuning } = translation;
  leading.cached =
    tuning.bitCache &&
    model.vertexTouches.length <= 32 &&
    model.edgeKinds.length <= 32 &&
    model.sources.length <= 64;
  if (leading.cached) readByBits(translation);
  else readByMarks(translation);
}

function readByBits(translation: TranslationContext): void {
  const { leading, tuning } = translation;
  const { model, front, points, planes } = translation.mover;
  const onlyLeading = front && model.closed;
  const vertices = model.vertexTouches.length;
  const edges = model.edgeKinds.length;
  const polygons = model.sources.length;
  const { polygonVertices, forward, backward, touchingVertices, touchingEdges } = bitsOf(model);
  const { insideLeft, insideRight, spots, lines } = leading;
  let count = 0;
  let vertexBits = onlyLeading ? 0 : every(vertices);
  let edgeBits = onlyLeading ? 0 : every(edges);
  for (let f = 0; f < polygons; f++) {
    const along = planes[4 * f + 2]!;
    if (!(along > 0) && front) continue;
    leading.polygons[count] = f;
    insideLeft[count] = along > 0 ? forward[f]! : backward[f]!;
    insideRight[count++] = along > 0 ? backward[f]! : forward[f]!;
    vertexBits |= polygonVertices[f]!;
    edgeBits |= forward[f]! | backward[f]!;
  }
  if (tuning.skipInternal) {
    vertexBits &= touchingVertices;
    edgeBits &= touchingEdges;
  }
  leading.polygonCount = count;
  leading.vertexBits = vertexBits;
  leading.edgeBits = edgeBits;
  const { edges: ends } = model;
  let n = 0;
  for (let left = vertexBits; left !== 0; n++) {
    const v = 31 - Math.clz32(left);
    left &= ~(1 << v);
    leading.vertices[n] = v;
    spots[2 * n] = points[3 * v]!;
    spots[2 * n + 1] = points[3 * v + 1]!;
  }
  leading.vertexCount = n;
  n = 0;
  for (let left = edgeBits; left !== 0; n++) {
    const e = 31 - Math.clz32(left);
    left &= ~(1 << e);
    leading.edges[n] = e;
    const i = 3 * ends[2 * e]!;
    const j = 3 * ends[2 * e + 1]!;
    const ux = points[j]! - points[i]!;
    const uy = points[j + 1]! - points[i + 1]!;
    lines[4 * n] = ux;
    lines[4 * n + 1] = uy;
    lines[4 * n + 2] = ux * points[i + 1]! - uy * points[i]!;
    lines[4 * n + 3] = translation.pad * (Math.abs(ux) + Math.abs(uy));
  }
  leading.edgeCount = n;
}

function readByMarks(translation: TranslationContext): void {
  const { leading, tuning } = translation;
  const { model, front, planes } = translation.mover;
  const onlyLeading = front && model.closed;
  const vertices = model.vertexTouches.length;
  const edges = model.edgeKinds.length;
  const polygons = model.sources.length;
  const { polygonStart, polygonVertices, polygonEdges, edgeKinds, vertexTouches } = model;
  const { markedVertices, markedEdges } = leading;
  markedVertices.begin(vertices);
  markedEdges.begin(edges);
  leading.vertices = withIntegerCapacity(leading.vertices, vertices);
  leading.edges = withIntegerCapacity(leading.edges, edges);
  leading.polygons = withIntegerCapacity(leading.polygons, polygons);
  let count = 0;
  for (let f = 0; f < polygons; f++) {
    const along = planes[4 * f + 2]!;
    if (!(along > 0) && front) continue;
    leading.polygons[count++] = f;
    if (onlyLeading)
      for (let k = polygonStart[f]!, end = polygonStart[f + 1]!; k < end; k++) {
        const edge = polygonEdges[k]!;
        markedVertices.marks[polygonVertices[k]!] = markedVertices.mark;
        markedEdges.marks[edge < 0 ? ~edge : edge] = markedEdges.mark;
      }
  }
  leading.polygonCount = count;
  const all = !tuning.skipInternal;
  let n = 0;
  for (let v = 0; v < vertices; v++)
    if ((!onlyLeading || markedVertices.marks[v] === markedVertices.mark) && (all || vertexTouches[v] === 1))
      leading.vertices[n++] = v;
  leading.vertexCount = n;
  n = 0;
  for (let e = 0; e < edges; e++)
    if ((!onlyLeading || markedEdges.marks[e] === markedEdges.mark) && (all || canTouch(edgeKinds[e]!)))
      leading.edges[n++] = e;
  leading.edgeCount = n;
}
