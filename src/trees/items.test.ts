import { describe, expect, test } from 'vitest';
import { check, property } from '../../tests/kit/index.ts';
import { kdopAxes } from '../volumes/kdop.ts';
import { boxItems, pointItems, sphereItems, triangleItems } from './items.ts';
import type { TreeItems } from './tree.ts';

const pointsOf = (items: TreeItems, item: number): number[] => {
  const points: number[] = [];
  items.points(item, points);
  return points;
};

describe('[R6.1.1] items', () => {
  test('boxes have eight corners', () => {
    const items = boxItems([0, 1, 2, 3, 4, 5]);
    const points = pointsOf(items, 0);
    const corners = new Set([0, 3, 6, 9, 12, 15, 18, 21].map((i) => points.slice(i, i + 3).join()));
    expect(corners.size).toBe(8);
    expect(corners).toContain('0,4,2');
  });

  test('triangles, with an index and without', () => {
    const positions = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, -3];
    const items = triangleItems(positions, [0, 1, 3, 3, 2, 1]);
    expect(items.count).toBe(2);
    expect([...items.bounds]).toEqual([0, 0, -3, 1, 0, 0, 0, 0, -3, 1, 2, 0]);
    expect(pointsOf(items, 1)).toEqual([0, 0, -3, 0, 2, 0, 1, 0, 0]);
    expect(triangleItems(new Float32Array(9), null).count).toBe(1);
    expect(triangleItems([]).count).toBe(0);
  });

  test('points', () => {
    const items = pointItems([{ x: 1, y: 2, z: 3 }]);
    expect([...items.bounds]).toEqual([1, 2, 3, 1, 2, 3]);
    expect(pointsOf(items, 0)).toEqual([1, 2, 3]);
    expect(pointItems([]).count).toBe(0);
  });

  test('a sphere without radius is its center', () => {
    const items = sphereItems([1, 2, 3], [0]);
    expect(pointsOf(items, 0)).toEqual([1, 2, 3]);
    expect([...items.bounds]).toEqual([1, 2, 3, 1, 2, 3]);
    expect(sphereItems([], []).count).toBe(0);
  });

  property(
    'the points of a sphere are around it, within 13 % and touching along the axes of k-DOPs',
    500,
    (rng) => {
      const center = rng.vec(rng.pick([1, 1e6]));
      const radius = rng.range(1e-3, 10);
      const items = sphereItems([center], [radius]);
      const points = pointsOf(items, 0);
      const scale = radius + Math.abs(center.x) + Math.abs(center.y) + Math.abs(center.z);
      const most = (d: { x: number; y: number; z: number }): number => {
        let highest = -Infinity;
        for (let i = 0; i < points.length; i += 3)
          highest = Math.max(
            highest,
            (points[i]! - center.x) * d.x +
              (points[i + 1]! - center.y) * d.y +
              (points[i + 2]! - center.z) * d.z,
          );
        return highest;
      };
      const d = rng.direction();
      check(most(d) >= radius * (1 - 1e-15) - 1e-15 * scale, 'the hull of the points does not hold the ball');
      check(most(d) <= 1.13 * radius + 1e-14 * scale, 'too far out');
      for (const axis of kdopAxes(26)) {
        const length = Math.hypot(axis.x, axis.y, axis.z);
        check(most(axis) <= radius * length * (1 + 1e-14) + 1e-14 * scale, 'not tight');
      }
      check(items.bounds[0]! <= center.x - radius && items.bounds[3]! >= center.x + radius, 'bounds');
    },
  );

  test('what is no item is refused', () => {
    expect(() => boxItems([0, 0, 0, 1, 1])).toThrow('boxes');
    expect(() => boxItems([0, 0, 0, 1, -1, 1])).toThrow('boxes');
    expect(() => boxItems([0, 0, 0, 1, 1e39, 1])).toThrow('boxes');
    expect(() => triangleItems([0, 0, 0, 1, 1, 1])).toThrow('positions');
    expect(() => triangleItems([0, 0, 0], [0, 0, 1])).toThrow('index');
    expect(() => triangleItems([0, 0, 0], [0, 0, 0.5])).toThrow('index');
    expect(() => triangleItems([0, 0, 0], [0, 0, -1])).toThrow('index');
    expect(() => sphereItems([0, 0, 0], [-1])).toThrow('radii');
    expect(() => sphereItems([0, 0, 0], [1, 1])).toThrow('radii');
    expect(() => pointItems([1, 2])).toThrow('points');
  });
});
