/** The room of the page for react-three-fiber: what stands in it, and where it is seen from. */

type Triple = [number, number, number];

export interface Block {
  readonly name: string;
  /** Its centre. */
  readonly at: Triple;
  readonly size: Triple;
  readonly turn?: number;
}

/** It looks at the origin. */
export const CAMERA = { position: [0, 6, 9.5] as Triple, fov: 45 };

export const WALLS: readonly Block[] = [
  { name: 'floor', at: [0, -0.1, 0], size: [12, 0.2, 9] },
  { name: 'back wall', at: [0, 0.75, -4.6], size: [12, 1.5, 0.2] },
  { name: 'left wall', at: [-6.1, 0.75, 0], size: [0.2, 1.5, 9] },
  { name: 'right wall', at: [6.1, 0.75, 0], size: [0.2, 1.5, 9] },
  { name: 'low step', at: [4.6, 0.125, -2.9], size: [2.6, 0.25, 3] },
  { name: 'high step', at: [5, 0.25, -3.2], size: [1.8, 0.5, 2.4] },
];

export const CRATES: readonly Block[] = [
  { name: 'oak', at: [-3.6, 0.5, -2.5], size: [1, 1, 1], turn: 0.2 },
  { name: 'pine', at: [-2.4, 0.5, -2.7], size: [1, 1, 1], turn: -0.1 },
  { name: 'elm', at: [-3.05, 1.4, -2.6], size: [0.8, 0.8, 0.8], turn: 0.5 },
  { name: 'ash', at: [0.6, 0.6, -3], size: [1.2, 1.2, 1.2], turn: 0.7 },
  { name: 'birch', at: [3, 0.35, 0.6], size: [0.7, 0.7, 0.7], turn: -0.4 },
  { name: 'teak', at: [-4.2, 0.4, 0.8], size: [0.8, 0.8, 0.8], turn: 0.3 },
];

/** Where the character begins: in the air, above the floor. */
export const HERO = { at: [0, 3, 0] as Triple, radius: 0.35, halfHeight: 0.45 };
