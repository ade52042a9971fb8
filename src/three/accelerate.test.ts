/** `accelerate` against three.js itself, the newest. */
import * as three from 'three';
import { describe, expect, test } from 'vitest';
import { testZoo } from '../../tests/kit/three-zoo.ts';
import { accelerate } from './index.ts';

testZoo(three, `three.js ${three.REVISION}`, 500);

const ball = (): three.Mesh => new three.Mesh(new three.SphereGeometry(1));
const ray = (): three.Raycaster =>
  new three.Raycaster(new three.Vector3(0, 0, 9), new three.Vector3(0, 0, -1));

describe('wrong use of accelerate is refused by name', () => {
  const call = accelerate as (...args: unknown[]) => () => void;

  test.each([null, undefined, 1, 'scene', {}, [], new three.Vector3(), new three.BoxGeometry()])(
    'a root that is no object: %s',
    (root) => {
      expect(() => call(root)).toThrow(TypeError);
      expect(() => call(root)).toThrow(/^graze: accelerate: root /);
    },
  );

  test.each([
    [1, /options/],
    ['lazy', /options/],
    [{ lazy: 1 }, /options\.lazy/],
    [{ later: 'no' }, /options\.later/],
    [{ sceneTree: null }, /options\.sceneTree/],
    [{ filter: true }, /options\.filter/],
    [{ sceneTrees: true }, /sceneTrees/],
    [{ firstHitOnly: true }, /firstHitOnly/],
  ])('options: %j', (options, message) => {
    const root = ball();
    expect(() => call(root, options)).toThrow(message);
    expect(() => call(root, options)).toThrow(/^graze: accelerate: /);
    expect(Object.hasOwn(root, 'raycast')).toBe(false);
  });

  test.each([false, true])(
    'a world matrix with NaN, at each ray until it is right, sceneTree %s',
    (sceneTree) => {
      const scene = new three.Scene();
      const mesh = ball();
      mesh.name = 'ball';
      scene.add(mesh);
      scene.updateMatrixWorld(true);
      accelerate(scene, { sceneTree });
      expect(ray().intersectObject(scene)).toHaveLength(1);
      for (const wrong of [Number.NaN, Infinity]) {
        mesh.position.x = wrong;
        scene.updateMatrixWorld(true);
        for (let i = 0; i < 3; i++)
          expect(() => ray().intersectObject(scene)).toThrow(
            /accelerate: .*ball.* has a world matrix that is not finite/,
          );
        mesh.position.x = 0;
        scene.updateMatrixWorld(true);
        expect(ray().intersectObject(scene)).toHaveLength(1);
      }
    },
  );

  test('a matrix of an instance with NaN, at each ray until it is right', () => {
    const mesh = new three.InstancedMesh(new three.SphereGeometry(1), new three.MeshBasicMaterial(), 2);
    for (let i = 0; i < 2; i++) mesh.setMatrixAt(i, new three.Matrix4().setPosition(0, 0, -3 * i));
    accelerate(mesh);
    mesh.setMatrixAt(1, new three.Matrix4().setPosition(Number.NaN, 0, 0));
    mesh.instanceMatrix.needsUpdate = true;
    for (let i = 0; i < 3; i++)
      expect(() => ray().intersectObject(mesh)).toThrow(
        /accelerate: instance 1 of .* has a matrix that is not finite/,
      );
    mesh.setMatrixAt(1, new three.Matrix4().setPosition(0, 0, -3));
    mesh.instanceMatrix.needsUpdate = true;
    expect(ray().intersectObject(mesh)).toHaveLength(2);
  });

  test('a matrix of a batch with NaN, at each ray until it is right', () => {
    const mesh = new three.BatchedMesh(2, 5000, 5000, new three.MeshBasicMaterial());
    const sphere = mesh.addGeometry(new three.SphereGeometry(1));
    const ids = [mesh.addInstance(sphere), mesh.addInstance(sphere)];
    for (const [i, id] of ids.entries()) mesh.setMatrixAt(id, new three.Matrix4().setPosition(0, 0, -3 * i));
    accelerate(mesh);
    mesh.setMatrixAt(ids[1]!, new three.Matrix4().setPosition(Number.NaN, 0, 0));
    for (let i = 0; i < 3; i++)
      expect(() => ray().intersectObject(mesh)).toThrow(
        /accelerate: instance 1 of .* has a matrix that is not finite/,
      );
    mesh.setMatrixAt(ids[1]!, new three.Matrix4().setPosition(0, 0, -3));
    expect(ray().intersectObject(mesh)).toHaveLength(2);
  });

  test('coordinates with NaN: now, and nothing is left behind; or at each ray', () => {
    const scene = new three.Scene();
    const [good, bad] = [ball(), ball()];
    scene.add(good, bad);
    bad.geometry.getAttribute('position').setX(20, Number.NaN);
    expect(() => accelerate(scene)).toThrow(/^graze: accelerate: /);
    for (const mesh of [good, bad]) expect(Object.hasOwn(mesh, 'raycast')).toBe(false);
    scene.add(ball()); // nobody listens any more
    expect(Object.hasOwn(scene.children[2]!, 'raycast')).toBe(false);
    accelerate(scene, { lazy: true });
    for (let i = 0; i < 3; i++) expect(() => ray().intersectObject(bad)).toThrow(/^graze: accelerate: /);
    expect(ray().intersectObject(good)).toHaveLength(1);
  });

  test('a projection is no world matrix', () => {
    const mesh = ball();
    mesh.matrixWorld.makePerspective(-1, 1, 1, -1, 1, 9);
    accelerate(mesh);
    expect(() => ray().intersectObject(mesh)).toThrow(/accelerate: .*projection/);
  });
});
