/** Cross products for edges that may be almost parallel. */
import type { ReadonlyVec3, Vec3 } from '../../math/types.ts';

/** 2^27 + 1: multiplies a double so that its upper and lower half can be told apart. Veltkamp, Dekker 1971. */
const SPLITTER = 134217729;

/**
 * u × w into `out`, each component right to a few of its own ulps where the plain form may lose every digit: the same as
 * three times `differenceOfProducts`, but each factor is split only once and no number crosses a call. For
 * components between 1e-145 and 1e145 in size, or zero.
 * @internal
 */
export function accurateCross(u: ReadonlyVec3, w: ReadonlyVec3, out: Vec3): Vec3 {
  const { x: ux, y: uy, z: uz } = u;
  const { x: wx, y: wy, z: wz } = w;
  const uxBig = SPLITTER * ux;
  const uyBig = SPLITTER * uy;
  const uzBig = SPLITTER * uz;
  const wxBig = SPLITTER * wx;
  const wyBig = SPLITTER * wy;
  const wzBig = SPLITTER * wz;
  const uxHigh = uxBig - (uxBig - ux);
  const uyHigh = uyBig - (uyBig - uy);
  const uzHigh = uzBig - (uzBig - uz);
  const wxHigh = wxBig - (wxBig - wx);
  const wyHigh = wyBig - (wyBig - wy);
  const wzHigh = wzBig - (wzBig - wz);
  const uxLow = ux - uxHigh;
  const uyLow = uy - uyHigh;
  const uzLow = uz - uzHigh;
  const wxLow = wx - wxHigh;
  const wyLow = wy - wyHigh;
  const wzLow = wz - wzHigh;
  const yz = uy * wz;
  const zy = uz * wy;
  const zx = uz * wx;
  const xz = ux * wz;
  const xy = ux * wy;
  const yx = uy * wx;
  // What rounding took off each product, exactly.
  const yzLost = uyLow * wzLow - (yz - uyHigh * wzHigh - uyLow * wzHigh - uyHigh * wzLow);
  const zyLost = uzLow * wyLow - (zy - uzHigh * wyHigh - uzLow * wyHigh - uzHigh * wyLow);
  const zxLost = uzLow * wxLow - (zx - uzHigh * wxHigh - uzLow * wxHigh - uzHigh * wxLow);
  const xzLost = uxLow * wzLow - (xz - uxHigh * wzHigh - uxLow * wzHigh - uxHigh * wzLow);
  const xyLost = uxLow * wyLow - (xy - uxHigh * wyHigh - uxLow * wyHigh - uxHigh * wyLow);
  const yxLost = uyLow * wxLow - (yx - uyHigh * wxHigh - uyLow * wxHigh - uyHigh * wxLow);
  out.x = yz - zy + (yzLost - zyLost);
  out.y = zx - xz + (zxLost - xzLost);
  out.z = xy - yx + (xyLost - yxLost);
  return out;
}
