/** Lists of numbers for many queries: one after the other in an array, or with others in between. */
import { checkNumbers, describe, isNumberList, LARGEST, refuse, refuseType } from './check.ts';

/**
 * Numbers that share an array with others, as interleaved vertex attributes do: those of number i begin at
 * `offset` + i · `stride`.
 */
export interface StridedNumbers {
  readonly array: ArrayLike<number>;
  /** Default: 0. */
  readonly offset?: number;
  readonly stride: number;
}

/** A plain array, in which each begins where the one before ends, or a part of an array. */
export type NumberList = ArrayLike<number> | StridedNumbers;

const isStrided = (list: NumberList): list is StridedNumbers =>
  !ArrayBuffer.isView(list) && !Array.isArray(list);

/** The array that a list is in. @internal */
export const arrayOf = (list: NumberList): ArrayLike<number> => (isStrided(list) ? list.array : list);

/** Where the first begins. @internal */
export const offsetOf = (list: NumberList): number => (isStrided(list) ? (list.offset ?? 0) : 0);

/** From one to the next, of `size` numbers each. @internal */
export const strideOf = (list: NumberList, size: number): number => (isStrided(list) ? list.stride : size);

/** How many there are in a list that is known to be good. @internal */
export function lengthOf(list: NumberList, size: number): number {
  const { length } = arrayOf(list);
  if (!isStrided(list)) return length / size;
  const room = length - offsetOf(list) - size;
  return room < 0 ? 0 : Math.floor(room / list.stride) + 1;
}

/**
 * How many there are, of `size` numbers each. Refuses what is no list, has parts left over, or numbers that are not finite,
 * by the first of them. What stands between the numbers of a strided list is not looked at.
 *
 * @internal
 */
export function countOfList(caller: string, name: string, list: NumberList, size: number): number {
  if (isNumberList(list)) return countOfArray(caller, name, list, size);
  const { array, offset = 0, stride } = Object(list) as StridedNumbers;
  if (!isNumberList(array) || stride === undefined)
    refuseType(caller, name, 'an array of numbers, or { array, offset, stride }', list);
  mustBeStep(caller, `${name}.offset`, offset, 0);
  mustBeStep(caller, `${name}.stride`, stride, size);
  const count = lengthOf(list, size);
  for (let i = 0, at = offset; i < count; i++, at += stride)
    for (let k = at; k < at + size; k++)
      if (!isGood(array[k])) refuseNumberAt(caller, `${name}.array[${k}]`, array[k]);
  return count;
}

function countOfArray(caller: string, name: string, list: ArrayLike<number>, size: number): number {
  checkNumbers(caller, name, list);
  if (list.length % size !== 0)
    refuse(caller, name, `must have ${size} numbers each, got ${list.length} in all`);
  for (let i = 0; i < list.length; i++)
    if (!(Math.abs(list[i]!) <= LARGEST)) refuseNumberAt(caller, `${name}[${i}]`, list[i]);
  return list.length / size;
}

const isGood = (x: unknown): boolean => typeof x === 'number' && Math.abs(x) <= LARGEST;

function refuseNumberAt(caller: string, name: string, x: unknown): never {
  if (typeof x !== 'number') refuseType(caller, name, 'a number', x);
  refuse(caller, name, `must be a finite number within ±${LARGEST}, got ${describe(x)}`);
}

function mustBeStep(caller: string, name: string, value: unknown, least: number): void {
  if (!(Number.isInteger(value) && (value as number) >= least))
    refuse(caller, name, `must be a whole number of at least ${least}, got ${describe(value)}`);
}

/** Numbers from … to - 1, one after the other in a new array, in shared memory if asked for. @internal */
export function gatherNumbers(
  list: NumberList,
  size: number,
  from: number,
  to: number,
  shared: boolean,
): Float64Array {
  const bytes = 8 * size * (to - from);
  const out = new Float64Array(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
  const array = arrayOf(list);
  const stride = strideOf(list, size);
  let at = offsetOf(list) + from * stride;
  for (let i = 0; i < out.length; i += size, at += stride)
    for (let k = 0; k < size; k++) out[i + k] = array[at + k]!;
  return out;
}

/** The same as a plain array: itself, if it is one. @internal */
export const plainList = (list: NumberList, size: number): ArrayLike<number> =>
  isStrided(list) ? gatherNumbers(list, size, 0, lengthOf(list, size), false) : list;
