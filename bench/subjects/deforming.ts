/**
 * Vertex-face and edge-edge queries of a published benchmark (../shared/data/ccd, where that is there), and a whole step of a
 * cloth. Tight-Inclusion is a C++ library; what it takes on the same queries stands in docs/deforming.md.
 */
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { castDeforming, castEdgeEdgeMany, castVertexFaceMany, deformingMesh } from 'graze/continuous';
import { measure, type Row, report } from '../harness.ts';

const rows: Row[] = [];
const folder = new URL('../../../shared/data/ccd/', import.meta.url);

for (const pair of ['vertex-face', 'edge-edge']) {
  const file = new URL(`${pair}.bin.gz`, folder);
  if (!existsSync(file)) continue;
  const bytes = gunzipSync(readFileSync(file));
  const all = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const records = Array.from({ length: all.length / 28 }, (_, i) => all.subarray(28 * i, 28 * i + 28));
  const groupOf = (r: Float64Array) =>
    r[27] === 1 ? 'near misses' : r[26]! <= 10 ? 'handcrafted' : 'simulation';
  for (const group of ['handcrafted', 'simulation', 'near misses']) {
    const list = records.filter((r) => groupOf(r) === group);
    const starts = Float64Array.from(list.flatMap((r) => [...r.subarray(0, 12)]));
    const ends = Float64Array.from(list.flatMap((r) => [...r.subarray(12, 24)]));
    const out = { t: new Float64Array(list.length) };
    const ask = pair === 'vertex-face' ? castVertexFaceMany : castEdgeEdgeMany;
    rows.push(
      ...measure({
        title: `first contact, ${pair}, ${group}`,
        calls: list.length,
        rounds: 21,
        passes: 1,
        contenders: [
          {
            name: 'graze',
            run: () => ask(starts, ends, {}, out).t[0]!,
            // Missed, made up, late, or early by more than 1e-9.
            wrong: () =>
              list.filter((r, i) => {
                const t = out.t[i]!;
                return r[24] === 1 ? !(t <= r[25]! && t >= r[25]! - 1e-9) : t !== Infinity;
              }).length,
          },
        ],
      }),
    );
  }
}

/** A sheet in waves over itself, of n × n vertices, that moves by about half an edge. */
function step(n: number): { from: Float64Array; to: Float64Array; indices: number[] } {
  const from = new Float64Array(3 * n * n);
  const to = new Float64Array(3 * n * n);
  const indices: number[] = [];
  for (let i = 0; i < n * n; i++) {
    const u = (i % n) / (n - 1);
    const v = Math.floor(i / n) / (n - 1);
    const a = 10 * u * Math.PI;
    const edge = 1 / (n - 1);
    const [x, y, z] = [0.3 * u + 0.06 * Math.sin(a), 0.05 * Math.cos(a) + 0.004 * Math.sin(40 * v), v];
    from.set([x, y, z], 3 * i);
    to.set(
      [
        x + 0.5 * edge * Math.sin(7 * v + 3 * u),
        y - 0.6 * edge * Math.cos(9 * v + a),
        z + 0.4 * edge * Math.sin(5 * u),
      ],
      3 * i,
    );
    if ((i + 1) % n && i + n < n * n) indices.push(i, i + 1, i + n, i + 1, i + n + 1, i + n);
  }
  return { from, to, indices };
}

for (const n of [80, 159, 317]) {
  const { from, to, indices } = step(n);
  const mesh = deformingMesh(indices, n * n);
  rows.push(
    ...measure({
      title: `step of a cloth, ${(indices.length / 3).toLocaleString('en')} triangles`,
      calls: 1,
      rounds: 7,
      passes: 1,
      contenders: [
        { name: 'graze', run: () => castDeforming(from, to, mesh)?.t ?? 0 },
        { name: 'graze, with a new tree', run: () => castDeforming(from, to, indices)?.t ?? 0 },
      ],
    }),
  );
}

report(rows);
