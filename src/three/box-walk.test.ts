/** The walk of a ray through boxes, against a look at every box. */
import { check, property, type Rng } from '../../tests/kit/index.ts';
import type { Vec3 } from '../math/types.ts';
import { vec3 } from '../math/types.ts';
import { rayAabb } from '../primitives/ray/index.ts';
import { BoxWalk, buildBoxTree } from './box-walk.ts';

/** Boxes of all sizes; or a strip of flat ones, which rays run along. */
function draw(rng: Rng): { boxes: Float64Array; ray: () => { origin: Vec3; direction: Vec3 } } {
  if (rng.chance(0.5)) {
    const boxes = new Float64Array(6 * 40);
    for (let i = 0; i < boxes.length; i += 6) {
      const p = rng.vec(10);
      const size = rng.pick([0, 1, 0.1]);
      boxes.set([p.x, p.y, p.z, p.x + size, p.y + size * rng.unit(), p.z + size * rng.unit()], i);
    }
    return { boxes, ray: () => ({ origin: rng.vec(12), direction: rng.vec(1) }) };
  }
  const boxes = Float64Array.from(
    Array.from({ length: 60 }, (_, i) => [i / 60, 0, 0, (i + 1) / 60, 1e-3, 0]).flat(),
  );
  const ray = () => {
    const direction = vec3(1, 0, 2 ** rng.range(-30, -25) * rng.sign());
    const t = rng.range(0, 3);
    return { origin: vec3(rng.unit() - t, 1e-3 * rng.unit(), -t * direction.z), direction };
  };
  return { boxes, ray };
}

property('every box that a ray meets is walked', 200, (rng) => {
  const { boxes, ray: drawRay } = draw(rng);
  const tree = buildBoxTree(boxes);
  const walk = new BoxWalk();
  for (let i = 0; i < 20; i++) {
    const ray = drawRay();
    const seen = new Set<number>();
    walk.start(tree, ray.origin, ray.direction);
    for (let id = walk.next(Infinity); id >= 0; id = walk.next(Infinity)) seen.add(id);
    for (let id = 0; id < boxes.length / 6; id++) {
      const [ax, ay, az, bx, by, bz] = boxes.subarray(6 * id, 6 * id + 6) as unknown as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const meets = rayAabb(ray, { min: vec3(ax, ay, az), max: vec3(bx, by, bz) }) !== null;
      check(!meets || seen.has(id), () => `box ${id} is missed by ${JSON.stringify(ray)}`);
    }
  }
});
