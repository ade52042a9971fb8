/** `accelerate` against three.js itself, the newest. */
import * as three from 'three';
import { testZoo } from '../../tests/kit/three-zoo.ts';

testZoo(three, `three.js ${three.REVISION}`, 500);
