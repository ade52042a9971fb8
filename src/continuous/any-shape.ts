/**
 * The shapes of `src/shapes`, as far as sweeps look into them. Shapes bring the exact sweep along, so that their room stands
 * below this one, and it cannot be asked for its types.
 */
import type { ConvexCore } from '../convex/core.ts';
import type { ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import type { ReadonlyPolyhedron } from '../polytope/types.ts';
import type { Mesh } from '../trimesh/mesh.ts';

type ConvexKind =
  | 'sphere'
  | 'box'
  | 'capsule'
  | 'cylinder'
  | 'cone'
  | 'ellipsoid'
  | 'hull'
  | 'triangle'
  | 'polygon'
  | 'segment'
  | 'point'
  | 'convex';

/** All but compounds. */
export type AnySimpleShape =
  | Mesh
  | { readonly kind: 'heightField' | 'skinned'; readonly mesh: Mesh }
  | { readonly kind: 'halfSpace'; readonly normal: ReadonlyVec3; readonly d: number }
  | {
      readonly kind: 'sdf' | 'csg' | 'levelSet' | 'parametric' | 'solid';
      readonly bound: (p: ReadonlyVec3) => number;
    }
  | { readonly kind: ConvexKind; readonly core: ConvexCore; readonly faces: ReadonlyPolyhedron | null };

/** A shape of any kind. */
export type AnyShape =
  | AnySimpleShape
  | {
      readonly kind: 'compound';
      readonly children: readonly { readonly shape: AnySimpleShape; readonly pose: ReadonlyPose }[];
    };
