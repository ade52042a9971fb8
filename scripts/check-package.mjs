// Would the package work for someone who installs it? publint on what would be published, then a real install of
// the tarball in an empty folder, imported by Node and compiled against by TypeScript.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bin, root, run } from './setup.mjs';

/** What only users of these packages can open. */
const ADAPTERS = {
  './three': ['three', '@types/three'],
  './react': ['react', '@react-three/fiber', '@types/react'],
};

run(bin('publint'), ['--strict']);

const folder = mkdtempSync(join(tmpdir(), 'graze-package-'));
try {
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]);
  const { name, version, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const tarball = join(folder, `${name}-${version}.tgz`);
  const user = join(folder, 'user');
  mkdirSync(user);
  writeFileSync(join(user, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  run('npm', ['install', '--silent', '--no-audit', '--no-fund', '--no-package-lock', tarball], { cwd: user });
  const doors = Object.keys(exports)
    .filter((door) => !door.endsWith('.json') && !(door in ADAPTERS))
    .map((door) => door.replace('.', name));
  writeFileSync(
    join(user, 'use.ts'),
    `${doors.map((door, i) => `import * as room${i} from '${door}';`).join('\n')}
import { intersects, mesh, sphere, vec3, World } from '${name}';
import { SortAndSweep } from '${name}/broadphase';
import { castEdgeEdgeMany, DeformingWorkers } from '${name}/continuous';
import { closestPointSegment } from '${name}/primitives';
import { QueryWorkers } from '${name}/query';
import { LevelSetWorkers } from '${name}/shapes';
import { batchMesh } from '${name}/trimesh';
const point: { x: number; y: number; z: number } = closestPointSegment({ x: 0, y: 1, z: 0 }, vec3(-1, 0, 0), vec3(1, 0, 0));
if (point.y !== 0) throw new Error('wrong closest point');
const rooms = [${doors.map((_, i) => `room${i}`).join(', ')}];
for (const room of rooms) if (Object.keys(room).length === 0) throw new Error('an empty room');
console.log(rooms.map((room) => Object.keys(room).length).join(' '));

// What the rooms declare fits together; a mesh of the toolbox becomes a shape.
const world = new World({ broadPhase: new SortAndSweep() });
world.add(sphere(1));
if (world.overlaps(sphere(1)).length !== 1) throw new Error('a world that finds nothing');

// Threads: a mesh built in one, a batch answered by two, in memory that is shared and in memory that is not.
const positions = Float32Array.from({ length: 3000 }, (_, i) => ((i * 7919) % 1000) / 1000);
const rays = { origins: positions.map((x) => x * 3 - 1), directions: positions.map((x) => 0.5 - x) };
const workers = new QueryWorkers({ threads: 2 });
let told = 0;
const shared = await workers.mesh(positions.slice(0, 2997), null, { onProgress: () => told++ });
const plain = mesh(positions.slice(0, 2997));
if (intersects(mesh(shared), sphere(2)) !== intersects(plain, sphere(2))) throw new Error('built in a thread, it differs');
const alone = batchMesh('rayMesh', rays, plain);
for (const target of [shared, plain]) {
  const list = { t: new Float64Array(1000), triangle: new Int32Array(1000), v: new Float64Array(1000), w: new Float64Array(1000) };
  for (const out of [undefined, list]) {
    const { t, triangle } = await workers.batch('rayMesh', rays, target, out);
    if (t.some((x, i) => x !== alone.t[i] || triangle[i] !== alone.triangle[i])) throw new Error('threads disagree');
  }
}
if (alone.triangle.every((i) => i < 0)) throw new Error('no ray hit anything');
const refused = await workers.mesh([0, 0, Number.NaN]).then(() => false, (e) => /positions must be finite/.test(e.message));
if (!refused) throw new Error('a broken mesh was taken');
workers.close();
if (await workers.batch('rayMesh', rays, plain).then(() => true, () => false)) throw new Error('closed workers answer');

const baker = new LevelSetWorkers();
const ball = mesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]);
const level = await baker.levelSet(ball, { spacing: 0.1, onProgress: () => told++ });
if (!(level.kind === 'levelSet' && level.bound(vec3(0.2, 0.2, 0.2)) < 0)) throw new Error('a wrong level set');
baker.close();
const pool = new DeformingWorkers({ threads: 2 });
const times = castEdgeEdgeMany(rays.origins, rays.directions).t;
for (const out of [undefined, { t: new Float64Array(250) }]) {
  const { t } = await pool.castEdgeEdgeMany(rays.origins, rays.directions, {}, out);
  if (!times.some(Number.isFinite) || t.some((x, i) => x !== times[i])) throw new Error('threads disagree on edges');
}
pool.close();
`,
  );
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom'];
  run(bin('tsc'), [...options, 'use.ts'], { cwd: user });
  run(process.execPath, ['use.js'], { cwd: user });

  // The adapters' peers are the user's: so far there were none, and nothing else needs them.
  for (const name of Object.values(ADAPTERS).flat()) {
    mkdirSync(dirname(join(user, 'node_modules', name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(user, 'node_modules', name));
  }
  writeFileSync(
    join(user, 'adapters.ts'),
    `import { Mesh, MeshBasicMaterial, Raycaster, SphereGeometry, Vector3 } from 'three';
import { raycast } from '${name}';
import * as react from '${name}/react';
import { accelerate, colliderOf, meshOf } from '${name}/three';
const ball = new Mesh(new SphereGeometry(1), new MeshBasicMaterial());
const ray = { origin: new Vector3(0, 0, 5), direction: new Vector3(0, 0, -1) };
for (const body of [meshOf(ball), colliderOf(ball)])
  if (Math.abs(raycast(ray, body)!.t - 4) > 0.1) throw new Error('a ray that misses');
const undo = accelerate(ball);
if (new Raycaster(ray.origin, ray.direction).intersectObject(ball).length !== 1) throw new Error('a raycaster that misses');
undo();
console.log(typeof react);
`,
  );
  run(bin('tsc'), [...options, '--skipLibCheck', 'adapters.ts'], { cwd: user });
  run(process.execPath, ['adapters.js'], { cwd: user });
  console.log(`package: ${doors.length} entry points import and type-check, and the adapters`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
