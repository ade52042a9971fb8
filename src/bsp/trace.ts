/**
 * A box that moves through a solid-leaf tree, or is at rest there. RTCD §8.4.2-3.
 *
 * A box is its centre among planes that are moved out by what the box reaches along their normals, at each node and for both
 * sides: the tree grows as it is walked. Every plane turns into times at which the motion enters and leaves its sides; no point
 * on the way is computed, and nothing starts anew from one, so that errors do not add up.
 *
 *     behind                 in front, at rising heights
 *   ────────────┤  reach + thickness  ├────────────
 *               enter   plane    leave
 *
 * Of the four cases (before, beyond, into and out of) the last two are one: the side where the motion comes from is walked
 * first, until it leaves the thick plane, then the other, from where it enters it. Which side that is, the direction says, not
 * the origin, which may lie on the plane.
 */
import { vec3 } from '../math/types.ts';
import { copy, set } from '../math/vec3.ts';
import { MAX_DEPTH } from './bsp-tree.ts';
import { EMPTY, type SolidBsp } from './solid-bsp.ts';

/** What is asked, and what was found. @internal */
export class BspTrace {
  readonly origin = vec3(0.5, 0.5, 0.5);
  readonly direction = vec3(0.5, 0.5, 0.5);
  /** Half the size of the box; 0 for a point. */
  readonly halfSize = vec3(0.5, 0.5, 0.5);
  tMax = 0.5;
  /** How far the solid is grown, beside by the box. */
  thickness = 0.5;
  /**
   * Not to miss what touches the surface rather than not to report what does not: then empty leaves that list triangles stop the box,
   * too, and no leaf is cut off by bevels, beyond which the surface may reach where it is thinner than the planes.
   */
  isCautious = false;
  // Found:
  /** When the first solid leaf is entered, as the planes are without the thickness. */
  t = 0.5;
  /** The leaf; -1 if there is none. */
  leaf = -1;
  /** Out of the leaf; 0 at the start. */
  readonly normal = vec3(0.5, 0.5, 0.5);
  /** Nodes that were visited. */
  visits = 0;
}

/** Numbers a level: from, to, entry. */
const STRIDE = 3;
const pending = new Int32Array(MAX_DEPTH + 1);
const entryNodes = new Int32Array(MAX_DEPTH + 1);
const numbers = new Float64Array(STRIDE * (MAX_DEPTH + 1));

/** How the trace enters a leaf. Not loose numbers, which would be boxed on their way to `takeLeaf`. */
class LeafEntry {
  from = 0.5;
  to = 0.5;
  entry = 0.5;
  /** The node entered last; -1 for none, -2 for one of the planes of the leaf, whose normal is at hand. */
  node = -1;
  readonly normal = vec3(0.5, 0.5, 0.5);

  /** A plane that the trace enters at a time, by a doubt earlier with the thickness. */
  enter(time: number, doubt: number): boolean {
    if (time - doubt > this.from) this.from = time - doubt;
    if (!(time > this.entry)) return false;
    this.entry = time;
    return true;
  }

  exit(time: number, doubt: number): void {
    if (time + doubt < this.to) this.to = time + doubt;
  }
}

const leafEntry = /* @__PURE__ */ new LeafEntry();

/** Does the trace meet a leaf that is not empty? @internal */
export function traceSolid(trace: BspTrace, bsp: SolidBsp): boolean {
  const { planes, children, leafKinds, leafStart } = bsp;
  const { thickness, tMax, isCautious } = trace;
  const { x: ox, y: oy, z: oz } = trace.origin;
  const { x: dx, y: dy, z: dz } = trace.direction;
  const { x: hx, y: hy, z: hz } = trace.halfSize;
  trace.leaf = -1;
  let visits = 0;
  let best = Infinity;
  let top = 0;
  let link = bsp.root;
  let from = 0;
  let to = tMax;
  /** The plane entered last, by the planes as they are. */
  let entry = 0;
  let node = -1;
  for (;;) {
    if (link >= 0) {
      visits++;
      const at = 4 * link;
      const nx = planes[at]!;
      const ny = planes[at + 1]!;
      const nz = planes[at + 2]!;
      const height = nx * ox + ny * oy + nz * oz - planes[at + 3]!;
      const slope = nx * dx + ny * dy + nz * dz;
      const reach = Math.abs(nx) * hx + Math.abs(ny) * hy + Math.abs(nz) * hz;
      const wide = reach + thickness;
      const near = slope > 0 ? 1 : 0;
      const signed = slope > 0 ? -height : height;
      const speed = Math.abs(slope);
      if (speed > 0 ? signed - wide > speed * to : signed > wide) link = children[2 * link + near]!;
      else if (signed + wide < speed * from) link = children[2 * link + 1 - near]!;
      else {
        const base = STRIDE * top;
        pending[top] = children[2 * link + 1 - near]!;
        numbers[base] = from;
        numbers[base + 1] = to;
        numbers[base + 2] = entry;
        entryNodes[top] = node;
        if (speed > 0) {
          const next = (signed - reach) / speed;
          const wait = thickness / speed;
          numbers[base] = Math.max(from, next - wait);
          if (next > entry) {
            numbers[base + 2] = next;
            entryNodes[top] = link;
          }
          to = Math.min(to, (signed + reach) / speed + wait);
        }
        top++;
        link = children[2 * link + near]!;
      }
      continue;
    }
    if (leafKinds[~link] !== EMPTY || (isCautious && leafStart[~link]! < leafStart[~link + 1]!)) {
      leafEntry.from = from;
      leafEntry.to = to;
      leafEntry.entry = entry;
      leafEntry.node = node;
      takeLeaf(trace, bsp, ~link);
      best = trace.leaf < 0 ? Infinity : trace.t;
    }
    do {
      if (top === 0) {
        trace.visits = visits;
        return trace.leaf >= 0;
      }
      top--;
    } while (numbers[STRIDE * top]! > best);
    const base = STRIDE * top;
    link = pending[top]!;
    from = numbers[base]!;
    to = numbers[base + 1]!;
    entry = numbers[base + 2]!;
    node = entryNodes[top]!;
  }
}

/** Takes a leaf as the first that is entered, if it is. */
function takeLeaf(trace: BspTrace, bsp: SolidBsp, leaf: number): void {
  const own = leafEntry;
  if (!trace.isCautious && !cutByBevels(trace, bsp, leaf)) return;
  if (!(own.from <= own.to)) return;
  const t = Math.min(own.entry, own.to);
  if (trace.leaf >= 0 && !(t < trace.t)) return;
  trace.t = t;
  trace.leaf = leaf;
  setNormal(trace, bsp);
}

/** The planes that a leaf lacks for boxes: those across the axes, and bevels. False if they keep the box out. */
function cutByBevels(trace: BspTrace, bsp: SolidBsp, leaf: number): boolean {
  const { leafBounds, bevelStart, bevels } = bsp;
  const { x: ox, y: oy, z: oz } = trace.origin;
  const { x: dx, y: dy, z: dz } = trace.direction;
  const { x: hx, y: hy, z: hz } = trace.halfSize;
  const { normal } = leafEntry;
  const { thickness } = trace;
  const end = bevelStart[leaf + 1]!;
  // Six sides of the box around the leaf, then the bevels.
  for (let i = bevelStart[leaf]! - 6; i < end; i++) {
    const side = i - bevelStart[leaf]! + 6;
    const axis = side >> 1;
    const sign = side & 1 ? 1 : -1;
    const isSide = side < 6;
    const nx = isSide ? (axis === 0 ? sign : 0) : bevels[4 * i]!;
    const ny = isSide ? (axis === 1 ? sign : 0) : bevels[4 * i + 1]!;
    const nz = isSide ? (axis === 2 ? sign : 0) : bevels[4 * i + 2]!;
    const d = isSide ? sign * leafBounds[6 * leaf + axis + (sign > 0 ? 3 : 0)]! : bevels[4 * i + 3]!;
    const reach = Math.abs(nx) * hx + Math.abs(ny) * hy + Math.abs(nz) * hz;
    const height = nx * ox + ny * oy + nz * oz - d - reach;
    const slope = nx * dx + ny * dy + nz * dz;
    if (slope < 0) {
      if (!leafEntry.enter(-height / slope, -thickness / slope)) continue;
      leafEntry.node = -2;
      normal.x = nx;
      normal.y = ny;
      normal.z = nz;
    } else if (slope > 0) leafEntry.exit(-height / slope, thickness / slope);
    else if (height > thickness) return false;
    if (!(leafEntry.from <= leafEntry.to)) return false;
  }
  return true;
}

/** Out of what is entered: against the direction; nothing at the start. */
function setNormal({ direction: d, normal }: BspTrace, { planes }: SolidBsp): void {
  const { node } = leafEntry;
  if (node === -2) copy(leafEntry.normal, normal);
  else if (node < 0) set(0, 0, 0, normal);
  else {
    const at = 4 * node;
    const nx = planes[at]!;
    const ny = planes[at + 1]!;
    const nz = planes[at + 2]!;
    const sign = nx * d.x + ny * d.y + nz * d.z > 0 ? -1 : 1;
    normal.x = sign * nx + 0; // no -0
    normal.y = sign * ny + 0;
    normal.z = sign * nz + 0;
  }
}
