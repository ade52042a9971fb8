/**
 * Reads the brushes of a Quake level in its text form, `.map`: what editors save, before it is compiled.
 *
 * A file is a list of entities, each a record of words in braces with brushes in braces inside. A brush is what lies behind
 * all of its planes; a plane is given by three of its points, clockwise seen from outside, and what follows on the line is about
 * its texture.
 */
import { type ReadonlyPlane, vec3 } from '../../src/math/index.ts';

export interface MapBrush {
  readonly planes: ReadonlyPlane[];
  readonly textures: string[];
}

export interface MapEntity {
  readonly properties: Readonly<Record<string, string>>;
  readonly brushes: MapBrush[];
}

const NUMBER = '(-?\\d+(?:\\.\\d+)?(?:e-?\\d+)?)';
const POINT = `\\(\\s*${NUMBER}\\s+${NUMBER}\\s+${NUMBER}\\s*\\)`;
const FACE = new RegExp(`^${POINT}\\s*${POINT}\\s*${POINT}\\s*(\\S+)`, 'i');
const PROPERTY = /^"([^"]*)"\s+"([^"]*)"/;

/** The entities of a file. Planes are in units of the file, z up, with normals of any length that point out. */
export function readMap(text: string): MapEntity[] {
  const entities: MapEntity[] = [];
  let entity: { properties: Record<string, string>; brushes: MapBrush[] } | null = null;
  let brush: MapBrush | null = null;
  for (const [number, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('//')) continue;
    if (line.startsWith('{')) {
      if (!entity) entity = { properties: {}, brushes: [] };
      else brush = { planes: [], textures: [] };
    } else if (line.startsWith('}')) {
      if (brush) entity?.brushes.push(brush);
      else if (entity) {
        entities.push(entity);
        entity = null;
      }
      brush = null;
    } else if (line.startsWith('"')) {
      const found = PROPERTY.exec(line);
      if (found && entity) entity.properties[found[1]!] = found[2]!;
    } else {
      const found = FACE.exec(line);
      if (!found || !brush) throw new Error(`line ${number + 1} of the map is no face: ${line.slice(0, 60)}`);
      const [x0, y0, z0, x1, y1, z1, x2, y2, z2] = found.slice(1, 10).map(Number) as [
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const [ux, uy, uz] = [x2 - x0, y2 - y0, z2 - z0];
      const [vx, vy, vz] = [x1 - x0, y1 - y0, z1 - z0];
      const normal = vec3(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
      const length = Math.sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
      normal.x /= length;
      normal.y /= length;
      normal.z /= length;
      brush.planes.push({ normal, d: normal.x * x0 + normal.y * y0 + normal.z * z0 });
      brush.textures.push(found[10]!);
    }
  }
  return entities;
}

/** Quake units in one metre. */
export const UNITS = 32;

/** Textures of brushes that stop nobody. */
const PASSABLE = /^(trigger|clip|skip|hint|\*)/i;

/**
 * The brushes that are solid: those of the world and of things that stand in it (`func_…`), without triggers, water and what
 * only players feel. In metres, y up.
 */
export function solidBrushes(entities: readonly MapEntity[]): ReadonlyPlane[][] {
  return entities
    .filter(
      ({ properties: { classname = '' } }) => classname === 'worldspawn' || classname.startsWith('func_'),
    )
    .flatMap(({ brushes }) => brushes)
    .filter(({ textures }) => !textures.every((name) => PASSABLE.test(name)))
    .map(({ planes }) =>
      planes.map(({ normal: { x, y, z }, d }) => ({ normal: vec3(x, z, -y + 0), d: d / UNITS })),
    );
}

/** Where things stand that have a place: in metres, y up. */
export function placesOf(
  entities: readonly MapEntity[],
  kind: RegExp,
): { x: number; y: number; z: number }[] {
  return entities.flatMap(({ properties: { classname = '', origin } }) => {
    if (!origin || !kind.test(classname)) return [];
    const [x, y, z] = origin.split(/\s+/).map(Number) as [number, number, number];
    return [{ x: x / UNITS, y: z / UNITS, z: -y / UNITS + 0 }];
  });
}
