/** Making faces agree on what is outside. */
import type { ReadonlyVec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import * as v3 from '../math/vec3.ts';
import { type HalfEdges, halfEdgesOf } from './half-edge.ts';
import { areaVector } from './newell.ts';
import { type MeshLike, type PolygonMesh, readMesh } from './polygon-mesh.ts';

/** A mesh whose faces agree, as far as they can. */
export interface OrientedMesh {
  readonly mesh: PolygonMesh;
  /** The faces that have been flipped. */
  readonly flipped: readonly number[];
  /** A face of each part that has no two sides, like a Möbius strip: these parts are as they were. */
  readonly oneSided: readonly number[];
}

/**
 * Turns faces over so that neighbours agree on what is outside. In each part that hangs together by edges of two faces,
 * the sides that have less area give in; of an even split, those that disagree with the first face. With `outward`,
 * parts that enclose a volume are then flipped as a whole so that it is positive: do without it for meshes seen from
 * within, or with cavities.
 */
export function orientMesh(mesh: MeshLike, { outward = true }: { outward?: boolean } = {}): OrientedMesh {
  return orient(readMesh('orientMesh', mesh), outward);
}

/** @internal Without the checks. */
export function orient(mesh: PolygonMesh, outward: boolean): OrientedMesh {
  const { flip, parts, oneSided } = findFlips(halfEdgesOf(mesh.faces, mesh.vertices.length));
  const areas = mesh.faces.map((face) =>
    areaVector(
      face.map((v) => mesh.vertices[v]!),
      vec3(),
    ),
  );
  for (const { faces, closed } of parts) {
    let balance = 0;
    for (const f of faces) balance += flip[f] ? -v3.length(areas[f]!) : v3.length(areas[f]!);
    const mustFlip = outward && closed ? encloses(mesh, areas, faces, flip) < 0 : balance < 0;
    if (mustFlip) for (const f of faces) flip[f] = flip[f] ? 0 : 1;
  }
  const flipped = [...flip.keys()].filter((f) => flip[f]);
  const faces = mesh.faces.map((face, f) => (flip[f] ? [...face].reverse() : face));
  return { mesh: { ...mesh, faces }, flipped, oneSided };
}

/** Faces that hang together by edges of exactly two faces; closed if they have no others. */
interface Part {
  readonly faces: readonly number[];
  readonly closed: boolean;
}

/**
 * For each face whether it must be flipped to agree with the first face of its part; never in parts that are
 * one-sided.
 *
 * @internal
 */
export function findFlips(mesh: HalfEdges): { flip: Uint8Array; parts: Part[]; oneSided: number[] } {
  const { faceCount, faceStart, face, radial, vertex } = mesh;
  const flip = new Uint8Array(faceCount);
  const reached = new Uint8Array(faceCount);
  const parts: Part[] = [];
  const oneSided: number[] = [];
  for (let seed = 0; seed < faceCount; seed++) {
    if (reached[seed]) continue;
    reached[seed] = 1;
    const faces = [seed];
    let closed = true;
    let agrees = true;
    for (const f of faces)
      for (let h = faceStart[f]!; h < faceStart[f + 1]!; h++) {
        const other = radial[h]!;
        if (other === h || radial[other] !== h) {
          closed = false;
          continue;
        }
        const g = face[other]!;
        const wanted = flip[f]! ^ (vertex[other] === vertex[h] ? 1 : 0);
        if (!reached[g]) {
          reached[g] = 1;
          flip[g] = wanted;
          faces.push(g);
        } else if (flip[g] !== wanted) agrees = false;
      }
    if (agrees) parts.push({ faces, closed });
    else {
      oneSided.push(seed);
      for (const f of faces) flip[f] = 0;
    }
  }
  return { flip, parts, oneSided };
}

/** Six times the volume within a closed part, once flipped: 0 when it is no more than rounding error. */
function encloses(
  mesh: PolygonMesh,
  areas: readonly ReadonlyVec3[],
  faces: readonly number[],
  flip: Uint8Array,
): number {
  const origin = mesh.vertices[mesh.faces[faces[0]!]![0]!]!;
  let volume = 0;
  let size = 0;
  for (const f of faces) {
    const cone = v3.dot(v3.sub(mesh.vertices[mesh.faces[f]![0]!]!, origin, arm), areas[f]!);
    volume += flip[f] ? -cone : cone;
    size += v3.length(arm) * v3.length(areas[f]!);
  }
  return Math.abs(volume) > 1e-12 * size ? volume : 0;
}
const arm = vec3();
