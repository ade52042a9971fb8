/** A character that an object follows. */
import { useFrame } from '@react-three/fiber';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Object3D, Vector3 } from 'three';
import { Character, type CharacterOptions } from '../character/character.ts';
import { useSharedWorld } from './world-context.ts';

/** In seconds. A page that was asleep does not make a character take a step of minutes. */
const LONGEST_FRAME = 0.1;

/**
 * A character in the world of the nearest `<GrazeWorld>`, and an object that stands where it does. Its position is that of the object
 * when the component is mounted, unless the options have one.
 *
 * @param ref of the object: a mesh or a group whose origin is the centre of the character
 * @param options read once
 * @param beforeMove called each frame, to set the velocity; the character then moves, and the object follows. Without it, move the
 * character yourself by `moveAndSlide`, in a `useFrame`.
 */
export function useCharacter(
  ref: RefObject<Object3D | null>,
  options: CharacterOptions,
  beforeMove?: (hero: Character, dt: number) => void,
): Character {
  const shared = useSharedWorld('useCharacter');
  const [hero] = useState(() => new Character(shared.world, options));
  const [hasPosition] = useState(() => options.position !== undefined);
  const [place] = useState(() => new Vector3());
  const hasStarted = useRef(false);
  useEffect(() => {
    const object = ref.current;
    if (object === null) throw new Error('graze: useCharacter: the ref leads to no object: give it to one');
    // Once: effects run twice in StrictMode, and the object is no longer where it was placed.
    if (!hasStarted.current && !hasPosition) hero.teleport(object.getWorldPosition(place));
    hasStarted.current = true;
    return shared.claim(object);
  }, [shared, ref, hero, hasPosition, place]);
  useFrame((_, delta) => {
    if (beforeMove) {
      const dt = Math.min(delta, LONGEST_FRAME);
      beforeMove(hero, dt);
      hero.moveAndSlide(dt);
    }
    const object = ref.current;
    if (object === null) return;
    const { x, y, z } = hero.position;
    place.set(x, y, z);
    if (object.parent) object.parent.worldToLocal(place);
    object.position.copy(place);
  });
  return hero;
}
