/** Names that artists give to what is there to be collided with. */

/** What stands for the triangles of a node with such a name. */
export interface NamedCollider {
  readonly shape: 'mesh' | 'hull' | 'box' | 'sphere' | 'capsule';
  /** It is there for collisions only, and not to be seen. */
  readonly hidden: boolean;
}

/** What exporters add to names that occur twice: `.001`, `_2`. */
const COPY = '(?:[._]?\\d+)?$';

const RULES: readonly (readonly [RegExp, NamedCollider['shape'], boolean])[] = [
  // Unreal Engine.
  [/^UCX[_-]/, 'hull', true],
  [/^MCDCX[_-]/, 'hull', true],
  [/^UBX[_-]/, 'box', true],
  [/^USP[_-]/, 'sphere', true],
  [/^UCP[_-]/, 'capsule', true],
  // Godot.
  [new RegExp(`[-_$]convcolonly${COPY}`, 'i'), 'hull', true],
  [new RegExp(`[-_$]colonly${COPY}`, 'i'), 'mesh', true],
  [new RegExp(`[-_$]convcol${COPY}`, 'i'), 'hull', false],
  [new RegExp(`[-_$]col${COPY}`, 'i'), 'mesh', false],
  // Elsewhere.
  [new RegExp(`(?:^|[-_. ])(?:collider|collision)${COPY}`, 'i'), 'mesh', true],
];

/** What a name says, or null. */
export function readName(name: string): NamedCollider | null {
  for (const [pattern, shape, hidden] of RULES) if (pattern.test(name)) return { shape, hidden };
  return null;
}
