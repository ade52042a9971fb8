import type { Scene } from '../scene.ts';
import { avatar } from './avatar.ts';
import { bricks } from './bricks.ts';
import { broadPhases } from './broad-phases.ts';
import { bspLevel } from './bsp-level.ts';
import { bullets } from './bullets.ts';
import { carve } from './carve.ts';
import { character } from './character.ts';
import { closest } from './closest.ts';
import { cloth } from './cloth.ts';
import { exactSigns } from './exact.ts';
import { gamesFps } from './games-fps.ts';
import { gpuBoxes } from './gpu-boxes.ts';
import { imageSpace } from './image-space.ts';
import { inspectMesh } from './inspect.ts';
import { lanes } from './lanes.ts';
import { levelSet } from './level-set.ts';
import { meshClosest } from './mesh-closest.ts';
import { meshMesh } from './mesh-mesh.ts';
import { meshRays } from './mesh-rays.ts';
import { meshTree } from './mesh-tree.ts';
import { overlap } from './overlap.ts';
import { pairs } from './pairs.ts';
import { rays } from './rays.ts';
import { sweep } from './sweep.ts';
import { volumes } from './volumes.ts';
import { walk } from './walk.ts';
import { world } from './world.ts';

/** In the order of the list. Scenes of one group stand together. */
export const SCENES: readonly Scene[] = [
  closest,
  overlap,
  rays,
  sweep,
  volumes,
  exactSigns,
  pairs,
  carve,
  imageSpace,
  levelSet,
  meshRays,
  meshClosest,
  meshMesh,
  meshTree,
  lanes,
  inspectMesh,
  bricks,
  cloth,
  bullets,
  walk,
  character,
  avatar,
  gamesFps,
  world,
  broadPhases,
  gpuBoxes,
  bspLevel,
];
