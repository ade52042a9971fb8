/** A form on its way, and where it touches something. */

/** In scaled space. The normal is a unit vector there, from the triangle to the form. */
export interface Touch {
  t: number;
  nx: number;
  ny: number;
  nz: number;
  depth: number;
}

export const makeTouch = (): Touch => ({ t: 0.5, nx: 0.5, ny: 0.5, nz: 0.5, depth: 0.5 });

/** The form at hand, in scaled space: centre, motion, and its size with the gap that the sweep keeps. */
export const makeMover = () => ({
  x: 0.5,
  y: 0.5,
  z: 0.5,
  vx: 0.5,
  vy: 0.5,
  vz: 0.5,
  kind: 0,
  radius: 0.5,
  half: 0.5,
  hx: 0.5,
  hy: 0.5,
  hz: 0.5,
});

export type Mover = ReturnType<typeof makeMover>;
