/** What indexes of points and boxes are given, looked at. */
import { checkNumbers, LARGEST, refuse } from '../math/check.ts';

/** Points, three numbers each; boxes, six numbers each. @internal */
export function checkFlat(caller: string, name: string, list: ArrayLike<number>, each: 3 | 6): void {
  checkNumbers(caller, name, list, LARGEST);
  if (list.length % each !== 0)
    refuse(caller, name, `must hold ${each} numbers for each, got ${list.length} in all`);
  if (each === 3) return;
  for (let i = 0; i < list.length; i += 6)
    if (!(list[i]! <= list[i + 3]! && list[i + 1]! <= list[i + 4]! && list[i + 2]! <= list[i + 5]!))
      refuse(caller, `${name}[${i}…${i + 5}]`, 'must have min <= max on every axis');
}

/** The list that `kNearest` fills. @internal */
export function checkRoom(caller: string, out: Int32Array | number[], count: number): void {
  if (!Array.isArray(out) && !(ArrayBuffer.isView(out) && out.length >= count))
    refuse(caller, 'out', `must be an array, with room for ${count} numbers if it is a typed one`);
}
