import { describe, expect, test } from 'vitest';
import { check, growsGently, property, type Rng } from '../../tests/kit/index.ts';
import { edgeFaces, vertexFaces, wingedEdges, wingedTriangles } from './adjacency.ts';
import { connectedComponents } from './components.ts';
import { halfEdges } from './half-edge.ts';

/** Any loops at all: few vertices, so that edges get many faces, and some vertices get none. */
function randomFaces(rng: Rng, corners = rng.int(3, 6)): { faces: number[][]; vertexCount: number } {
  const vertexCount = rng.int(corners, 14);
  const faces = Array.from({ length: rng.int(1, 12) }, () =>
    rng.shuffle(Array.from({ length: vertexCount }, (_, v) => v)).slice(0, rng.int(3, corners)),
  );
  return { faces, vertexCount };
}

const sidesOf = (faces: readonly (readonly number[])[]) =>
  faces.flatMap((face, f) => face.map((v, i) => ({ f, v, w: face[(i + 1) % face.length]! })));
const sorted = (list: Iterable<number>) => [...list].sort((a, b) => a - b);

const MOEBIUS = [0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4, 4, 5, 1, 5, 0, 1]; // the last pair meets the first crosswise
const BOOK = [
  [0, 1, 2],
  [1, 0, 3],
  [0, 1, 4],
];

describe('half-edges', () => {
  property('[R12.2] twins, loops and lists are those that comparing all sides finds', 4_000, (rng) => {
    const { faces, vertexCount } = randomFaces(rng);
    const mesh = halfEdges(faces, vertexCount);
    const sides = sidesOf(faces);
    check(mesh.vertex.length === sides.length && mesh.faceCount === faces.length, 'counts');
    const keys = new Set(sides.map(({ v, w }) => `${Math.min(v, w)},${Math.max(v, w)}`));
    check(mesh.edgeCount === keys.size, 'edge count');
    sides.forEach(({ f, v, w }, h) => {
      check(mesh.vertex[h] === v && mesh.face[h] === f && mesh.vertex[mesh.next[h]!] === w, 'side');
      const along = sides.flatMap((s, g) =>
        (s.v === v && s.w === w) || (s.v === w && s.w === v) ? [g] : [],
      );
      const ring: number[] = [];
      for (let g = h; ring.length <= sides.length; ) {
        ring.push(g);
        g = mesh.radial[g]!;
        if (g === h) break;
      }
      check(sorted(ring).join() === along.join(), 'radial list');
      check(
        along.every((g) => mesh.edge[g] === mesh.edge[h]),
        'edge number',
      );
      const opposite = along.find((g) => g !== h);
      const hasTwin = along.length === 2 && sides[opposite!]!.v === w;
      check(mesh.twin[h] === (hasTwin ? opposite : -1), 'twin');
      if (mesh.twin[h]! >= 0) check(mesh.twin[mesh.twin[h]!] === h, 'twin of twin');
      let steps = 0;
      for (let g = mesh.next[h]!; g !== h; g = mesh.next[g]!) check(++steps < 20, 'the loop closes');
      check(steps + 1 === faces[f]!.length, 'length of the loop');
    });
    for (let v = 0; v < vertexCount; v++) {
      const out = sorted(mesh.outgoing.subarray(mesh.vertexStart[v], mesh.vertexStart[v + 1]));
      check(out.join() === sides.flatMap((s, h) => (s.v === v ? [h] : [])).join(), 'outgoing');
    }
    mesh.edgeStart.forEach((h, e) => {
      check(mesh.edge[h] === e, 'first half-edge of an edge');
    });
    faces.forEach((_, f) => {
      check(mesh.face[mesh.faceStart[f]!] === f, 'first half-edge of a face');
    });
  });

  test('[R12.2] an edge of three faces has them all in its ring, and no twins', () => {
    const mesh = halfEdges(BOOK, 5);
    expect([0, 3, 6].map((h) => mesh.twin[h])).toEqual([-1, -1, -1]);
    expect(sorted([mesh.radial[0]!, mesh.radial[3]!, mesh.radial[6]!])).toEqual([0, 3, 6]);
    expect(mesh.edgeCount).toBe(7);
  });

  test('[R12.2] triangles of two corners, or one, are no trouble', () => {
    const mesh = halfEdges([0, 0, 1, 2, 2, 2], 3);
    expect(mesh.edgeCount).toBe(3);
    for (let h = 0; h < 6; h++) expect(mesh.next[mesh.next[mesh.next[h]!]!]).toBe(h);
  });

  test('[R12.2] a million triangles take about ten times as long as a hundred thousand', () => {
    const link = (triangles: number) => {
      const { index, vertexCount } = strip(triangles);
      expect(halfEdges(index, vertexCount).edgeCount).toBe(2 * triangles + 1);
    };
    growsGently(
      'half-edges',
      () => link(100_000),
      () => link(1_000_000),
    );
  });

  test('refuses loops that are none', () => {
    expect(() => halfEdges([0, 1], 3)).toThrow(/faces/);
    expect(() => halfEdges([0, 1, 3], 3)).toThrow(/faces/);
    expect(() => halfEdges([[0, 1]], 3)).toThrow(/faces/);
    expect(() => halfEdges([0, 1, 2], -1)).toThrow(/vertexCount/);
  });
});

/** A band of triangles, two rows of vertices. */
function strip(count: number): { index: Uint32Array; vertexCount: number } {
  const index = new Uint32Array(3 * count);
  for (let t = 0; t < count; t++) index.set(t % 2 === 0 ? [t, t + 1, t + 2] : [t + 1, t, t + 2], 3 * t);
  return { index, vertexCount: count + 2 };
}

describe('tables', () => {
  property(
    '[R12.2.1-2] faces by vertex and by edge are those that a search through all finds',
    4_000,
    (rng) => {
      const { faces, vertexCount } = randomFaces(rng);
      const byVertex = vertexFaces(faces, vertexCount);
      for (let v = 0; v < vertexCount; v++) {
        const wanted = faces.flatMap((face, f) => (face.includes(v) ? [f] : []));
        const got = byVertex.faces.subarray(byVertex.start[v], byVertex.start[v + 1]);
        check(sorted(got).join() === wanted.join(), 'faces by vertex');
      }
      const table = edgeFaces(faces, vertexCount);
      const sides = sidesOf(faces);
      let listed = 0;
      const seen = new Set<string>();
      for (let e = 0; e < table.edgeCount; e++) {
        const v = table.vertices[2 * e]!;
        const w = table.vertices[2 * e + 1]!;
        check(v < w && !seen.has(`${v},${w}`), 'the lower vertex first, each edge once');
        seen.add(`${v},${w}`);
        const along = sides.filter((s) => (s.v === v && s.w === w) || (s.v === w && s.w === v));
        const got = table.faces.subarray(table.start[e], table.start[e + 1]);
        check(sorted(got).join() === along.map((s) => s.f).join(), 'faces by edge');
        const bad = along.length === 2 && along[0]!.v === along[1]!.v;
        check(table.misoriented[e] === (bad ? 1 : 0), 'winding');
        listed += got.length;
      }
      check(listed === sides.length, 'all three edges of all');
    },
  );

  test('[R12.2.1-2] a vertex of no face, a border, a Möbius strip', () => {
    const table = vertexFaces([0, 1, 2], 4);
    expect([...table.start]).toEqual([0, 1, 2, 3, 3]);
    expect([...edgeFaces([0, 1, 2], 4).start]).toEqual([0, 1, 2, 3]);
    const moebius = edgeFaces(MOEBIUS, 6);
    const inner = Array.from({ length: moebius.edgeCount }, (_, e) => e).filter(
      (e) => moebius.start[e + 1]! - moebius.start[e]! === 2,
    );
    expect(inner.length).toBe(6);
    expect(inner.filter((e) => moebius.misoriented[e]).length).toBe(1);
  });

  property('[R12.2] winged edges know both faces and what comes before and after', 2_000, (rng) => {
    const { faces, vertexCount } = randomFaces(rng);
    const {
      edgeCount,
      vertices,
      faces: sides,
      wings,
      vertexEdge,
      faceEdge,
    } = wingedEdges(faces, vertexCount);
    const has = (e: number, v: number) => vertices[2 * e] === v || vertices[2 * e + 1] === v;
    for (let e = 0; e < edgeCount; e++) {
      const [v, w] = [vertices[2 * e]!, vertices[2 * e + 1]!];
      const along = sidesOf(faces).filter((s) => (s.v === v && s.w === w) || (s.v === w && s.w === v));
      for (const side of [0, 1]) {
        check(sides[2 * e + side] === (along[side]?.f ?? -1), 'face');
        const of = along[side];
        const [before, after] = [wings[4 * e + 2 * side]!, wings[4 * e + 2 * side + 1]!];
        if (!of) check(before === -1 && after === -1, 'no wings');
        else {
          const loop = faces[of.f]!;
          const at = loop.indexOf(of.v);
          check(has(before, of.v) && has(before, loop[(at + loop.length - 1) % loop.length]!), 'before');
          check(has(after, of.w) && has(after, loop[(at + 2) % loop.length]!), 'after');
        }
      }
    }
    faceEdge.forEach((e, f) => {
      check(has(e, faces[f]![0]!) && has(e, faces[f]![1]!), 'edge of a face');
    });
    vertexEdge.forEach((e, v) => {
      check(e < 0 ? !faces.flat().includes(v) : has(e, v), 'edge of a vertex');
    });
  });

  property('[R12.2] winged triangles lead across every side and back', 1_500, (rng) => {
    const { faces, vertexCount } = randomFaces(rng, 3);
    const { vertices, neighbours, vertexTriangle } = wingedTriangles(faces.flat(), vertexCount);
    const ends = (side: number) =>
      sorted([vertices[side]!, vertices[side % 3 === 2 ? side - 2 : side + 1]!]).join();
    neighbours.forEach((other, side) => {
      const along = neighbours.reduce((n, _, s) => n + (ends(s) === ends(side) ? 1 : 0), 0);
      if (along === 1) check(other === -1, 'border');
      else {
        check(other !== side && ends(other) === ends(side), 'the same edge');
        let at = other;
        for (let i = 1; i < along; i++) at = neighbours[at]!;
        check(at === side, 'round the edge and back');
      }
    });
    vertexTriangle.forEach((t, v) => {
      check(t < 0 ? !faces.flat().includes(v) : faces[t]!.includes(v), 'triangle of a vertex');
    });
  });
});

describe('components', () => {
  property('[R12.2.3] labels and seeds are those of joining faces with a common side', 5_000, (rng) => {
    const { faces, vertexCount } = randomFaces(rng);
    const label = faces.map((_, f) => f);
    const sides = sidesOf(faces);
    for (const s of sides)
      for (const t of sides) {
        const same = (s.v === t.v && s.w === t.w) || (s.v === t.w && s.w === t.v);
        if (!same || label[s.f] === label[t.f]) continue;
        const [to, from] = sorted([label[s.f]!, label[t.f]!]);
        label.forEach((l, f) => {
          if (l === from) label[f] = to!;
        });
      }
    const seeds = sorted(new Set(label));
    const got = connectedComponents(faces, vertexCount);
    check(got.count === seeds.length && [...got.seeds].join() === seeds.join(), 'seeds');
    check([...got.labels].join() === label.map((l) => seeds.indexOf(l)).join(), 'labels');
  });

  test('[R12.2.3] a strip of a million triangles is one component, two of them two', () => {
    const { index, vertexCount } = strip(1_000_000);
    expect(connectedComponents(index, vertexCount).count).toBe(1);
    const cut = index.slice();
    cut.copyWithin(1_500_000, 1_500_003); // without one in the middle
    const { count, seeds } = connectedComponents(cut, vertexCount);
    expect(count).toBe(2);
    expect([...seeds]).toEqual([0, 500_000]);
  });

  test('faces that meet in a vertex only are apart, and all along one edge are together', () => {
    expect(connectedComponents([0, 1, 2, 2, 3, 4], 5).count).toBe(2);
    const book = Array.from({ length: 50_000 }, (_, i) => [0, 1, i + 2]);
    expect(connectedComponents(book, 50_002).count).toBe(1);
  });
});
