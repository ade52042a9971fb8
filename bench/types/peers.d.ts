/**
 * What `npm test` knows of the libraries that we compare with: it checks the types of bench/ without installing them. Names
 * only; `npm run bench`, which has the packages, checks the calls of them too.
 */
declare module '@dimforge/rapier3d-compat';
declare module '@dimforge/rapier3d-simd-compat';
declare module 'crashcat';
declare module 'jolt-physics/wasm';

// biome-ignore lint/suspicious/noExplicitAny: what the modules above are, under a name
type Peer = any;

declare module 'cannon-es' {
  export const Box: Peer, SAPBroadphase: Peer, Vec3: Peer, World: Peer;
  export const Body: Peer;
  export type Body = Peer;
}

declare module 'mathcat' {
  export const mat4: Peer, obb3: Peer, quat: Peer, raycast3: Peer, vec3: Peer;
  export type Raycast3 = Peer;
}

declare module 'three-mesh-bvh' {
  export const AVERAGE: Peer, CENTER: Peer, OrientedBox: Peer, SAH: Peer;
  export const ExtendedTriangle: Peer, MeshBVH: Peer, ObjectBVH: Peer, SkinnedMeshBVH: Peer;
  export const acceleratedRaycast: Peer;
  export type ExtendedTriangle = Peer;
  export type HitPointInfo = Peer;
  export type MeshBVH = Peer;
}
