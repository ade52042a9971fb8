/** The checks at the door of this room: those of `src/math/check.ts`, by the names they have here. */
export {
  checkAabb as mustBeAabb,
  checkPlane as mustBePlane,
  checkPoint as mustBePoint,
  checkPose as mustBePose,
  checkSphere as mustBeSphere,
} from '../math/check.ts';
