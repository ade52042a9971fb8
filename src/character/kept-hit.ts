/** The hit of a sweep, kept while others are made. */
import { sweep } from './stage.ts';

export const kept = {
  x: 0.5,
  y: 0.5,
  z: 0.5,
  mx: 0.5,
  my: 0.5,
  mz: 0.5,
  t: 0.5,
  nx: 0.5,
  ny: 0.5,
  nz: 0.5,
  room: 0.5,
  id: 0,
  triangle: 0,
};

/** Keeps the hit of the last sweep. */
export function keep(): void {
  kept.x = sweep.x;
  kept.y = sweep.y;
  kept.z = sweep.z;
  kept.mx = sweep.mx;
  kept.my = sweep.my;
  kept.mz = sweep.mz;
  kept.t = sweep.t;
  kept.nx = sweep.nx;
  kept.ny = sweep.ny;
  kept.nz = sweep.nz;
  kept.room = sweep.room;
  kept.id = sweep.id;
  kept.triangle = sweep.triangle;
}

/** Puts it back. */
export function restore(): void {
  sweep.x = kept.x;
  sweep.y = kept.y;
  sweep.z = kept.z;
  sweep.mx = kept.mx;
  sweep.my = kept.my;
  sweep.mz = kept.mz;
  sweep.t = kept.t;
  sweep.nx = kept.nx;
  sweep.ny = kept.ny;
  sweep.nz = kept.nz;
  sweep.room = kept.room;
  sweep.id = kept.id;
  sweep.triangle = kept.triangle;
}
