// The four-wide kernels, in AssemblyScript. `npm run simd` compiles them into `src/simd/binary.ts`.
export { overlapBoxes, overlapSphereBoxes, overlapSpheres, rayBoxes, rayKdTree, rayTriangles } from './lanes';
export { searchNearest } from './nearest';
export { searchRay, testBlock } from './ray';
