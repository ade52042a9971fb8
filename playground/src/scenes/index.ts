import type { Scene } from '../scene.ts';
import { closest } from './closest.ts';
import { exactSigns } from './exact.ts';
import { overlap } from './overlap.ts';
import { rays } from './rays.ts';
import { sweep } from './sweep.ts';
import { volumes } from './volumes.ts';

export const SCENES: readonly Scene[] = [closest, overlap, rays, sweep, volumes, exactSigns];
