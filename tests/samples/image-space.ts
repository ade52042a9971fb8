import * as gpu from '../../src/gpu/index.ts';
import { vec3 } from '../../src/math/index.ts';
import type { Sample } from '../kit/index.ts';
import { boxSolid } from '../kit/solids.ts';

const { positions, index } = boxSolid();
const box = { positions: [...positions], index: [...index] };
const model = gpu.rasterModel(box);
const at = (x: number) => ({
  model,
  pose: { position: vec3(x, 0.1, 0.2), quaternion: { x: 0, y: 0, z: 0.6, w: 0.8 } },
});
const rasterizer = new gpu.SoftwareRasterizer({ size: 16 });
const views = [{ direction: vec3(1, 2, 3), perspective: true }];
const pair = { rasterizer, a: at(0), b: at(1) };
// The numbers of models were checked when they were made; those of poses have a test of their own.
const trusted = ['rasterizer', 'a', 'b', 'bodies'];

export const samples: Sample[] = [
  { fn: gpu.rasterModel, args: { triangles: box } },
  { fn: gpu.makeRasterizer, args: { options: { size: 16 } } },
  { fn: gpu.intersectsConvexImage, args: pair, trusted },
  { fn: gpu.intersectsSolidImage, args: { ...pair, options: { method: 'layers', views } }, trusted },
  {
    fn: gpu.anyIntersectImage,
    args: { rasterizer, bodies: [at(0), at(1)], options: { views, offset: 2 } },
    trusted,
  },
  {
    fn: gpu.pairsSolidImage,
    args: { rasterizer, bodies: [at(0), at(1)], options: { views, offset: 2 } },
    trusted,
  },
  {
    fn: gpu.filterCollisions,
    args: {
      rasterizer,
      bodies: [at(0), at(1)],
      options: { stages: ['objects', 'faces'], conservative: true },
    },
    trusted,
  },
];
