/**
 * The lines of a debug view, in buffers that grow by doubling and are filled anew in place: `FreeLines`, whose ends are
 * written one by one, and `InstancedLines`, one outline that is drawn many times. A draw call each.
 */
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  type LineBasicMaterial,
  LineSegments,
  Sphere,
} from 'three';
import type { ReadonlyMat3, ReadonlyPose, ReadonlyVec3 } from '../math/types.ts';
import type { ConvexShape, FieldShape } from '../shapes/shape.ts';
import type { Mesh } from '../trimesh/mesh.ts';

/**
 * A part of an attribute, from its beginning, that is sent to the graphics card. One record for the life of the attribute:
 * `addUpdateRange` of three.js would make one a frame.
 */
class UsedPart {
  readonly start = 0;
  count = 0;

  /** Marks the first `count` numbers as changed. */
  mark(attribute: BufferAttribute, count: number): void {
    this.count = count;
    const { updateRanges } = attribute;
    if (updateRanges.length === 0) updateRanges.push(this);
    attribute.needsUpdate = true;
  }
}

const dynamic = <T extends BufferAttribute>(attribute: T): T => {
  attribute.setUsage(DynamicDrawUsage);
  return attribute;
};

/** Never culled, and three.js need not measure them: they change all the time. */
function drawAlways(lines: LineSegments): void {
  lines.frustumCulled = false;
  lines.geometry.boundingSphere = new Sphere(undefined, Infinity);
}

/** Pickers look through a debug view. */
const noHits = (): void => {};

/** Segments between any two points. */
export class FreeLines extends LineSegments<BufferGeometry, LineBasicMaterial> {
  /** Vertices in use: two a segment. */
  override count = 0;
  private readonly usedPositions = new UsedPart();
  private readonly usedColors = new UsedPart();
  private positions!: BufferAttribute;
  private colors!: BufferAttribute;

  constructor(material: LineBasicMaterial, capacity: number) {
    super(new BufferGeometry(), material);
    drawAlways(this);
    this.allocate(2 * capacity);
    this.visible = false;
  }

  override raycast = noHits;

  addSegment(a: ReadonlyVec3, b: ReadonlyVec3, { r, g, b: blue }: Color): void {
    const { count } = this;
    if (count + 2 > this.positions.count) this.grow();
    const { positions, colors } = this;
    const p = positions.array;
    const c = colors.array;
    const at = 3 * count;
    p[at] = a.x;
    p[at + 1] = a.y;
    p[at + 2] = a.z;
    p[at + 3] = b.x;
    p[at + 4] = b.y;
    p[at + 5] = b.z;
    c[at] = c[at + 3] = r;
    c[at + 1] = c[at + 4] = g;
    c[at + 2] = c[at + 5] = blue;
    this.count = count + 2;
    this.geometry.drawRange.count = count + 2;
    this.usedPositions.mark(positions, at + 6);
    this.usedColors.mark(colors, at + 6);
    this.visible = true;
  }

  clearLines(): void {
    this.count = 0;
    this.geometry.drawRange.count = 0;
    this.visible = false;
  }

  override dispose(): void {
    this.geometry.dispose();
    this.dispatchEvent({ type: 'dispose' });
  }

  private grow(): void {
    const { positions, colors, geometry } = this;
    geometry.dispose(); // frees the buffers on the graphics card
    this.allocate(2 * positions.count);
    this.positions.array.set(positions.array);
    this.colors.array.set(colors.array);
  }

  private allocate(vertices: number): void {
    this.positions = dynamic(new BufferAttribute(new Float32Array(3 * vertices), 3));
    this.colors = dynamic(new BufferAttribute(new Float32Array(3 * vertices), 3));
    this.geometry.setAttribute('position', this.positions);
    this.geometry.setAttribute('color', this.colors);
  }
}

/**
 * Where an outline goes: x to x₁ e₁ + x₂ e₂ + x₃ e₃ + origin. Set to a pose, then to what stands in its space. The numbers
 * in a typed array: those that cross a call are boxed.
 */
export class Placement {
  /** e₁, e₂, e₃, origin. */
  readonly columns = new Float64Array(12);
  /** What the axes are stretched by when an outline is added, and how far along e₂ it is shifted before. */
  sx = 1.5;
  sy = 1.5;
  sz = 1.5;
  shift = 0.5;

  copy({ columns }: Placement): this {
    this.columns.set(columns);
    return this.unstretched();
  }

  /** The quaternion may be of any length but 0. */
  setPose({ position, quaternion }: ReadonlyPose): this {
    const { columns: e } = this;
    e[9] = position.x;
    e[10] = position.y;
    e[11] = position.z;
    const { x, y, z, w } = quaternion;
    const s = 2 / (x * x + y * y + z * z + w * w);
    e[0] = 1 - s * (y * y + z * z);
    e[1] = s * (x * y + w * z);
    e[2] = s * (x * z - w * y);
    e[3] = s * (x * y - w * z);
    e[4] = 1 - s * (x * x + z * z);
    e[5] = s * (y * z + w * x);
    e[6] = s * (x * z + w * y);
    e[7] = s * (y * z - w * x);
    e[8] = 1 - s * (x * x + y * y);
    return this.unstretched();
  }

  /** A frame whose y axis is a unit vector, at a point; x and z are any that fit. After Duff et al. 2017. */
  setNormal(at: ReadonlyVec3, { x, y, z }: ReadonlyVec3): this {
    const { columns: e } = this;
    const sign = y < 0 ? -1 : 1;
    const a = -1 / (sign + y);
    const b = x * z * a;
    e[0] = sign + x * x * a;
    e[1] = -x;
    e[2] = b;
    e[3] = x;
    e[4] = y;
    e[5] = z;
    e[6] = sign * b;
    e[7] = -sign * z;
    e[8] = 1 + sign * z * z * a;
    e[9] = at.x;
    e[10] = at.y;
    e[11] = at.z;
    return this.unstretched();
  }

  /** This after `inner`: puts what `inner` has placed. `inner` must be another. */
  after(inner: Placement): this {
    const { columns: e } = this;
    const m = inner.columns;
    for (let i = 0; i < 3; i++) {
      const x = e[i]!;
      const y = e[3 + i]!;
      const z = e[6 + i]!;
      e[9 + i]! += x * m[9]! + y * m[10]! + z * m[11]!;
      e[i] = x * m[0]! + y * m[1]! + z * m[2]!;
      e[3 + i] = x * m[3]! + y * m[4]! + z * m[5]!;
      e[6 + i] = x * m[6]! + y * m[7]! + z * m[8]!;
    }
    return this;
  }

  /** A linear map about the origin. */
  setMatrix({ elements }: ReadonlyMat3): this {
    for (let i = 0; i < 9; i++) this.columns[i] = elements[i]!;
    this.columns.fill(0, 9);
    return this.unstretched();
  }

  /** Stretches by nothing. Set the fields to stretch: numbers that cross a call are boxed. */
  private unstretched(): this {
    this.sx = this.sy = this.sz = 1;
    this.shift = 0;
    return this;
  }
}

/** One outline, drawn at many places. */
export class InstancedLines extends LineSegments<BufferGeometry, LineBasicMaterial> {
  // What renderers of three.js look at to draw instances; they draw those of lines as they do those of meshes.
  readonly isInstancedMesh = true;
  readonly morphTexture = null;
  instanceMatrix: InstancedBufferAttribute;
  instanceColor: InstancedBufferAttribute;
  /** Instances in use. */
  override count = 0;
  /** How many times in a row the view was cleared and the outline not drawn. */
  idle = 0;
  /** What it is the outline of, if of one thing only. */
  readonly shape: ConvexShape | FieldShape | Mesh | null;
  private readonly usedMatrices = new UsedPart();
  private readonly usedColors = new UsedPart();

  constructor(
    outline: BufferGeometry,
    material: LineBasicMaterial,
    capacity: number,
    shape: ConvexShape | FieldShape | Mesh | null,
  ) {
    super(outline, material);
    this.shape = shape;
    drawAlways(this);
    this.instanceMatrix = dynamic(new InstancedBufferAttribute(new Float32Array(16 * capacity), 16));
    this.instanceColor = dynamic(new InstancedBufferAttribute(new Float32Array(3 * capacity), 3));
    this.visible = false;
  }

  override raycast = noHits;

  addInstance({ columns: e, sx, sy, sz, shift }: Placement, { r, g, b }: Color): void {
    const { count } = this;
    if (count === this.instanceMatrix.count) this.grow();
    const { instanceMatrix, instanceColor } = this;
    const m = instanceMatrix.array;
    const at = 16 * count;
    for (let i = 0; i < 3; i++) {
      m[at + i] = sx * e[i]!;
      m[at + 4 + i] = sy * e[3 + i]!;
      m[at + 8 + i] = sz * e[6 + i]!;
      m[at + 12 + i] = e[9 + i]! + shift * e[3 + i]!;
    }
    m[at + 15] = 1;
    const c = instanceColor.array;
    c[3 * count] = r;
    c[3 * count + 1] = g;
    c[3 * count + 2] = b;
    this.count = count + 1;
    this.usedMatrices.mark(instanceMatrix, at + 16);
    this.usedColors.mark(instanceColor, 3 * count + 3);
    this.visible = true;
  }

  clearLines(): void {
    this.idle = this.count > 0 ? 0 : this.idle + 1;
    this.count = 0;
    this.visible = false;
  }

  override dispose(): void {
    this.geometry.dispose();
    this.freeInstances();
  }

  private grow(): void {
    const { instanceMatrix, instanceColor } = this;
    this.freeInstances();
    const more = 2 * instanceMatrix.count;
    this.instanceMatrix = dynamic(new InstancedBufferAttribute(new Float32Array(16 * more), 16));
    this.instanceColor = dynamic(new InstancedBufferAttribute(new Float32Array(3 * more), 3));
    this.instanceMatrix.array.set(instanceMatrix.array);
    this.instanceColor.array.set(instanceColor.array);
  }

  /** Renderers listen for this event of instanced meshes, and free the buffers on the graphics card. */
  private freeInstances(): void {
    this.dispatchEvent({ type: 'dispose' });
  }
}
