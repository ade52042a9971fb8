/** Bodies that touch, but for rounding: the difference of their points has no direction any more, the answer has. */
import { expect, test } from 'vitest';
import { check, near, property } from '../../tests/kit/index.ts';
import { boxMesh } from '../../tests/kit/meshes.ts';
import { along, dot, norm, pieceOf, placeAt, randomBody } from '../../tests/kit/moving-bodies.ts';
import { collider } from '../shapes/collider.ts';
import { mesh } from '../shapes/mesh.ts';
import { sphere } from '../shapes/round-shapes.ts';
import { cast } from './cast.ts';
import { contacts } from './contacts.ts';
import { distance } from './distance.ts';

const v = (x: number, y: number, z: number) => ({ x, y, z });

property('normals are unit vectors, and part what touches, for every pair', 700, (rng) => {
  const [bodyA, bodyB] = [randomBody(rng), randomBody(rng)];
  if (bodyA.name === 'half-space' && bodyB.name === 'half-space') return;
  const b = { position: rng.vec(3), quaternion: rng.rotation() };
  const far = { position: rng.vec(6), quaternion: rng.rotation() };
  const apart = distance(collider(bodyA.shape, far), collider(bodyB.shape, b))!;
  if (apart.separation <= 0) return;
  const gap = rng.pick([0, 0, 1e-16, 1e-15, 1e-14, -1e-15, 1e-13]);
  const a = {
    position: along(far.position, apart.normal, gap - apart.separation),
    quaternion: far.quaternion,
  };
  const [one, two] = [collider(bodyA.shape, a), collider(bodyB.shape, b)];
  const what = `${bodyA.name}, ${bodyB.name}, ${gap}`;
  const toward = { translation: along(v(0, 0, 0), apart.normal, -1) };
  const found = {
    distance: distance(one, two)!,
    'a cast that rests': cast(one, { translation: v(0, 0, 0) }, two),
    'a cast': cast(one, toward, two),
    'a contact': contacts(one, two, { margin: 1e-12 })[0],
  };
  const [placeA, placeB] = [placeAt(a, null, 0), placeAt(b, null, 0)];
  for (const [name, answer] of Object.entries(found)) {
    if (!answer) continue;
    near(norm(answer.normal), 1, 1e-12, `${what}: ${name}`);
    // Those of convex bodies part them; of others the way out may be another one.
    if (bodyA.pieces.length > 1 || bodyB.pieces.length > 1) continue;
    const part = 'part' in answer ? answer.part : answer.partB;
    const [pieceA, pieceB] = [bodyA.pieces[0]!, pieceOf(bodyB, part)!];
    const parted =
      dot(answer.normal, along(placeA.position, placeB.position, -1)) -
      pieceA.height(placeA.turnBack(along(v(0, 0, 0), answer.normal, -1))) -
      pieceB.height(placeB.turnBack(answer.normal));
    check(parted > -1e-7 * (bodyA.size + bodyB.size), () => `${what}: ${name} leaves ${parted}`);
  }
});

test('a ball whose centre is in a wall of a box of triangles leaves through that wall', () => {
  const { positions, index } = boxMesh(v(-1, -1, -1), v(1, 1, 1));
  const cube = mesh(positions, index);
  const rotated = { x: 0.5, y: 0.5, z: 0.5, w: 0.5 };
  for (const off of [0, -1e-17, -1e-16, -2e-16, -1e-15, -1e-13, -1e-9]) {
    const p = v(0.3, 1 + off, -0.2);
    for (const radius of [0, 1e-20, 0.1]) {
      const ball = collider(sphere(radius), { position: p, quaternion: rotated });
      const hit = cast(ball, { translation: v(0, 0, 0) }, cube)!;
      expect(hit.t).toBe(0);
      expect(norm(along(hit.normal, v(0, 1, 0), -1))).toBeLessThan(1e-6);
      const { separation, normal } = distance(ball, cube)!;
      near(separation, off - radius, 1e-14);
      if (radius > 0 || off < 0) expect(norm(along(normal, v(0, 1, 0), -1))).toBeLessThan(1e-6);
    }
  }
});
