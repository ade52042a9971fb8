/** Solids of unit cubes: many faces in one plane, corners of all kinds, edges that four faces share. */
import type { Vec3 } from '../../src/math/types.ts';
import type { Rng } from './rng.ts';
export interface Voxels {
    readonly positions: Float64Array;
    readonly index: Uint32Array;
    /** The centres of the cubes. */
    readonly centers: Vec3[];
    /** How many unit squares the surface has. */
    readonly squares: number;
}
/** Some of the cubes of a grid, each square of the surface as two triangles, cut along either diagonal; then `place`. */
export declare function voxels(rng: Rng, size: number, fill: number, place?: (p: Vec3) => Vec3): Voxels;
/** Turned, scaled and moved. */
export declare function placing(rng: Rng): (p: Vec3) => Vec3;
//# sourceMappingURL=voxels.d.ts.map