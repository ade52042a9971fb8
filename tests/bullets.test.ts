/** The example of the paper: bullets onto and through a sheet with a hole. */
import { expect, test } from 'vitest';
import { BulletScene } from '../playground/src/physics/bullets.ts';

test('[G8] of a hundred bullets at 1000 m/s those aimed at the hole fly through the sheet, all others hit it', () => {
  const scene = new BulletScene();
  expect(scene.sheetMesh.index.length / 3).toBe(2010);
  expect(scene.bulletMesh.index.length / 3).toBe(640);
  const through = scene.bullets.filter(({ isThrough }) => isThrough);
  expect(through.length).toBeGreaterThan(3);
  for (let i = 0; i < 10; i++) scene.step();
  for (const { isThrough, impacts, pose, aim } of scene.bullets) {
    expect(impacts > 0, `aimed at (${aim.y}, ${aim.z})`).toBe(!isThrough);
    // Nobody who has hit it is behind it, unless he was deflected past its sides.
    const isBeside = Math.max(Math.abs(pose.position.y), Math.abs(pose.position.z)) > 2;
    if (!isBeside) expect(pose.position.x > 0.3, `at ${pose.position.x}`).toBe(isThrough);
    if (isThrough) expect(pose.position.x).toBeGreaterThan(10);
  }
  // Whoever is beside it got there on the near side: it bounced off, and did not go on.
  for (const { isThrough, velocity } of scene.bullets) if (!isThrough) expect(velocity.x).toBeLessThan(400);
});
