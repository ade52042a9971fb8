/**
 * Seeded randomness for tests, and the points that break geometry code. A run is a seed and a case number;
 * both are printed when a case fails, and `GRAZE_SEED` brings it back.
 */
import type { Vec3 } from '../../src/math/types.ts';
/** xorshift128+ would do; sfc32 is as short and passes PractRand. */
export declare class Rng {
    private a;
    private b;
    private c;
    private d;
    constructor(seed: number);
    /** 32 random bits, unsigned. */
    bits(): number;
    /** Uniform in [0, 1), 53 bits. */
    unit(): number;
    /** Uniform in [low, high). */
    range(low: number, high: number): number;
    /** Integer in [low, high], both included. */
    int(low: number, high: number): number;
    chance(probability: number): boolean;
    pick<T>(items: readonly T[]): T;
    sign(): number;
    /** Roughly normal, mean 0, deviation 1. */
    gauss(): number;
    /** Uniform in the cube [-size, size]³. */
    vec(size?: number): Vec3;
    /** Uniform on the unit sphere. */
    direction(): Vec3;
    /** Uniform unit quaternion; one time in four a multiple of a quarter turn about an axis. */
    rotation(): {
        x: number;
        y: number;
        z: number;
        w: number;
    };
    shuffle<T>(items: T[]): T[];
}
/** How the points of one case are made: each way breaks a different kind of code. */
export declare const REGIMES: readonly ["lattice", "plain", "jittered", "huge", "tiny", "far"];
export type Regime = (typeof REGIMES)[number];
/** The points of one case, and the length that errors are measured against. */
export interface Cloud {
    readonly regime: Regime;
    readonly points: Vec3[];
    /** About the spread of the points. */
    readonly size: number;
    /** About the largest coordinate: rounding of the inputs themselves is `scale` × 2⁻⁵³. */
    readonly scale: number;
}
/**
 * `count` points from one regime. `lattice` has coordinates in {-2 … 2}, so coincident, parallel, collinear,
 * coplanar and touching come up all the time, exactly; `jittered` the same off by about 1e-9; `huge` and `tiny`
 * spread over 1e6 and 1e-6; `far` lies 1e6 from the origin.
 */
export declare function cloud(rng: Rng, count: number, regime?: Regime): Cloud;
//# sourceMappingURL=rng.d.ts.map