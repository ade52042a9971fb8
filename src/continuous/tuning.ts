/** Switches for the benchmark and the tests that show what the optimisations bring; the answers are the same either way. @internal */
export interface Tuning {
  /** Leave out internal and flat edges, and vertices that only they meet in. */
  readonly skipInternal: boolean;
  /** Treat each vertex and each edge once, not once for every polygon it belongs to. */
  readonly shareFeatures: boolean;
  /** Remember on which side of an edge a vertex passes. */
  readonly bitCache: boolean;
  /** Find the polygons near the motion by the tree, not by looking at all of them. */
  readonly bsp: boolean;
}

/** @internal */
export const FULL_SPEED: Tuning = { skipInternal: true, shareFeatures: true, bitCache: true, bsp: true };
