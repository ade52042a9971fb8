/**
 * The container of binary glTF: a header of 12 bytes, then chunks, each with its length, its type and its bytes, which are a
 * multiple of four. The first is JSON, the second, if there is one, the first buffer. glTF 2.0, §4.
 */
import { refuse } from '../math/check.ts';

const MAGIC = 0x46546c67; // 'glTF', little endian
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const SPACE = 0x20;

export interface Glb {
  readonly json: Record<string, unknown>;
  /** The first buffer; empty for none. */
  readonly binary: Uint8Array;
}

export function readGlb(caller: string, name: string, bytes: Uint8Array): Glb {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb =
    bytes.length >= 20 &&
    view.getUint32(0, true) === MAGIC &&
    view.getUint32(4, true) === 2 &&
    view.getUint32(8, true) <= bytes.length &&
    view.getUint32(16, true) === JSON_CHUNK &&
    20 + view.getUint32(12, true) <= bytes.length;
  if (!isGlb) refuse(caller, name, 'must be a binary glTF file of version 2 (.glb)');
  const jsonEnd = 20 + view.getUint32(12, true);
  const json = parse(caller, name, bytes.subarray(20, jsonEnd));
  // Chunks of other types, if any, are of extensions that nobody has written yet.
  for (let at = jsonEnd; at + 8 <= view.getUint32(8, true); ) {
    const end = at + 8 + view.getUint32(at, true);
    if (end > bytes.length) refuse(caller, name, 'must be whole: a chunk ends behind its end');
    if (view.getUint32(at + 4, true) === BINARY_CHUNK) return { json, binary: bytes.subarray(at + 8, end) };
    at = end;
  }
  return { json, binary: new Uint8Array() };
}

function parse(caller: string, name: string, bytes: Uint8Array): Record<string, unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new RangeError(`graze: ${caller}: ${name} must be a glTF file, but its JSON cannot be read`, {
      cause: error,
    });
  }
}

const whole = (length: number, unit: number): number => Math.ceil(length / unit) * unit;

export function writeGlb({ json, binary }: Glb): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textLength = whole(text.length, 4);
  const binaryLength = whole(binary.length, 4);
  const length = 20 + textLength + (binary.length > 0 ? 8 + binaryLength : 0);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, length, true);
  view.setUint32(12, textLength, true);
  view.setUint32(16, JSON_CHUNK, true);
  bytes.fill(SPACE, 20, 20 + textLength).set(text, 20);
  if (binary.length > 0) {
    view.setUint32(20 + textLength, binaryLength, true);
    view.setUint32(24 + textLength, BINARY_CHUNK, true);
    bytes.set(binary, 28 + textLength);
  }
  return bytes;
}
