/**
 * Models laid out for translations. A sweep through a level looks at a few polygons out of thousands and rejects most of them
 * away: what it costs is to wait for memory, so what is read together lies together.
 */
import { roundDownF32, roundUpF32 } from '../../math/float.ts';
import type { PackedLevel, PolyhedralModel } from '../types.ts';

/** @internal */
export function packedLevel(model: PolyhedralModel): PackedLevel {
  const { sweeper } = model;
  sweeper.level ??= packLevel(model);
  return sweeper.level;
}

/** A polygon's corner count and plane, before its corners. @internal */
export const BLOCK_HEAD = 5;

function packLevel(model: PolyhedralModel): PackedLevel {
  const { axes, splits, next, counts, items } = model.bsp;
  const { polygonStart, polygonVertices, polygonBounds, planes, points, sources } = model;
  const nodes = new Float64Array(2 * axes.length);
  for (let i = 0; i < axes.length; i++) {
    const leaf = axes[i] === 3;
    nodes[2 * i] = leaf ? next[i]! : splits[i]!;
    nodes[2 * i + 1] = leaf ? 4 * counts[i]! + 3 : 4 * next[i]! + axes[i]!;
  }
  const entries = new Int32Array(2 * items.length);
  const boxes = new Float32Array(6 * items.length);
  const blocks = new Float64Array(BLOCK_HEAD * sources.length + 3 * polygonVertices.length);
  // In the order of the leaves: neighbours are next to each other.
  const starts = new Int32Array(sources.length).fill(-1);
  let end = 0;
  for (let k = 0; k < items.length; k++) {
    const f = items[k]!;
    for (let c = 0; c < 3; c++) {
      boxes[6 * k + c] = roundDownF32(polygonBounds[6 * f + c]!);
      boxes[6 * k + c + 3] = roundUpF32(polygonBounds[6 * f + c + 3]!);
    }
    if (starts[f]! < 0) {
      starts[f] = end;
      blocks[end++] = polygonStart[f + 1]! - polygonStart[f]!;
      for (let c = 0; c < 4; c++) blocks[end++] = planes[4 * f + c]!;
      for (let corner = polygonStart[f]!; corner < polygonStart[f + 1]!; corner++)
        for (let c = 0; c < 3; c++) blocks[end++] = points[3 * polygonVertices[corner]! + c]!;
    }
    entries[2 * k] = f;
    entries[2 * k + 1] = starts[f]!;
  }
  return { nodes, entries, boxes, blocks };
}
