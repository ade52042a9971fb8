/** The three variants of Mujika et al., with their counters, beside the figures of the paper. */
import type { skinned } from 'graze';
import { collideSpheres, SkinnedSpheres, SphereCounters, SphereSurroundings } from 'graze/rtcd';
import type { RoomName } from './rooms.ts';

export type Variant = 'original' | 'sphere division' | 'plane–sphere';
export const VARIANTS = ['original', 'sphere division', 'plane–sphere'] as const;

/** Tables 2 and 3: the most in a frame, and the bytes of the trees in millions. */
interface Figures {
  readonly spheres: number;
  readonly triangles: number;
  readonly planes: number;
  readonly operations: number;
  readonly megabytes: number;
}

const figures = (
  spheres: number,
  triangles: number,
  planes: number,
  operations: number,
  megabytes: number,
): Figures => ({ spheres, triangles, planes, operations, megabytes });

export const PAPER: Record<RoomName, Record<Variant, Figures>> = {
  museum: {
    original: figures(200_000, 150_000, 0, 17_000_000, 0.548),
    'sphere division': figures(15_000, 150, 0, 165_000, 65),
    'plane–sphere': figures(5_000, 0, 2_000, 110_000, 24),
  },
  'living room': {
    original: figures(80_000, 70_000, 0, 7_000_000, 3.21),
    'sphere division': figures(80_000, 50_000, 0, 5_000_000, 49.2),
    'plane–sphere': figures(8_000, 0, 275, 90_000, 37.5),
  },
};

const DIVISIONS = { original: 'none', 'sphere division': 'quaternary', 'plane–sphere': 'corner' } as const;
/** Edges longer than this, in metres, are divided, if nothing else is said. */
const LONGEST = 0.3;
/** Spheres of more than this part of their parent's radius are left out. */
const RATIO = 0.9;

/** The trees of one avatar in one room: each is built when first asked for. */
export class Variants {
  readonly spheres: SkinnedSpheres;
  readonly counters = new SphereCounters();
  private readonly known = new Map<Variant, SphereSurroundings>();
  private readonly room: RoomTriangles;
  private readonly longest: number;

  constructor(
    shape: ReturnType<typeof skinned>,
    room: RoomTriangles,
    spheres?: SkinnedSpheres,
    longest = LONGEST,
  ) {
    this.spheres = spheres ?? new SkinnedSpheres(shape, RATIO);
    this.room = room;
    this.longest = longest;
  }

  surroundings(variant: Variant): SphereSurroundings {
    let known = this.known.get(variant);
    if (!known) {
      known = new SphereSurroundings(this.room, {
        division: DIVISIONS[variant],
        longest: this.longest,
        ratio: RATIO,
      });
      this.known.set(variant, known);
    }
    return known;
  }

  /** Pairs of triangles, as many numbers as twice that; and what it took, in `counters`. */
  collide(variant: Variant): number[] {
    this.counters.clear();
    return collideSpheres(
      this.spheres,
      this.surroundings(variant),
      { exact: variant !== 'plane–sphere' },
      this.counters,
    );
  }
}

interface RoomTriangles {
  readonly positions: ArrayLike<number>;
  readonly index: ArrayLike<number>;
}
