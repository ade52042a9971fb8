/** The part of WebAssembly that is used here: engines that lack it have no `WebAssembly`, and the library knows no DOM types. */

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** What `simd/index.ts` exports. */
export interface Kernels {
  searchRay(): number;
  searchNearest(): number;
  overlapSpheres(stride: number): void;
  overlapSphereBoxes(stride: number): void;
  overlapBoxes(stride: number): void;
  rayBoxes(stride: number): void;
  rayTriangles(stride: number): void;
  rayKdTree(stride: number, nodes: number, items: number, triangles: number, stack: number): void;
}

type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface WasmModule {
  readonly brand?: 'module';
}

interface WebAssemblyLike {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: Imports) => { readonly exports: unknown };
  readonly Memory: new (pages: { initial: number }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<WasmModule>;
}

export const webAssembly = (): WebAssemblyLike | undefined =>
  (globalThis as { WebAssembly?: WebAssemblyLike }).WebAssembly;
