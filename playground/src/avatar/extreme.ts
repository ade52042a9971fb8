/** The worst for spheres: next to triangles that are larger than the avatar, without touching them. */
import { type AvatarData, skinnedPositions, type WalkPlace, walkPose } from './avatar.ts';
import { LIFT, type Room } from './rooms.ts';

/**
 * Where the avatar walks along the blank wall of a room and comes as near to it, and to the floor, as the gap at this phase of its walk, and no
 * nearer.
 */
export function alongTheWall(avatar: AvatarData, { blankWall }: Room, phase: number, gap = 0.01): WalkPlace {
  const place: WalkPlace = { x: 0, y: LIFT, z: blankWall.z, heading: 0 };
  const points = skinnedPositions(avatar, walkPose(phase, place));
  let x = -Infinity;
  let y = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    x = Math.max(x, points[i]!);
    y = Math.min(y, points[i + 1]!);
  }
  return { ...place, x: blankWall.x - gap - x, y: place.y + gap - y };
}
