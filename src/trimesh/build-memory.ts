/** The memory in which threads build meshes. */

type List = Float32Array | Float64Array | Uint16Array | Uint32Array | Int32Array;
type Constructor<T> = new (buffer: SharedArrayBuffer, from: number, length: number) => T;

/**
 * Shared memory, in places that have names. Fresh memory costs more than most of what is done with it: the system hands it out page
 * by page, at the first touch, and to one thread after the other. So what is not needed any longer makes room for the next list
 * in its place, and one mesh is built in the memory of the one before.
 */
export class BuildMemory {
  readonly #places = new Map<string, SharedArrayBuffer>();

  /** A list in a place: what was there is gone, or is what the list begins with. */
  list<T extends List>(
    place: string,
    type: Constructor<T> & { BYTES_PER_ELEMENT: number },
    length: number,
  ): T {
    const bytes = length * type.BYTES_PER_ELEMENT;
    let buffer = this.#places.get(place);
    if (buffer === undefined || buffer.byteLength < bytes) {
      buffer = new SharedArrayBuffer(bytes);
      this.#places.set(place, buffer);
    }
    return new type(buffer, 0, length);
  }

  ints(place: string, length: number): Int32Array {
    return this.list(place, Int32Array, length);
  }

  words(place: string, length: number): Uint32Array {
    return this.list(place, Uint32Array, length);
  }

  /** A list in shared memory: itself if it is there already. */
  copy<T extends Float32Array | Float64Array | Uint32Array>(place: string, list: T): T {
    if ((list.buffer as unknown) instanceof SharedArrayBuffer) return list;
    const type = list.constructor as Constructor<T> & { BYTES_PER_ELEMENT: number };
    const copy = this.list(place, type, list.length);
    copy.set(list);
    return copy;
  }
}
