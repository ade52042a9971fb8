/** Small binary glTF files, written by hand: boxes that stand in a scene. */

export interface GlbBox {
  readonly name: string;
  readonly size: readonly [number, number, number];
  readonly position: readonly [number, number, number];
  /** Red, green and blue, from 0 to 1. */
  readonly color: readonly [number, number, number];
}

/** The corners of a cube of side 1 about the origin, four a side, with normals; counter-clockwise from outside. */
function cube(): { positions: number[]; normals: number[]; index: number[] } {
  const positions: number[] = [];
  const normals: number[] = [];
  const index: number[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const sign of [-1, 1]) {
      const base = positions.length / 3;
      for (const [u, v] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ] as const) {
        const corner = [0, 0, 0];
        corner[axis] = sign / 2;
        corner[(axis + 1) % 3] = (sign * u) / 2;
        corner[(axis + 2) % 3] = v / 2;
        positions.push(...corner);
        normals.push(...[0, 1, 2].map((k) => (k === axis ? sign : 0)));
      }
      index.push(base, base + 1, base + 2, base, base + 2, base + 3);
    }
  return { positions, normals, index };
}

/** One mesh for each material, all of the same accessors; nodes are moved and scaled. */
export function glbOf(boxes: readonly GlbBox[]): Uint8Array {
  const { positions, normals, index } = cube();
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.from(positions).buffer),
    Buffer.from(Float32Array.from(normals).buffer),
    Buffer.from(Uint16Array.from(index).buffer),
  ]);
  const size = 4 * positions.length;
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: boxes.map((_, i) => i) }],
    nodes: boxes.map(({ name, size: scale, position }, mesh) => ({
      name,
      mesh,
      scale,
      translation: position,
    })),
    materials: boxes.map(({ color }) => ({
      pbrMetallicRoughness: { baseColorFactor: [...color, 1], metallicFactor: 0 },
    })),
    meshes: boxes.map((_, material) => ({
      primitives: [{ attributes: { POSITION: 0, NORMAL: 1 }, indices: 2, material }],
    })),
    buffers: [{ byteLength: bytes.length }],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: size },
      { buffer: 0, byteOffset: size, byteLength: size },
      { buffer: 0, byteOffset: 2 * size, byteLength: 2 * index.length },
    ],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: positions.length / 3,
        type: 'VEC3',
        min: [-0.5, -0.5, -0.5],
        max: [0.5, 0.5, 0.5],
      },
      { bufferView: 1, componentType: 5126, count: positions.length / 3, type: 'VEC3' },
      { bufferView: 2, componentType: 5123, count: index.length, type: 'SCALAR' },
    ],
  };
  const chunk = (type: string, data: Buffer, fill: number): Buffer => {
    const padded = Buffer.alloc(Math.ceil(data.length / 4) * 4, fill);
    data.copy(padded);
    const header = Buffer.alloc(8);
    header.writeUInt32LE(padded.length, 0);
    header.write(type, 4, 'latin1');
    return Buffer.concat([header, padded]);
  };
  const body = Buffer.concat([
    chunk('JSON', Buffer.from(JSON.stringify(json)), 0x20),
    chunk('BIN\0', bytes, 0),
  ]);
  const header = Buffer.alloc(12);
  header.write('glTF', 0, 'latin1');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([header, body]);
}
