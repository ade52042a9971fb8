/** Meshes that follow joints, as shapes. */
import { Skin } from '../skinned/skin.ts';
import { readSkin, type SkinSource } from '../skinned/skin-source.ts';
import { SkinnedShape } from '../skinned/skinned-shape.ts';
import { SURFACE } from './families.ts';
import { SKINNED } from './skinned-family.ts';

/**
 * An animated character: a mesh whose vertices follow joints, from the arrays of a glTF skin. It stands in the pose in which
 * it was bound until `pose` moves the joints. Every query takes it, and only what the query comes near to is worked out.
 *
 * Vertices that are equal in all that moves them are one, and seams that are open but for rounding are closed, as those of meshes
 * are. If no edge is left open then, it is a solid, as a closed mesh is;
 * else it is a surface without an inside.
 *
 * Weights are divided by their sum; a vertex without any follows its first joint, as in three.js. Refuses weights below 0,
 * joints that there are not, numbers that are not finite, and lists of the wrong length. O(n log n).
 */
export const skinned = (source: SkinSource): SkinnedShape =>
  new SkinnedShape(new Skin(readSkin(source)), SKINNED, SURFACE);
