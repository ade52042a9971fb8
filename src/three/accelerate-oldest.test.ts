/** `accelerate` against three.js itself, the oldest that is supported. */
import * as three from 'three';
import { expect, test, vi } from 'vitest';
import { testZoo } from '../../tests/kit/three-zoo.ts';

// @ts-expect-error: its types are those of the newest
vi.mock('three', () => import('three-oldest'));

test('this is the oldest three.js that the package allows', () => {
  expect(three.REVISION).toBe('170');
});

// Fewer than for the newest: through a mock each use of three.js is looked up anew, and takes five times as long.
testZoo(three, `three.js ${three.REVISION}`, 200);
