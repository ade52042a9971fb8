/**
 * Rays and closest points of a mesh by four-wide kernels. They walk the tree and look at triangles in single precision, on the
 * safe side; each triangle that may count is asked by the exact test of the mesh itself: of rays, those in doubt at once, and what
 * is hit for sure at the end. So every answer is that of the mesh's own kernels, to the last bit. RTCD §13.7.
 */
import { mustHave } from '../math/check.ts';
import { considerTriangle, type NearestKernel, type NearestSearch } from '../trimesh/closest.ts';
import { KERNELS, PASS } from '../trimesh/family-key.ts';
import type { Mesh } from '../trimesh/mesh.ts';
import { ANY, beginRayTests, type RayKernel, type RaySearch, testTriangle } from '../trimesh/ray.ts';
import { kernelModule, kernelsOver } from './kernels.ts';
import { fillMemory } from './mesh-memory.ts';
import type { Kernels, WasmModule } from './web-assembly.ts';

/**
 * Gives a mesh four-wide kernels: rays (`raycast`, `raycastMany`, `rayMesh` …) and closest points are faster from then on, and
 * their answers are the same. Returns false, and changes nothing, where the engine has no SIMD in WebAssembly, and for the mesh of
 * a skin, whose vertices move. Takes 60 to 70 bytes a triangle more; O(n).
 */
export function addSimd(mesh: Mesh): boolean {
  mustHave('addSimd', 'mesh', mesh, 'a mesh', 'tree');
  const module = kernelModule();
  if (module === null || mesh.live !== null) return false;
  mesh[KERNELS] ??= new MeshSimd(mesh, module);
  return true;
}

/** The mesh searches by its own kernels again, and the memory is free. */
export function removeSimd(mesh: Mesh): void {
  mustHave('removeSimd', 'mesh', mesh, 'a mesh', 'tree');
  mesh[KERNELS] = null;
}

/** By which kernels the mesh answers. */
export function laneOf(mesh: Mesh): 'simd' | 'scalar' {
  mustHave('laneOf', 'mesh', mesh, 'a mesh', 'tree');
  return mesh[KERNELS] ? 'simd' : 'scalar';
}

/** Where what is asked stands, in numbers of 64 bits: see `simd/memory.ts`. */
const POINT = 8;
const DIRECTION = 11;
const LIMIT = 14;
const FACING = 30;
const FOUND = 704;

class MeshSimd implements RayKernel, NearestKernel {
  private readonly kernels: Kernels;
  /** Where the kernels find what is asked. */
  private readonly query: Float64Array;
  private readonly found: Int32Array;
  // Of the search that runs: no user code does.
  private ray!: RaySearch;
  private nearest!: NearestSearch;
  private mesh: Mesh;

  constructor(mesh: Mesh, module: WasmModule) {
    const memory = fillMemory(mesh);
    this.mesh = mesh;
    this.found = new Int32Array(memory.buffer, 0, FOUND + 60);
    this.query = new Float64Array(memory.buffer, 0, LIMIT + 1);
    this.kernels = kernelsOver(
      module,
      memory,
      (slot) => this.hitSlot(slot),
      (slot) => this.nearSlot(slot),
    );
  }

  searchRay(search: RaySearch, mesh: Mesh): number {
    const { query } = this;
    const { x, y, z } = search.origin;
    const { x: dx, y: dy, z: dz } = search.direction;
    beginRayTests(search, mesh);
    query[POINT] = x;
    query[POINT + 1] = y;
    query[POINT + 2] = z;
    query[DIRECTION] = dx;
    query[DIRECTION + 1] = dy;
    query[DIRECTION + 2] = dz;
    query[LIMIT] = search.t;
    const { found } = this;
    const any = search.mode === ANY;
    found[FACING] = search.front ? -1 : search.back ? 1 : 0;
    found[FACING + 1] = +any;
    this.ray = search;
    this.mesh = mesh;
    const count = this.kernels.searchRay();
    if (count < 0) return PASS;
    for (let i = 0; i < count; i++) if (testTriangle(search, mesh, found[FOUND + i]!) && any) break;
    // A kernel that has stopped at what it is sure of, and is not: it never is, and then the mesh searches by itself.
    return any && count > 0 && search.slot < 0 ? PASS : search.slot;
  }

  private hitSlot(slot: number): number {
    const { ray } = this;
    return testTriangle(ray, this.mesh, slot) && ray.mode === ANY ? -1 : ray.t;
  }

  searchNearest(search: NearestSearch, mesh: Mesh): number {
    const { query } = this;
    const { x, y, z } = search.point;
    const { maxDistance } = search;
    search.distanceSq = maxDistance * maxDistance;
    search.slot = -1;
    query[POINT] = x;
    query[POINT + 1] = y;
    query[POINT + 2] = z;
    query[LIMIT] = maxDistance;
    this.nearest = search;
    this.mesh = mesh;
    return this.kernels.searchNearest() ? search.slot : PASS;
  }

  private nearSlot(slot: number): number {
    const { nearest } = this;
    considerTriangle(nearest, this.mesh, slot);
    return Math.sqrt(nearest.distanceSq);
  }
}
