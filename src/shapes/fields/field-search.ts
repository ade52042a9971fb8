/**
 * Searches over the points of a shape that is known by a bound of its distance only (a field), for the one that is nearest to
 * another body, deepest in it, or first to meet it.
 *
 * Space is cut into cubes, the most promising first. A cube of radius r about c holds no point of the field where the bound at c
 * is above r, and no point in it is nearer to the other body than c is, less r. So nothing between the samples is missed
 * (generalized contact determination, the certainty variant; with time as the key, Algorithms 1 and 2 for all samples at
 * once, earliest first). Cubes alone are slow where a smooth surface is nearest, as very many of them are nearly as near.
 * There a descent along the surface, by Newton's method, takes over. Around the point where it ends, if values rise in all
 * directions, cubes that are smaller than the field's `detail` are not cut any further.
 *
 * What is certain is `bound`: all cubes that were left aside have keys that are not below it.
 */
import { ContextPool } from '../../convex/context-pool.ts';
import { copyFrame, directionToFirst, type Frame, makeFrame, toFirst, toSecond } from '../../convex/frame.ts';
import { EPS64 } from '../../math/float.ts';
import { type ReadonlyVec3, type Vec3, vec3 } from '../../math/types.ts';
import * as v3 from '../../math/vec3.ts';
import { isClosed } from '../../trimesh/derived.ts';
import { copyPoint } from '../body-space.ts';
import { point as pointShape } from '../flat-sided-shapes.ts';
import { closestPointShape, signedDistanceShape } from '../one-body/any-shape.ts';
import { BodyContext } from '../one-body/body-context.ts';
import { nearestOnCore, startNearest } from '../one-body/convex-form.ts';
import { type FieldShape, isConvexShape, type Shape } from '../shape.ts';
import { Cell, CellQueue } from './cell-queue.ts';
import { CUBE_RADIUS, isField } from './field.ts';
import { FieldTree, refuseSteep } from './field-tree.ts';
import { Cut, type LevelSetGrid } from './level-set/grid.ts';

/** Cubes that one search looks at. */
const MOST_CELLS = 12000;
/** The same if of the other body only a bound of its distance is known: each may be a search of its own; and in casts. */
const MOST_LOOSE_CELLS = 1500;
const MOST_LOOSE_CAST_CELLS = 24000;
/** Relative to the coordinates: cubes that are as small are not halved. */
const SMALLEST = 2e-14;
/** Relative to the coordinates: what rounding may do to a difference of two values, and to a value. */
const ROUNDING = 1e-9;
const CLOSE = 1e-12;
/** Relative to the size: how far apart points are whose values make a derivative, and a second one. */
const STEP = 1e-5;
const WIDE_STEP = 1e-3;
/** How far bodies that touch are moved apart, to see in what direction. */
const APART = 2e-2;
/** Cubes before the first descent, and between two. */
const FIRST_PAUSE = 400;
const PAUSE = 1500;
const MOST_DESCENTS = 40;
/** The same for level sets; and, of their spacing, how exact it is to be. */
const MOST_GRID_CELLS = 20000;
const FINE = 1e-5;
/** How many ends of descents are noted. */
const MOST_BOWLS = 8;
/** Of a ball that moves: steps, and relative to its radius, how near is as good as in touch. */
const MOST_ADVANCES = 48;
const IN_TOUCH = 1e-2;
const MOST_NEWTON = 16;
const MOST_APPROACHES = 60;
/** Steps to the foot of a point on a surface that need only be about right. */
const MOST_FEET = 4;
/** Ways from one body to the other and back. */
const MOST_TURNS = 12;
/** Relative to the radius of a cube: how exact the distance of its middle is to be. */
const NEARLY = 1 / 4;
/** Relative to the radius of a cube: how much deeper in another body its contact may be. */
const LATE = 16;
/** How much a slope may change within a step; at an edge it changes by about 1. */
const SMOOTH = 1e-2;
/** Cosines of eighths of the circle. */
const RING = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2];

/** How another body moves, seen from the field. */
export interface Trajectory {
  /** The pose of the other body at a time. */
  frameAt(t: number, out: Frame): void;
  /** How fast, at most, the point p of the field and those within a radius of it move past points of the other body. */
  speedOf(p: ReadonlyVec3, radius: number): number;
  /** How fast they close along a direction away from the other body, if that is the same all the time. */
  closingSpeed?(away: ReadonlyVec3): number;
}

const POINT = /* @__PURE__ */ pointShape();

export class FieldSearch {
  /** Whose points are searched: those with `side` · bound <= 0. */
  private field!: FieldShape;
  private side: 1 | -1 = 1;
  private other!: Shape;
  /** The pose of the other body, seen from the field. */
  readonly frame = makeFrame();
  /** Of a cast. */
  private trajectory: Trajectory | null = null;
  private size = 0.5;
  private largest = 0.5;
  private readonly otherContext = new BodyContext();
  private readonly otherPoint = vec3();
  private readonly otherTree = new FieldTree();
  private readonly queue = new CellQueue();
  private readonly cell = new Cell();
  private readonly child = new Cell();
  private count = 0;
  private pause = 0;
  /** Where values are taken; at the end, the best point that was found. */
  readonly point = vec3();
  /** The least value so far, and where: a distance, or a time. */
  value = 0.5;
  private readonly best = vec3();
  /** No value is below. */
  bound = 0.5;
  /** The radius of the cube that a descent starts in. */
  private radius = 0.5;
  /** Ends of descents around which values rise: centre and radius. */
  private readonly bowls = new Float64Array(4 * MOST_BOWLS);
  private bowlCount = 0;
  readonly normal = vec3();
  private readonly own = vec3();
  /** How much the slope that was taken last changes within a step. */
  private bend = 0.5;
  private readonly along = vec3();
  private readonly across = vec3();
  private readonly next = vec3();
  private readonly start = vec3();
  private readonly moved = makeFrame();
  private readonly ended = vec3();
  /** Of a level set: its grid, and what it says of a cube. Other fields are only asked for bounds at the centres of cubes. */
  private grid: LevelSetGrid | null = null;
  private readonly cut = new Cut();
  /** Is the other body convex? Then its distance is, and a slope at the centre of a cube bounds it in all of the cube. */
  private isConvex = false;
  /** May the other body have parts without an inside, of which the signed distance has a sign all the same? */
  private mayBeOpen = false;
  /** The slope of the distance that was taken last; 0 if it is not known. */
  private readonly slope = vec3();
  /** Nothing better by less than this is looked for. */
  private close = 0.5;
  /** The bound and the point need not be better than this. */
  private precision = 0;

  /** For the points of a field (`side` 1), or of what is around it (-1), and another body. */
  begin(field: FieldShape, side: 1 | -1, other: Shape, frame: Frame): this {
    const { min, max } = field.bounds;
    this.field = field;
    this.side = side;
    this.other = other;
    copyFrame(frame, this.frame);
    this.size = Math.max(max.x - min.x, max.y - min.y, max.z - min.z);
    this.largest =
      this.size + Math.max(Math.abs(min.x + max.x), Math.abs(min.y + max.y), Math.abs(min.z + max.z));
    this.grid = field.kind === 'levelSet' && side > 0 ? field.grid : null;
    this.isConvex = other.kind === 'halfSpace' || isConvexShape(other);
    this.close = CLOSE * this.largest;
    this.mayBeOpen = hasOpenPart(other);
    this.precision = 0;
    this.otherTree.forget();
    // A level set is a little larger than what it stands for.
    if (this.grid !== null) this.close = Math.max(this.close, FINE * this.grid.spacing);
    return this;
  }

  /** Is of the other body only a bound of its distance known? */
  private isLoose(): boolean {
    return isField(this.other) && !this.other.exact;
  }

  /** The bound of the field at `point`. */
  private within(): number {
    return this.side * this.field.bound(this.point);
  }

  /** The distance of `point` from the other body, or a bound of it; negative inside. */
  private distance(): number {
    const { other, otherContext } = this;
    const p = toSecond(this.frame, this.point, this.otherPoint);
    if (isField(other)) return other.bound(p);
    const away = signedDistanceShape(other, p, otherContext);
    if (!(away < 0) || !this.mayBeOpen) return away;
    // A mesh with holes is a surface, though it may wind around a point.
    otherContext.limit = Infinity;
    closestPointShape(other, p, otherContext);
    return otherContext.found.distance > 0 ? otherContext.found.distance : away;
  }

  /** The distance itself. */
  private trueDistance(): number {
    const { other } = this;
    const bound = this.distance();
    if (!isField(other) || other.exact || bound <= 0) return bound;
    return distanceFromField(other, 1, toSecond(this.frame, this.point, this.otherPoint));
  }

  /**
   * The same from below, as exact as it need be, or not below `enough`. Where the bound leads to a point of the surface that is as far away, it is the distance;
   * only where it is less (beside an edge that was carved, or in a shape that was stretched) there is a search.
   */
  private boundOfDistance(precision: number, enough: number): number {
    const { other, point, normal, frame } = this;
    const bound = this.distance();
    if (!isField(other) || bound <= 0 || bound >= enough) return bound;
    const { x, y, z } = point;
    let away = bound;
    for (let i = 0; i < MOST_FEET && away > precision; i++) {
      this.gradient(false, normal);
      const slope = lengthSq(normal);
      if (!(slope > 1e-6)) break;
      point.x -= (away / slope) * normal.x;
      point.y -= (away / slope) * normal.y;
      point.z -= (away / slope) * normal.z;
      away = Math.abs(this.distance());
    }
    const moved = Math.sqrt(
      (point.x - x) * (point.x - x) + (point.y - y) * (point.y - y) + (point.z - z) * (point.z - z),
    );
    point.x = x;
    point.y = y;
    point.z = z;
    if (moved + away - bound <= precision) return bound;
    this.otherTree.begin(other);
    return Math.max(
      bound,
      this.otherTree.distanceFrom(toSecond(frame, point, this.otherPoint), precision, enough),
    );
  }

  /** That of `point`, or of a point near to it that is better. */
  private leastDistance(): number {
    const { field, other, point, ended } = this;
    if (isField(other) && !other.exact && this.side > 0) return this.alternate(other);
    const value = this.within() <= 64 * CLOSE * this.largest ? this.trueDistance() : Infinity;
    if (this.other.kind === 'point' || !(value > 0 && value < this.size / 8 && this.side > 0)) return value;
    // Near to edges and corners of the other body its distance is no smooth function: better to move over that body.
    copyPoint(point, ended);
    this.approach();
    const there = this.within();
    if (there <= 0) return Math.min(0, this.distance());
    if (!(there < value)) {
      copyPoint(ended, point);
      return value;
    }
    if (field.exact) {
      if (this.project()) return there;
    } else if (this.ontoField() < value) return this.trueDistance();
    copyPoint(ended, point);
    return value;
  }

  /**
   * From `point` to the nearest point of the other body, back to the nearest of the field, and so on, as long as that makes it
   * less. The distance is all that counts: bounds of it may lead elsewhere.
   */
  private alternate(other: FieldShape): number {
    const { field, point, ended, frame } = this;
    const precision = FINE * this.size;
    if (this.within() > 0 && !(nearestOfField(field, point, precision, point) < Infinity)) return Infinity;
    let value = Infinity;
    for (let i = 0; i < MOST_TURNS; i++) {
      toSecond(frame, point, this.otherPoint);
      const there = nearestOfField(other, this.otherPoint, precision, this.otherPoint);
      if (!(there < value - precision)) break;
      value = there;
      copyPoint(point, ended);
      if (value <= 0) return Math.min(0, this.distance());
      toFirst(frame, this.otherPoint, point);
      const back = nearestOfField(field, point, precision, point);
      if (!(back < value)) break;
      value = back;
      copyPoint(point, ended);
    }
    copyPoint(ended, point);
    return value;
  }

  /** Puts `point` onto the nearest point of the field, and tells how far that was. */
  private ontoField(): number {
    return nearestOfField(this.field, this.point, 0, this.point);
  }

  private startAtRoot(): void {
    const { child, queue, point, grid } = this;
    const { min, max } = this.field.bounds;
    queue.clear();
    if (grid !== null) grid.root(child);
    else {
      // What is around the field begins at its box.
      child.half = (this.side < 0 ? 0.75 : 0.5) * this.size + SMALLEST * this.largest;
      child.x = (min.x + max.x) / 2;
      child.y = (min.y + max.y) / 2;
      child.z = (min.z + max.z) / 2;
    }
    copyPoint(child, point);
    child.value = this.within();
    child.tight = 0;
    this.value = this.bound = Infinity;
    this.count = 0;
    this.pause = FIRST_PAUSE;
    this.bowlCount = 0;
  }

  /** Puts child number i of the cell into `child` and `point`. False if the field has no point in it. */
  private enter(i: number): boolean {
    const { cell, child, point, grid, cut } = this;
    const half = cell.half / 2;
    this.count++;
    child.half = half;
    point.x = child.x = cell.x + (i & 1 ? half : -half);
    point.y = child.y = cell.y + (i & 2 ? half : -half);
    point.z = child.z = cell.z + (i & 4 ? half : -half);
    if (grid !== null) {
      if (!this.isConvex) child.value = this.within();
      return grid.cut(child.x, child.y, child.z, half, cut);
    }
    const value = this.within();
    if (!(Math.abs(value - cell.value) <= CUBE_RADIUS * half * (1 + ROUNDING) + ROUNDING * this.largest))
      refuseSteep(this.field, cell, point, value);
    child.value = value;
    return value <= CUBE_RADIUS * half;
  }

  /**
   * The point nearest to the other body, or deepest in it. False if none is within `limit`. With `any`, the first point that is
   * found in both.
   */
  nearest(limit: number, any: boolean): boolean {
    if (this.grid !== null && this.isConvex) return this.searchGrid(null, limit, any);
    const { queue, cell, child, point } = this;
    const close = Math.max(CLOSE * this.largest, this.precision);
    this.trajectory = null;
    this.startAtRoot();
    child.key = -Infinity;
    queue.add(child);
    /** Nothing better is looked for. */
    const most = any ? close : -Infinity;
    const loose = this.isLoose();
    const mostCells = loose ? MOST_LOOSE_CELLS : MOST_CELLS;
    while (queue.size > 0) {
      queue.take(cell);
      if (cell.key > limit || cell.key >= this.value - close || this.value <= most) {
        this.bound = Math.min(this.bound, cell.key);
        break;
      }
      if (this.isInBowl()) continue;
      if (loose && cell.tight === 0 && cell.key > 0) {
        copyPoint(cell, point);
        const radius = CUBE_RADIUS * cell.half;
        cell.key = Math.max(cell.key, this.boundOfDistance(NEARLY * radius, this.value + radius) - radius);
        cell.tight = 1;
        queue.add(cell);
        continue;
      }
      if (CUBE_RADIUS * cell.half <= this.precision && this.value < Infinity) {
        this.bound = Math.min(this.bound, cell.key);
        break;
      }
      const isLast = cell.half <= SMALLEST * this.largest || this.count >= mostCells;
      if (isLast || this.count >= this.pause || CUBE_RADIUS * cell.half <= this.precision) {
        copyPoint(cell, point);
        this.radius = CUBE_RADIUS * cell.half;
        this.descend();
        this.keep(this.leastDistance());
        if (isLast) {
          this.settle();
          break;
        }
        if (this.isInBowl()) continue;
      }
      for (let i = 0; i < 8; i++) {
        if (!this.enter(i)) continue;
        const away = this.distance();
        if (any && child.value <= 0 && away <= close) {
          this.value = this.bound = away;
          return true;
        }
        child.key = Math.max(cell.key, away - CUBE_RADIUS * child.half);
        child.tight = 0;
        if (child.key <= limit && child.key < this.value) queue.add(child);
      }
    }
    this.bound = Math.min(this.bound, this.value);
    copyPoint(this.best, point);
    if (loose && !any && this.precision === 0 && this.value > 0 && this.value <= 4 * FINE * this.size)
      this.lookForBoth();
    // What is thin is never deeper than rounding.
    return this.value <= limit + close;
  }

  /** As near as distances between loose fields are found, they may as well overlap: is there a point of both? */
  private lookForBoth(): void {
    const { value, bound, point } = this;
    const { x, y, z } = point;
    if (this.nearest(0, true) && this.value <= 0) return;
    this.value = value;
    this.bound = bound;
    point.x = x;
    point.y = y;
    point.z = z;
  }

  /** As `nearest`, off by no more than about the precision. */
  nearly(precision: number): void {
    this.precision = precision;
    this.close = Math.max(this.close, precision);
    this.nearest(Infinity, false);
  }

  /**
   * When do they first meet? False if not until `limit`. The other body moves as the trajectory says; `frame` ends where it
   * is at that time.
   */
  first(trajectory: Trajectory, limit: number): boolean {
    if (this.grid !== null && this.isConvex) return this.searchGrid(trajectory, limit, false);
    const { queue, cell, child } = this;
    this.trajectory = trajectory;
    this.startAtRoot();
    const mostCells = this.isLoose() ? MOST_LOOSE_CAST_CELLS : MOST_CELLS;
    child.key = this.advance(0, limit);
    if (child.key <= limit) queue.add(child);
    while (queue.size > 0) {
      queue.take(cell);
      if (cell.key >= this.value) {
        this.bound = Math.min(this.bound, cell.key);
        break;
      }
      if (this.isInBowl()) continue;
      const isLast = cell.half <= SMALLEST * this.largest || this.count >= mostCells;
      if (isLast || this.count >= this.pause) {
        this.keep(this.contactTime(limit));
        if (isLast) {
          this.settle();
          break;
        }
        if (this.isInBowl()) continue;
      }
      for (let i = 0; i < 8; i++) {
        if (!this.enter(i)) continue;
        child.key = this.advance(cell.key, limit);
        if (child.key <= limit && child.key < this.value) queue.add(child);
      }
    }
    if (!(this.value <= limit)) return false;
    this.bound = Math.min(this.bound, this.value);
    copyPoint(this.best, this.point);
    trajectory.frameAt(this.value, this.frame);
    return true;
  }

  /**
   * The same two searches for a level set and a convex body. Cubes within a cell know the values in them to second order, and the
   * distance of a convex body is above its tangents: so few cubes of each size are left, and no descent is needed.
   */
  private searchGrid(trajectory: Trajectory | null, limit: number, any: boolean): boolean {
    const { queue, cell, child, point } = this;
    this.trajectory = trajectory;
    this.startAtRoot();
    child.key = trajectory === null ? -Infinity : 0;
    queue.add(child);
    while (queue.size > 0) {
      queue.take(cell);
      const speed = trajectory === null ? 1 : trajectory.speedOf(cell, CUBE_RADIUS * cell.half);
      if (
        cell.key > limit ||
        (cell.key + this.close / speed >= this.value && !(speed === 0 && cell.key < this.value))
      )
        break;
      this.tryPoint(limit);
      if ((any && this.value <= 0) || (trajectory !== null && this.value <= 0)) break;
      if (cell.half <= SMALLEST * this.largest || this.count >= MOST_GRID_CELLS) {
        this.bound = cell.key;
        this.settle();
        break;
      }
      for (let i = 0; i < 8; i++) {
        if (!this.enter(i)) continue;
        child.key =
          trajectory === null ? Math.max(cell.key, this.leastInCube()) : this.contactInCube(cell.key, limit);
        if (child.key <= limit && child.key < this.value) queue.add(child);
      }
    }
    this.bound = Math.min(this.value, cell.key);
    copyPoint(this.best, point);
    if (!(this.value <= limit + (trajectory === null ? this.close : 0))) return false;
    trajectory?.frameAt(this.value, this.frame);
    return true;
  }

  /** The distance at `point`, which is that of a convex body, and its slope. */
  private distanceAndSlope(): number {
    const { other, otherContext, otherPoint, slope, frame } = this;
    const p = toSecond(frame, this.point, otherPoint);
    if (other.kind === 'halfSpace') {
      directionToFirst(frame, other.normal, slope);
      return signedDistanceShape(other, p, otherContext);
    }
    if (!isConvexShape(other)) throw new Error('graze: the other body is not convex');
    startNearest(otherContext);
    const { x, y, z, distance } = nearestOnCore(other, p, otherContext);
    if (!(distance > 0)) {
      slope.x = slope.y = slope.z = 0;
      return signedDistanceShape(other, p, otherContext);
    }
    slope.x = (p.x - x) / distance;
    slope.y = (p.y - y) / distance;
    slope.z = (p.z - z) / distance;
    directionToFirst(frame, slope, slope);
    return distance - other.core.radius;
  }

  /**
   * No point of the level set in `child` is nearer. With the tangent of the distance, d + n · y, and what is known of the values,
   * v + a · y <= 0, that is a linear program over a cube. For any m >= 0 the least of d + n · y + m (v + a · y) over the cube is
   * below it; as a function of m that is concave, with bends where a component of n + m a is 0: the best is at one of them.
   */
  private leastInCube(): number {
    const { child, cut, slope } = this;
    const { half } = child;
    copyPoint(child, this.point);
    const d = this.distanceAndSlope();
    const { x: nx, y: ny, z: nz } = slope;
    if (nx === 0 && ny === 0 && nz === 0) return d - CUBE_RADIUS * half;
    const { x: ax, y: ay, z: az } = cut;
    const v = cut.value - cut.slack;
    let least = d - half * (Math.abs(nx) + Math.abs(ny) + Math.abs(nz));
    for (let i = 0; i < 3; i++) {
      const m = i === 0 ? -nx / ax : i === 1 ? -ny / ay : -nz / az;
      if (!(m > 0 && m < Infinity)) continue;
      const rest = Math.abs(nx + m * ax) + Math.abs(ny + m * ay) + Math.abs(nz + m * az);
      least = Math.max(least, d + m * v - half * rest);
    }
    return least - CLOSE * this.largest;
  }

  /** No point of the level set in `child` meets the other body before; Infinity if none does until the limit. */
  private contactInCube(from: number, limit: number): number {
    const { child, frame } = this;
    const trajectory = this.trajectory!;
    const speed = trajectory.speedOf(child, CUBE_RADIUS * child.half) * (1 + ROUNDING);
    // As exact as the cube is small.
    const enough = IN_TOUCH * child.half * Math.min(1, child.half / this.grid!.spacing);
    let t = from;
    for (let i = 0; i < MOST_ADVANCES; i++) {
      trajectory.frameAt(t, frame);
      const free = this.leastInCube();
      if (!(free > enough)) break;
      const closing = trajectory.closingSpeed?.(this.slope) ?? speed;
      if (!(closing > 0)) return Infinity;
      t += free / closing;
      if (!(t <= limit)) return Infinity;
    }
    return t;
  }

  /** Is there a point of the level set in the cell that is better than what is known? Near its middle, or where it slides to. */
  private tryPoint(limit: number): void {
    const { cell, cut, point, own } = this;
    const grid = this.grid!;
    copyPoint(cell, point);
    if (cell.half > 0.75 * grid.spacing) {
      if (grid.valueAt(point) <= 0) this.tryHere(limit);
      return;
    }
    grid.cut(cell.x, cell.y, cell.z, cell.half, cut);
    copyPoint(cut, own);
    if (!(cut.value <= 0 || this.ontoGrid())) return;
    this.tryHere(limit);
    this.slide();
    if (this.ontoGrid()) this.tryHere(limit);
  }

  /** Puts `point` onto the surface of the level set, along `own`, the gradient in the cell. False if that is not near. */
  private ontoGrid(): boolean {
    const { cell, point, own } = this;
    const square = lengthSq(own);
    const most = 64 * cell.half * cell.half * square;
    for (let i = 0; i < MOST_NEWTON; i++) {
      const value = this.grid!.valueAt(point);
      if (Math.abs(value) <= 0.1 * this.close) return true;
      if (!(value * value <= most)) return false;
      const k = value / square;
      point.x -= k * own.x;
      point.y -= k * own.y;
      point.z -= k * own.z;
    }
    return false;
  }

  /**
   * From `point`, down the slope along the surface, of which `own` is the gradient, to a side of the cell, along that to an edge, and to
   * a corner: the least of a linear function is there.
   */
  private slide(): void {
    const { cell, point, slope, own } = this;
    const { half } = cell;
    let nx = slope.x;
    let ny = slope.y;
    let nz = slope.z;
    let ax = own.x;
    let ay = own.y;
    let az = own.z;
    for (let i = 0; i < 3; i++) {
      const square = ax * ax + ay * ay + az * az;
      const k = square > 0 ? (nx * ax + ny * ay + nz * az) / square : 0;
      const x = nx - k * ax;
      const y = ny - k * ay;
      const z = nz - k * az;
      const far = 8 * half;
      const stepX = x === 0 ? Infinity : (half + (x > 0 ? point.x - cell.x : cell.x - point.x)) / Math.abs(x);
      const stepY = y === 0 ? Infinity : (half + (y > 0 ? point.y - cell.y : cell.y - point.y)) / Math.abs(y);
      const stepZ = z === 0 ? Infinity : (half + (z > 0 ? point.z - cell.z : cell.z - point.z)) / Math.abs(z);
      const step = Math.min(stepX, stepY, stepZ);
      if (!(step >= 0 && step * step * (x * x + y * y + z * z) <= far * far)) return;
      point.x -= step * x;
      point.y -= step * y;
      point.z -= step * z;
      if (step === stepX) nx = ax = 0;
      else if (step === stepY) ny = ay = 0;
      else nz = az = 0;
    }
  }

  /** Is `point` better than what is known: nearer to the other body, or sooner in touch with it? */
  private tryHere(limit: number): void {
    const { cell, point, best, frame, slope, trajectory } = this;
    if (trajectory === null) {
      const there = this.distanceAndSlope();
      if (!(there < this.value)) return;
      this.value = there;
      copyPoint(point, best);
      return;
    }
    const speed = trajectory.speedOf(point, 0) * (1 + ROUNDING);
    const close = CLOSE * this.largest;
    let t = cell.key;
    for (let i = 0; i < MOST_ADVANCES; i++) {
      trajectory.frameAt(t, frame);
      const free = this.distanceAndSlope();
      if (free <= close) {
        if (t < this.value) {
          this.value = t;
          copyPoint(point, best);
        }
        return;
      }
      const closing = trajectory.closingSpeed?.(slope) ?? speed;
      if (!(closing > 0)) return;
      t += free / closing;
      if (!(t <= limit && t < this.value)) return;
    }
  }

  /** The search ends at the cell: what is certain about it is the answer, if nothing as good is known. */
  private settle(): void {
    const { cell, best, trajectory } = this;
    const speed = trajectory === null ? 1 : trajectory.speedOf(cell, 0);
    this.bound = Math.min(this.bound, cell.key);
    if ((this.value - cell.key) * speed <= LATE * CUBE_RADIUS * cell.half) return;
    this.value = cell.key;
    copyPoint(cell, best);
  }

  /** When the ball about `child` may first meet the other body, from a time on; Infinity if not before the limit. */
  private advance(from: number, limit: number): number {
    const { child, point, frame } = this;
    const trajectory = this.trajectory!;
    const radius = CUBE_RADIUS * child.half;
    copyPoint(child, point);
    const speed = trajectory.speedOf(point, radius) * (1 + ROUNDING);
    let t = from;
    for (let i = 0; i < MOST_ADVANCES; i++) {
      trajectory.frameAt(t, frame);
      const free = this.distance() - radius;
      if (!(free > IN_TOUCH * radius)) break;
      if (!(speed > 0)) return Infinity;
      t += free / speed;
      if (!(t <= limit)) return Infinity;
    }
    return t;
  }

  /** When the surface near to the cell, which is as good as in touch at the time that is its key, touches. Leaves `point` there. */
  private contactTime(limit: number): number {
    const { cell, point, frame } = this;
    const trajectory = this.trajectory!;
    const close = CLOSE * this.largest;
    const radius = CUBE_RADIUS * cell.half;
    let t = cell.key;
    this.radius = radius;
    copyPoint(cell, point);
    trajectory.frameAt(t, frame);
    this.descend();
    // Newton's method, for the nearest point, which moves along the surface meanwhile.
    for (let i = 0; i < MOST_NEWTON; i++) {
      this.approach();
      const away = this.within();
      if (Math.abs(away) <= close) break;
      const h = (STEP * this.size) / Math.max(trajectory.speedOf(point, 0), 1e-300);
      const closing = (this.withinAt(t - h) - this.withinAt(t + h)) / (2 * h);
      const step = away / closing;
      if (!(closing > 0) || !(Math.abs(t + step - cell.key) * closing <= LATE * radius + close)) {
        // It glides along the other body, or passes by.
        return Infinity;
      }
      t = Math.min(limit, t + step);
      trajectory.frameAt(t, frame);
      toFirst(frame, this.otherPoint, point);
    }
    return Math.abs(this.within()) <= 64 * close ? Math.max(cell.key, Math.min(t, limit)) : Infinity;
  }

  /** The bound of the field where `otherPoint`, a point of the other body, is at a time. */
  private withinAt(t: number): number {
    const { point, next } = this;
    copyPoint(point, next);
    this.trajectory!.frameAt(t, this.moved);
    toFirst(this.moved, this.otherPoint, point);
    const value = this.within();
    copyPoint(next, point);
    return value;
  }

  /**
   * From the point of the other body nearest to `point`, over its points to where the bound of the field is least: a projected
   * gradient with steps after Barzilai and Borwein. Edges and corners of the other body do no harm. Leaves the result in `point`
   * and, seen from the other body, in `otherPoint`.
   */
  private approach(): void {
    const { point, start, own, next, along } = this;
    this.ontoOther();
    let value = this.within();
    this.gradient(true, own);
    let step = this.size / 8;
    copyPoint(point, start);
    for (let i = 0; i < MOST_APPROACHES; i++) {
      copyPoint(point, next);
      copyPoint(own, along);
      let there = value;
      for (let k = 0; k < 30; k++, step /= 4) {
        point.x = next.x - step * along.x;
        point.y = next.y - step * along.y;
        point.z = next.z - step * along.z;
        this.ontoOther();
        there = this.within();
        if (there < value || isWithin(point, next, EPS64 * this.largest)) break;
      }
      if (!(there < value)) {
        copyPoint(next, point);
        break;
      }
      value = there;
      this.gradient(true, own);
      const sx = point.x - next.x;
      const sy = point.y - next.y;
      const sz = point.z - next.z;
      const bend = sx * (own.x - along.x) + sy * (own.y - along.y) + sz * (own.z - along.z);
      const square = sx * sx + sy * sy + sz * sz;
      if (square <= EPS64 * EPS64 * this.largest * this.largest) break;
      step = bend > (1e-9 * square) / this.size ? square / bend : 4 * this.size;
    }
    toSecond(this.frame, point, this.otherPoint);
  }

  /** Puts `point` onto the nearest point of the other body. */
  private ontoOther(): void {
    const { other, point, otherContext, frame, normal } = this;
    if (isField(other)) {
      // The nearest point of its surface thereabouts.
      for (let i = 0; i < 12; i++) {
        const away = this.distance();
        if (!(away > CLOSE * this.largest)) return;
        this.gradient(false, normal);
        const slope = lengthSq(normal);
        if (!(slope > 1e-6)) return;
        point.x -= (away / slope) * normal.x;
        point.y -= (away / slope) * normal.y;
        point.z -= (away / slope) * normal.z;
      }
      return;
    }
    toSecond(frame, point, this.otherPoint);
    otherContext.limit = Infinity;
    closestPointShape(other, this.otherPoint, otherContext);
    toFirst(frame, otherContext.found.point, point);
  }

  /** Is all that is left of the cell so small, and near to where a descent ended? */
  private isInBowl(): boolean {
    const { cell, bowls, field } = this;
    if (cell.half > field.detail) return false;
    const radius = CUBE_RADIUS * cell.half;
    for (let i = 0, at = 0; i < this.bowlCount; i++, at += 4) {
      const dx = cell.x - bowls[at]!;
      const dy = cell.y - bowls[at + 1]!;
      const dz = cell.z - bowls[at + 2]!;
      const reach = bowls[at + 3]! - radius;
      if (!(reach > 0 && dx * dx + dy * dy + dz * dz <= reach * reach)) continue;
      this.bound = Math.min(this.bound, cell.key);
      return true;
    }
    return false;
  }

  /** Notes `point`, where a descent has ended, its value, and how far around values rise. */
  private keep(value: number): void {
    const { point, best, bowls, start } = this;
    this.pause = this.count + PAUSE;
    if (!(value < Infinity)) return;
    if (value < this.value) {
      this.value = value;
      copyPoint(point, best);
    }
    if (this.bowlCount >= MOST_BOWLS || Math.abs(this.within()) > 64 * CLOSE * this.largest) return;
    copyPoint(point, start);
    for (let reach = this.size / 8; reach > this.size / 1000; reach /= 2) {
      if (!this.isBowl(start, value, reach)) continue;
      const at = 4 * this.bowlCount++;
      bowls[at] = start.x;
      bowls[at + 1] = start.y;
      bowls[at + 2] = start.z;
      bowls[at + 3] = reach;
      return;
    }
  }

  /** Do the values rise from a point of the surface, in all directions along it and inward? */
  private isBowl(center: ReadonlyVec3, value: number, reach: number): boolean {
    const { point, own, along, across } = this;
    copyPoint(center, point);
    this.gradient(true, own);
    if (!normalize(own)) return false;
    // Into the field they must rise, too.
    point.x = center.x - (reach / 3) * own.x;
    point.y = center.y - (reach / 3) * own.y;
    point.z = center.z - (reach / 3) * own.z;
    if (!(this.valueHere() > value)) return false;
    spanPlane(own, along, across);
    this.radius = reach;
    for (let i = 0; i < 8; i++) {
      let before = value;
      for (let k = 1; k <= 3; k++) {
        const u = (reach * k * RING[i]!) / 3;
        const v = (reach * k * RING[(i + 2) & 7]!) / 3;
        point.x = center.x + u * along.x + v * across.x;
        point.y = center.y + u * along.y + v * across.y;
        point.z = center.z + u * along.z + v * across.z;
        const there = this.project() ? this.valueHere() : Infinity;
        if (!(there > before)) return false;
        before = there;
      }
    }
    return true;
  }

  private valueHere(): number {
    const { trajectory, child, point } = this;
    if (trajectory === null) return this.distance();
    copyPoint(point, child);
    child.half = ROUNDING * this.size;
    return this.advance(0, 2);
  }

  /**
   * Unit vector out of the other body at `point`. Where bodies touch they have one normal: it is taken from the one whose
   * surface is smooth there, as the slope of the distance shows. Where none is, between edges or corners, it is the
   * direction between the two when they are a little way apart.
   */
  takeNormal(): Vec3 {
    const { normal, own } = this;
    if (this.isLoose() && this.normalFromNearest()) return normal;
    this.gradient(false, normal);
    if (Math.abs(this.distance()) <= 2 * STEP * this.size) {
      const bend = this.bend;
      this.gradient(true, own);
      const isSmooth = Math.min(bend, this.bend) < SMOOTH;
      if (this.bend < bend) setNegated(own, normal);
      if (!isSmooth) this.normalFromApart();
    }
    if (!normalize(normal)) setUp(normal);
    return normal;
  }

  /** The direction from the nearest point of the other body, which is a field. False if that is not apart from `point`. */
  private normalFromNearest(): boolean {
    const { other, frame, point, otherPoint, normal } = this;
    if (!isField(other) || this.side < 0) return false;
    toSecond(frame, point, otherPoint);
    if (!(other.bound(otherPoint) > 0)) return false;
    const away = nearestOfField(other, otherPoint, CLOSE * this.size, otherPoint);
    if (!(away > 2 * STEP * this.size && away < Infinity)) return false;
    toFirst(frame, otherPoint, otherPoint);
    normal.x = point.x - otherPoint.x;
    normal.y = point.y - otherPoint.y;
    normal.z = point.z - otherPoint.z;
    return normalize(normal);
  }

  /** Replaces `normal`, which is about right, by the direction between the bodies when they are moved apart along it. */
  private normalFromApart(): void {
    const { normal, field, side, other, frame, moved, point } = this;
    if (!normalize(normal)) return;
    const by = APART * this.size;
    copyFrame(frame, moved);
    moved.tx -= by * normal.x;
    moved.ty -= by * normal.y;
    moved.tz -= by * normal.z;
    const search = takeSearch();
    try {
      if (!search.begin(field, side, other, moved).nearest(Infinity, false) || !(search.value > 0)) return;
      if (!isWithin(search.point, point, 16 * by)) return;
      copyPoint(search.point, this.own);
      search.ontoOther();
      normal.x = this.own.x - search.point.x;
      normal.y = this.own.y - search.point.y;
      normal.z = this.own.z - search.point.z;
      const length = Math.sqrt(lengthSq(normal));
      normal.x /= length;
      normal.y /= length;
      normal.z /= length;
    } finally {
      releaseSearch();
    }
  }

  /**
   * Calls `found` with points of the field, on its surface around `point`, that are within `limit` of the other body: in eight
   * directions the farthest ones, as far as the surface goes on being near.
   */
  spread(limit: number, found: (p: ReadonlyVec3, distance: number) => void): void {
    const { point, own } = this;
    const center = vec3(point.x, point.y, point.z);
    this.gradient(true, own);
    if (!normalize(own)) return;
    const u = vec3();
    const v = vec3();
    spanPlane(own, u, v);
    this.radius = this.size / 64;
    for (let i = 0; i < 8; i++) {
      const c = RING[i]!;
      const s = RING[(i + 2) & 7]!;
      const last = vec3(center.x, center.y, center.z);
      let lastDistance = Infinity;
      let step = this.size / 64;
      let r = 0;
      for (let k = 0; k < 24 && r + step <= 2 * this.size; k++) {
        point.x = center.x + (r + step) * (c * u.x + s * v.x);
        point.y = center.y + (r + step) * (c * u.y + s * v.y);
        point.z = center.z + (r + step) * (c * u.z + s * v.z);
        const away = this.project() ? this.distance() : Infinity;
        if (away <= limit) {
          r += step;
          step *= 1.5;
          copyPoint(point, last);
          lastDistance = away;
        } else step /= 2;
      }
      if (lastDistance < Infinity) found(last, lastDistance);
    }
    copyPoint(center, point);
  }

  /** The gradient of the field's bound (`own`) or of the distance from the other body at `point`. */
  private gradient(own: boolean, out: Vec3): void {
    const { point } = this;
    const { x, y, z } = point;
    const h = STEP * this.size;
    const middle = 2 * (own ? this.within() : this.distance());
    point.x = x + h;
    const x1 = own ? this.within() : this.distance();
    point.x = x - h;
    const x0 = own ? this.within() : this.distance();
    point.x = x;
    point.y = y + h;
    const y1 = own ? this.within() : this.distance();
    point.y = y - h;
    const y0 = own ? this.within() : this.distance();
    point.y = y;
    point.z = z + h;
    const z1 = own ? this.within() : this.distance();
    point.z = z - h;
    const z0 = own ? this.within() : this.distance();
    point.z = z;
    out.x = (x1 - x0) / (2 * h);
    out.y = (y1 - y0) / (2 * h);
    out.z = (z1 - z0) / (2 * h);
    this.bend = (Math.abs(x1 + x0 - middle) + Math.abs(y1 + y0 - middle) + Math.abs(z1 + z0 - middle)) / h;
  }

  /** Puts `point` onto the surface of the field, along its gradient. False if that is not near. */
  private project(): boolean {
    const { point, own } = this;
    const close = 64 * EPS64 * this.largest;
    const most = 8 * this.radius + close;
    let moved = 0;
    for (let i = 0; i < 12; i++) {
      const value = this.within();
      if (Math.abs(value) <= close) return true;
      this.gradient(true, own);
      const slope = lengthSq(own);
      if (!(slope > 1e-6)) return false;
      const k = value / slope;
      moved += Math.abs(k) * Math.sqrt(slope);
      if (!(moved <= most)) return false;
      point.x -= k * own.x;
      point.y -= k * own.y;
      point.z -= k * own.z;
    }
    return Math.abs(this.within()) <= 64 * close;
  }

  /**
   * From `point`, downhill along the surface of the field to where it is nearest to the other body: Newton's method for the
   * Lagrangian in the tangent plane, damped. It stays within a few radii of the cube. Edges and corners of the field stop it;
   * there few cubes are nearly as near, so that these alone come near enough.
   */
  private descend(): void {
    const { point, start, own, normal, along, across, next } = this;
    copyPoint(point, start);
    if (!this.project()) {
      copyPoint(start, point);
      return;
    }
    const reach = 16 * this.radius + WIDE_STEP * this.size;
    const h = WIDE_STEP * this.size;
    let value = this.distance();
    let damping = 1e-9;
    for (let i = 0; i < MOST_DESCENTS; i++) {
      this.gradient(true, own);
      if (!normalize(own)) return;
      this.gradient(false, normal);
      const pull = normal.x * own.x + normal.y * own.y + normal.z * own.z;
      spanPlane(own, along, across);
      const gu = normal.x * along.x + normal.y * along.y + normal.z * along.z;
      const gv = normal.x * across.x + normal.y * across.y + normal.z * across.z;
      if (gu * gu + gv * gv <= 1e-22) return;
      // Second derivatives of distance - pull · bound.
      copyPoint(point, next);
      const middle = value - pull * this.within();
      const uu = (this.lagrangian(h, 0, pull) - 2 * middle + this.lagrangian(-h, 0, pull)) / (h * h);
      const vv = (this.lagrangian(0, h, pull) - 2 * middle + this.lagrangian(0, -h, pull)) / (h * h);
      const uv =
        (this.lagrangian(h, h, pull) -
          this.lagrangian(h, -h, pull) -
          this.lagrangian(-h, h, pull) +
          this.lagrangian(-h, -h, pull)) /
        (4 * h * h);
      // Downhill in all directions: the smaller eigenvalue is made positive.
      const mean = (uu + vv) / 2;
      const spread = Math.sqrt(((uu - vv) * (uu - vv)) / 4 + uv * uv);
      const shift = Math.max(0, spread - mean) * 2 + 1e-6 / this.size;
      let isBetter = false;
      for (let k = 0; k < 12 && !isBetter; k++) {
        const a = uu + shift + damping / this.size;
        const c = vv + shift + damping / this.size;
        const determinant = a * c - uv * uv;
        const su = -(c * gu - uv * gv) / determinant;
        const sv = -(a * gv - uv * gu) / determinant;
        const scale = Math.min(1, reach / 4 / Math.sqrt(su * su + sv * sv));
        point.x = next.x + scale * (su * along.x + sv * across.x);
        point.y = next.y + scale * (su * along.y + sv * across.y);
        point.z = next.z + scale * (su * along.z + sv * across.z);
        if (this.project() && isWithin(point, start, reach)) {
          const there = this.distance();
          isBetter = there < value;
          if (isBetter) value = there;
        }
        damping = isBetter ? Math.max(1e-9, damping / 8) : 10 * damping + 1e-3;
      }
      if (!isBetter) {
        copyPoint(next, point);
        return;
      }
    }
  }

  /** At `next`, so far away in the tangent plane. */
  private lagrangian(u: number, v: number, pull: number): number {
    const { point, next, along, across } = this;
    point.x = next.x + u * along.x + v * across.x;
    point.y = next.y + u * along.y + v * across.y;
    point.z = next.z + u * along.z + v * across.z;
    const value = this.distance() - pull * this.within();
    copyPoint(next, point);
    return value;
  }
}

/** Is it a mesh with holes, or has it one among its children? */
const hasOpenPart = (shape: Shape): boolean =>
  shape.kind === 'compound'
    ? shape.children.some((child) => hasOpenPart(child.shape))
    : (shape.kind === 'mesh' && !isClosed(shape)) || (shape.kind === 'skinned' && !isClosed(shape.mesh));

function setNegated({ x, y, z }: ReadonlyVec3, out: Vec3): void {
  out.x = -x;
  out.y = -y;
  out.z = -z;
}

function setUp(out: Vec3): void {
  out.x = 0;
  out.y = 1;
  out.z = 0;
}

const lengthSq = ({ x, y, z }: ReadonlyVec3): number => x * x + y * y + z * z;

function isWithin(p: ReadonlyVec3, q: ReadonlyVec3, reach: number): boolean {
  const dx = p.x - q.x;
  const dy = p.y - q.y;
  const dz = p.z - q.z;
  return dx * dx + dy * dy + dz * dz <= reach * reach;
}

function normalize(v: Vec3): boolean {
  const length = Math.sqrt(lengthSq(v));
  if (!(length > 1e-6)) return false;
  v.x /= length;
  v.y /= length;
  v.z /= length;
  return true;
}

/** Two unit vectors that are perpendicular to n, a unit vector, and to each other. */
function spanPlane(n: ReadonlyVec3, along: Vec3, across: Vec3): void {
  v3.perpendicular(n, along);
  v3.cross(n, along, across);
}

const pool = /* @__PURE__ */ new ContextPool(() => new FieldSearch());

/** A search that nobody else uses until `releaseSearch`. */
export const takeSearch = (): FieldSearch => pool.take();

/** To be called in a `finally`: a user's function may throw. */
export const releaseSearch = (): void => pool.release();

/** The distance of a point from the field (`side` 1), or from what is around it (-1). */
export function distanceFromField(field: FieldShape, side: 1 | -1, p: ReadonlyVec3): number {
  const search = takeSearch();
  try {
    return search.begin(field, side, POINT, frameOfPoint(p)).nearest(Infinity, false) ? search.value : 0;
  } finally {
    releaseSearch();
  }
}

/** The point of the field that is nearest to p, or one that is farther by no more than the precision; its distance. */
function nearestOfField(field: FieldShape, p: ReadonlyVec3, precision: number, out: Vec3): number {
  const search = takeSearch();
  try {
    search.begin(field, 1, POINT, frameOfPoint(p)).nearly(precision);
    copyPoint(search.point, out);
    return search.value;
  } finally {
    releaseSearch();
  }
}

/** The search for the point of a field that is nearest to p; to be released. */
export const searchFromPoint = (field: FieldShape, p: ReadonlyVec3, search: FieldSearch): FieldSearch =>
  search.begin(field, 1, POINT, frameOfPoint(p));

function frameOfPoint({ x, y, z }: ReadonlyVec3): Frame {
  const frame = makeFrame();
  frame.tx = x;
  frame.ty = y;
  frame.tz = z;
  return frame;
}
