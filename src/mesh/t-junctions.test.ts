import { describe, expect, test } from 'vitest';
import { check, cloud, property, type Rng } from '../../tests/kit/index.ts';
import type { ReadonlyVec3, Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { fixFaceCracks } from './face-cracks.ts';
import { PointTree } from './point-tree.ts';
import type { PolygonMesh } from './polygon-mesh.ts';
import { fixTJunctions } from './t-junctions.ts';

/** Pairs of an edge and a vertex on it, by looking at all. */
function junctions({ vertices, faces }: PolygonMesh, tolerance: number): string[] {
  const used = new Set(faces.flat());
  const found = new Set<string>();
  for (const face of faces)
    face.forEach((v, i) => {
      const w = face[(i + 1) % face.length]!;
      const a = vertices[Math.min(v, w)]!;
      const b = vertices[Math.max(v, w)]!;
      const ab = v3.sub(b, a);
      const length = v3.length(ab);
      for (const p of used) {
        if (p === v || p === w) continue;
        const ap = v3.sub(vertices[p]!, a);
        const t = v3.dot(ap, ab) / length;
        const off = v3.length(v3.sub(ap, v3.scale(ab, t / length)));
        const inside = v3.length(ap) < length && v3.distance(vertices[p]!, b) < length;
        if (inside && t > 0 && t < length && off <= tolerance)
          found.add(`${Math.min(v, w)},${Math.max(v, w)}:${p}`);
      }
    });
  return [...found].sort();
}

/** How often each directed side is used more often than its opposite: what the faces have as boundary. */
function boundary(faces: PolygonMesh['faces']): string {
  const sum = new Map<string, number>();
  for (const face of faces)
    face.forEach((v, i) => {
      const w = face[(i + 1) % face.length]!;
      const key = v < w ? `${v},${w}` : `${w},${v}`;
      sum.set(key, (sum.get(key) ?? 0) + (v < w ? 1 : -1));
    });
  return [...sum]
    .filter(([, n]) => n !== 0)
    .map(([key, n]) => `${key}:${n}`)
    .sort()
    .join(' ');
}

const SEARCH = { fix: 'crack', local: false } as const;
const quad = (...corners: number[]): number[] => corners;

describe('the tree of points', () => {
  property('[R12.3b] finds all points near a segment and in a box that a scan finds', 5_000, (rng) => {
    const { points, size } = cloud(rng, rng.int(0, 60));
    const tree = new PointTree(
      points,
      points.map((_, i) => i),
    );
    const [a, b] = [rng.pick([...points, vec3()]), rng.pick([...points, rng.vec(size)])];
    const reach = size * rng.pick([0, 1e-6, 0.1]);
    const near = new Set(tree.nearSegment(a, b, reach, []));
    const ab = v3.sub(b, a);
    points.forEach((p, i) => {
      const t = Math.min(1, Math.max(0, v3.dot(v3.sub(p, a), ab) / (v3.lengthSq(ab) || 1)));
      const off = v3.distance(p, v3.addScaled(a, ab, t));
      if (off <= reach * (1 - 1e-9) || p === a || p === b) check(near.has(i), 'near the segment');
    });
    const min = v3.min(a, b);
    const max = v3.max(a, b);
    const inside = points.flatMap((p, i) =>
      p.x >= min.x && p.y >= min.y && p.z >= min.z && p.x <= max.x && p.y <= max.y && p.z <= max.z ? [i] : [],
    );
    check(
      tree
        .inBox(min, max, [])
        .sort((i, j) => i - j)
        .join() === inside.join(),
      'in the box',
    );
  });

  test('visits few points for one edge among many', () => {
    const points: Vec3[] = [];
    for (let i = 0; i < 100; i++) for (let j = 0; j < 100; j++) points.push(vec3(i, j, 0));
    const tree = new PointTree(
      points,
      points.map((_, i) => i),
    );
    expect(tree.nearSegment(vec3(0, 0, 0), vec3(99, 99, 0), 0.01, []).length).toBeLessThan(1500);
  });
});

describe('t-junctions', () => {
  /** A square whose right side is divided, next to squares that know nothing of it; lattice points plus jitter. */
  function pieces(rng: Rng, jitter: number): PolygonMesh {
    // Rectangles that tile a board, each with its own corners only.
    const vertices: Vec3[] = [];
    const at = new Map<string, number>();
    const vertex = (x: number, y: number) => {
      const key = `${x},${y}`;
      if (!at.has(key)) {
        at.set(key, vertices.length);
        vertices.push(v3.addScaled(vec3(x, y, 0), rng.direction(), jitter * rng.unit()));
      }
      return at.get(key)!;
    };
    const faces: number[][] = [];
    const stack = [[0, 0, 16, 16]];
    while (stack.length > 0) {
      const [x0, y0, x1, y1] = stack.pop() as [number, number, number, number];
      const along = x1 - x0 > y1 - y0 || (x1 - x0 === y1 - y0 && rng.chance(0.5));
      const length = along ? x1 - x0 : y1 - y0;
      if (length < 2 || (length < 16 && rng.chance(0.25)))
        faces.push(quad(vertex(x0, y0), vertex(x1, y0), vertex(x1, y1), vertex(x0, y1)));
      else {
        const cut = rng.int(1, length - 1);
        if (along) stack.push([x0, y0, x0 + cut, y1], [x0 + cut, y0, x1, y1]);
        else stack.push([x0, y0, x1, y0 + cut], [x0, y0 + cut, x1, y1]);
      }
    }
    return { vertices, faces };
  }

  property('[R12.3b] edges are led through all vertices on them, as a scan of all finds', 80, (rng) => {
    const jitter = rng.pick([0, 1e-3]);
    const mesh = pieces(rng, jitter);
    const tolerance = 4 * jitter;
    const before = junctions(mesh, tolerance);
    const { mesh: fixed, cracked } = fixTJunctions(mesh, { ...SEARCH, tolerance });
    check(before.length > 0 === cracked > 0, 'something to do');
    check(junctions(fixed, tolerance).length === 0, () => `left: ${junctions(fixed, tolerance)}`);
    check(fixed.faces.length === mesh.faces.length, 'no face is lost');
    // The inner edges cancel now: only the rim of the board is left.
    const rim = boundary(fixed.faces).split(' ');
    for (const side of rim) {
      const [v, w] = side.split(/[,:]/).map(Number) as [number, number];
      const [p, q] = [fixed.vertices[v]!, fixed.vertices[w]!];
      const onRim = (['x', 'y'] as const).some((k) =>
        [0, 16].some((s) => Math.abs(p[k] - s) + Math.abs(q[k] - s) < 0.01),
      );
      check(onRim, () => `an inner edge is open: ${side}`);
    }
    const again = fixTJunctions(fixed, { ...SEARCH, tolerance });
    check(again.cracked === 0 && JSON.stringify(again.mesh) === JSON.stringify(fixed), 'idempotent');
  });

  property('[R12.3b] any triangles at all: it ends, and what was closed is closed', 2_000, (rng) => {
    const { points, size } = cloud(rng, rng.int(4, 9), rng.pick(['lattice', 'jittered', 'plain']));
    // Tetrahedra: each is closed by itself.
    const faces = Array.from({ length: rng.int(1, 4) }, () =>
      rng.shuffle(points.map((_, i) => i)).slice(0, 4),
    ).flatMap(([a, b, c, d]) => [
      [a!, b!, c!],
      [a!, d!, b!],
      [b!, d!, c!],
      [c!, d!, a!],
    ]);
    const tolerance = size * rng.pick([0, 1e-8, 0.05, 0.3]);
    const { mesh } = fixTJunctions({ vertices: points, faces }, { ...SEARCH, tolerance });
    check(boundary(mesh.faces) === '', 'closed');
    check(junctions(mesh, tolerance * (1 - 1e-12)).length === 0, 'no t-vertex left');
    check(
      mesh.faces.every((f) => f.length >= 3 && new Set(f).size === f.length),
      'simple loops',
    );
  });

  /** A triangle over a fan of others that have vertices on its long side, a little off. */
  function wedge(rng: Rng, count: number, off: number, up = off): PolygonMesh {
    const vertices = [vec3(0, 0, 0), vec3(10, 0, 0), vec3(5, 5, 0), vec3(5, -5, 0)];
    const chain = [0];
    for (let i = 1; i < count; i++) {
      chain.push(vertices.length);
      vertices.push(vec3((10 * i) / count, rng.range(-off, off), rng.range(-up, up)));
    }
    chain.push(1);
    const fan = chain.slice(1).map((v, i) => [3, v, chain[i]!]);
    return { vertices, faces: rng.shuffle([[0, 1, 2], ...fan]) };
  }

  property('[R12.3a] a crack of many vertices closes by looking along borders alone', 1_000, (rng) => {
    const off = 1e-3;
    const mesh = wedge(rng, rng.int(2, 12), off / Math.SQRT2);
    const { mesh: fixed, cracked } = fixTJunctions(mesh, { tolerance: off, fix: 'crack', local: true });
    check(cracked > 0, 'found');
    check(junctions(fixed, off).length === 0, 'no t-vertex left');
    check(boundary(fixed.faces).split(' ').length === 4, 'only the four outer edges are open');
  });

  property('[R12.3a] snap: vertices end up on the line', 1_000, (rng) => {
    const mesh = wedge(rng, rng.int(2, 8), 7e-4);
    const { mesh: fixed } = fixTJunctions(mesh, { tolerance: 1e-3, fix: 'snap', local: rng.chance(0.5) });
    check(boundary(fixed.faces).split(' ').length === 4, 'closed');
    for (const p of fixed.vertices)
      if (Math.abs(p.y) < 1) check(Math.abs(p.y) + Math.abs(p.z) < 1e-15, 'on the line');
  });

  property('[R12.3a] collapse: vertices that serve nothing else go away', 1_000, (rng) => {
    // In the plane: faces that lean a little would have to lean much more when they grow.
    const mesh = wedge(rng, rng.int(2, 8), 3e-4, 0);
    const { mesh: fixed, collapsed } = fixTJunctions(mesh, {
      tolerance: 1e-3,
      fix: 'collapse',
      local: rng.chance(0.5),
    });
    check(collapsed === mesh.vertices.length - 4, 'all of them');
    check(fixed.vertices.length === 4 && fixed.faces.length === 2, 'two triangles');
    check(boundary(fixed.faces).split(' ').length === 4, 'closed');
  });

  test('[R12.3a] collapse leaves alone a vertex that carries something', () => {
    // On the other side of the edge there is a roof: its ridge ends at the t-vertex.
    const vertices = [
      vec3(0, 0, 0),
      vec3(10, 0, 0),
      vec3(5, 5, 0),
      vec3(5, 0, 0),
      vec3(0, -5, -5),
      vec3(10, -5, -5),
      vec3(5, -5, 3),
    ];
    const faces = [
      [0, 1, 2],
      [0, 4, 6, 3],
      [3, 6, 5, 1],
    ];
    const { mesh, collapsed, cracked } = fixTJunctions(
      { vertices, faces },
      { tolerance: 1e-3, fix: 'collapse', local: false },
    );
    expect([collapsed, cracked]).toEqual([0, 1]);
    expect(mesh.vertices.length).toBe(7);
  });

  test('[R12.3b] a gap between parts that share nothing closes; locally it is not found', () => {
    const vertices = [
      vec3(0, 0, 0),
      vec3(4, 0, 0),
      vec3(0, 4, 0),
      vec3(1, -1e-4, 0),
      vec3(3, -1e-4, 0),
      vec3(2, -3, 0),
    ];
    const mesh = {
      vertices,
      faces: [
        [0, 1, 2],
        [4, 3, 5],
      ],
    };
    expect(fixTJunctions(mesh, { tolerance: 1e-3, fix: 'crack', local: true }).cracked).toBe(0);
    const { mesh: fixed } = fixTJunctions(mesh, { ...SEARCH, tolerance: 1e-3 });
    expect(fixed.faces[0]!.length).toBe(5);
    expect(boundary(fixed.faces).split(' ').length).toBe(6);
  });

  test('[R12.3b] a triangle with a vertex on its own side vanishes between its neighbours', () => {
    const vertices = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(2, 0, 0), vec3(2, 3, 0), vec3(2, -3, 0)];
    const faces = [
      [0, 1, 3],
      [1, 0, 2], // without area
      [0, 4, 2],
      [2, 4, 1],
    ];
    const { mesh } = fixTJunctions({ vertices, faces }, { ...SEARCH, tolerance: 1e-9 });
    expect(mesh.faces.length).toBe(3);
    expect(boundary(mesh.faces).split(' ').length).toBe(4);
  });
});

describe('face cracks', () => {
  const floor: ReadonlyVec3[] = [vec3(0, 0, 0), vec3(10, 0, 0), vec3(10, 10, 0), vec3(0, 10, 0)];
  const area = (points: readonly ReadonlyVec3[]) => {
    let sum = 0;
    points.forEach((p, i) => {
      const q = points[(i + 1) % points.length]!;
      sum += (p.x * q.y - p.y * q.x) / 2;
    });
    return sum;
  };
  const floorArea = ({ vertices, faces }: PolygonMesh, source: number[]) =>
    faces.reduce((sum, face, f) => sum + (source[f] === 0 ? area(face.map((v) => vertices[v]!)) : 0), 0);

  test('[R12.3b] an upright face splits the floor that it stands on', () => {
    const vertices = [...floor, vec3(3, 4, 1e-4), vec3(7, 5, -1e-4), vec3(7, 5, 3), vec3(3, 4, 3)];
    const faces = [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
    ];
    const { mesh, source, split } = fixFaceCracks({ vertices, faces }, 1e-3, false);
    expect(split).toBe(1);
    // Vertices are renumbered: the foot of the wall is its first edge.
    const [p, q] = mesh.faces[source.indexOf(1)]! as [number, number];
    const along = mesh.faces.filter((f) => f.includes(p) && f.includes(q));
    expect(along.length).toBe(3);
    expect(floorArea(mesh, source)).toBeCloseTo(100, 10);
    expect(fixFaceCracks(mesh, 1e-3, false).split).toBe(0);
  });

  test('[R12.3b] vertices behind the face may be skipped', () => {
    const vertices = [...floor, vec3(3, 4, -1e-4), vec3(7, 5, -1e-4), vec3(7, 5, 3)];
    const faces = [
      [0, 1, 2, 3],
      [4, 5, 6],
    ];
    expect(fixFaceCracks({ vertices, faces }, 1e-3, true).split).toBe(0);
    expect(fixFaceCracks({ vertices, faces }, 1e-3, false).split).toBe(1);
  });

  property('[R12.3b] walls at random become edges of the floor, which stays whole', 1_000, (rng) => {
    const feet: Vec3[] = [];
    while (feet.length < 2 * rng.int(1, 4)) {
      const foot = rng.chance(0.5)
        ? vec3(rng.int(1, 9), rng.int(1, 9), 0)
        : vec3(rng.range(1, 9), rng.range(1, 9), rng.range(-1e-6, 1e-6));
      if (feet.every((p) => v3.distance(p, foot) > 0.1)) feet.push(foot);
    }
    if (feet.length % 2 === 1) feet.pop();
    const vertices = [...floor, ...feet];
    const faces = [[0, 1, 2, 3]];
    for (let i = 0; i < feet.length; i += 2) {
      faces.push([4 + i, 5 + i, vertices.length]);
      vertices.push(v3.add(feet[i]!, vec3(0, 0, 5)));
    }
    const { mesh, source } = fixFaceCracks({ vertices, faces }, 1e-5, false);
    check(Math.abs(floorArea(mesh, source) - 100) < 1e-9, 'area');
    const onFloor = mesh.faces.filter((_, f) => source[f] === 0);
    check(
      onFloor.every((f) => area(f.map((v) => mesh.vertices[v]!)) > 0),
      'all face up',
    );
    const foot = (v: number) => mesh.vertices[v]!;
    const turn = (a: Vec3, b: Vec3, c: Vec3) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    for (let i = 0; i < feet.length; i += 2) {
      const [a, b] = [feet[i]!, feet[i + 1]!];
      // Where walls cross, or one stands on a vertex of another, an edge cannot be had without new vertices.
      const free = feet.every((p, j) => {
        if (j === i || j === i + 1 || j % 2 === 1) return true;
        const q = feet[j + 1]!;
        return turn(a, b, p) * turn(a, b, q) > 0 || turn(p, q, a) * turn(p, q, b) > 0;
      });
      if (!free) continue;
      const isEdge = onFloor.some((f) =>
        f.some((v, k) => {
          const w = f[(k + 1) % f.length]!;
          return v3.distance(foot(v), a) + v3.distance(foot(w), b) === 0;
        }),
      );
      check(isEdge, 'the foot of the wall is an edge of the floor');
    }
  });
});
