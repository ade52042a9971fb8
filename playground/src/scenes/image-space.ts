import { intersects, mesh } from 'graze';
import {
  type CollisionFilterResult,
  type DrawPlace,
  type DrawState,
  filterCollisions,
  type ImageBody,
  intersectsConvexImage,
  intersectsSolidImage,
  makeRasterizer,
  type Rasterizer,
  type RasterModel,
  rasterModel,
  SoftwareRasterizer,
} from 'graze/gpu';
import * as THREE from 'three';
import type { Scene } from '../scene.ts';

const SIZE = 128;

const FORMS = {
  ball: () => new THREE.IcosahedronGeometry(0.9, 2),
  box: () => new THREE.BoxGeometry(1.4, 1.4, 1.4),
  ring: () => new THREE.TorusGeometry(0.9, 0.28, 16, 40),
  knot: () => new THREE.TorusKnotGeometry(0.7, 0.2, 96, 12),
} satisfies Record<string, () => THREE.BufferGeometry>;
type Form = keyof typeof FORMS;
const NAMES = Object.keys(FORMS) as Form[];

const TESTS = ['convex: two queries', 'solids: edges', 'solids: layers', 'filter of 40'] as const;
type Test = (typeof TESTS)[number];

/** The software rasteriser, with a picture of each query: depth, and what passed. */
class Recorder extends SoftwareRasterizer {
  readonly pictures: { depth: Float32Array; passed: Uint8Array }[] = [];
  private readonly marks = new Uint8Array(SIZE * SIZE);
  private isAsking = false;

  constructor() {
    super({ size: SIZE });
  }

  override beginQuery(): void {
    this.isAsking = true;
    this.clear('ids');
    super.beginQuery();
  }

  override draw(model: RasterModel, place: DrawPlace, state: DrawState): void {
    super.draw(model, place, this.isAsking ? { ...state, id: 1 } : state);
  }

  override fill(state: object): void {
    super.fill(this.isAsking ? { ...state, id: 1 } : state);
  }

  override endQuery(): void {
    super.endQuery();
    this.isAsking = false;
    for (let i = 0; i < this.marks.length; i++) this.marks[i] = this.ids[4 * i]! | this.ids[4 * i + 2]!;
    this.pictures.push({ depth: this.depth.slice(), passed: this.marks.slice() });
  }
}

/** Near is bright, nothing is empty; what passed has a colour of its own. */
function paint({ depth, passed }: Recorder['pictures'][number], hit: THREE.Color): ImageData {
  const image = new ImageData(SIZE, SIZE);
  const drawn = depth.filter((z) => z < 1);
  const [near, far] = [drawn.reduce((a, z) => Math.min(a, z), 1), drawn.reduce((a, z) => Math.max(a, z), 0)];
  const tint = [hit.r, hit.g, hit.b].map((x) => 255 * Math.sqrt(x));
  for (let i = 0; i < depth.length; i++) {
    // Rows go up in the window, and down in an image.
    const at = 4 * ((SIZE - 1 - Math.floor(i / SIZE)) * SIZE + (i % SIZE));
    const grey = depth[i]! < 1 ? 235 - (150 * (depth[i]! - near)) / Math.max(far - near, 1e-6) : 0;
    for (let k = 0; k < 3; k++) image.data[at + k] = passed[i] ? tint[k]! : grey;
    image.data[at + 3] = passed[i] || grey ? 255 : 20;
  }
  return image;
}

interface Thing extends ImageBody {
  readonly object: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  readonly body: { readonly shape: ReturnType<typeof mesh>; readonly pose: THREE.Object3D };
  readonly model: RasterModel;
}

function makeThing(form: Form, colour: THREE.Color, size = 1): Thing {
  const geometry = FORMS[form]().scale(size, size, size);
  const positions = geometry.attributes['position']!.array as Float32Array;
  const index = geometry.index?.array;
  const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.6 });
  const object = new THREE.Mesh(geometry, material);
  const model = rasterModel({ positions, index });
  return { object, model, pose: object, body: { shape: mesh(positions, index), pose: object } };
}

export const imageSpace: Scene = {
  id: 'image-space',
  group: 'Shapes',
  title: 'Image space',
  blurb:
    'Pixels as rays: one solid is drawn into the depth buffer, the other asked for what is behind it. Pictures: depth, near is bright, and in colour the pixels that pass a query. What is thinner than a pixel may be missed.',
  source: 'RTCD §10.2 – §10.4',
  hint: 'Drag a shape; hold Shift, or choose Turn, to turn it.',
  start(stage, panel) {
    const gpu: Rasterizer = makeRasterizer({ size: SIZE });
    const names: [Form, Form] = ['ball', 'box'];
    let test: Test = TESTS[0];
    let things: Thing[] = [];
    let asked = 0;

    const pose = (thing: Thing, i: number): void => {
      thing.object.position.set(i === 0 ? -0.6 : 0.55, i === 0 ? 0.2 : -0.2, 0);
      thing.object.rotation.set(0.4 * i, 0.5, 0.3 - i);
    };
    // The same swarm every time: a small generator of our own.
    let seed = 0;
    const next = (reach: number): number => {
      seed = (seed * 16807) % 2147483647;
      return reach * ((2 * seed) / 2147483647 - 1);
    };
    const scatter = (thing: Thing): void => {
      thing.object.position.set(next(2), next(1.6), next(2));
      thing.object.rotation.set(next(3), next(3), next(3));
    };
    const put = (): void => {
      for (const { object } of things) stage.remove(object);
      const isFilter = test === 'filter of 40';
      seed = 4711;
      things = isFilter
        ? Array.from({ length: 40 }, (_, i) =>
            makeThing(NAMES[i % NAMES.length]!, stage.colour('first'), 0.36),
          )
        : names.map((name, i) => makeThing(name, stage.colour(i === 0 ? 'first' : 'second')));
      things.forEach(isFilter ? scatter : pose);
      for (const { object } of things) stage.addDraggable(object);
    };
    const restart = (): void => {
      put();
      stage.onChange();
    };
    panel.choice('test', TESTS, test, (value) => {
      test = value;
      restart();
    });
    for (const i of [0, 1] as const)
      panel.choice(i === 0 ? 'first' : 'second', NAMES, names[i], (name) => {
        names[i] = name;
        restart();
      });
    stage.onLeave = () => {
      asked++;
      gpu.dispose();
    };
    put();

    const askPair = async (mine: number): Promise<void> => {
      const [a, b] = things as [Thing, Thing];
      const recorder = new Recorder();
      const ask = (raster: Rasterizer) =>
        test === 'convex: two queries'
          ? intersectsConvexImage(raster, a, b)
          : intersectsSolidImage(raster, a, b, { method: test === 'solids: edges' ? 'edges' : 'layers' });
      const [onGpu, software] = await Promise.all([ask(gpu), ask(recorder)]);
      if (mine !== asked) return;
      const exact = intersects(a.body, b.body);
      panel.show(gpu.lane, onGpu.intersects, onGpu.intersects ? 'hit' : 'good');
      panel.show('software', software.intersects, software.intersects ? 'hit' : 'good');
      panel.show('exactly', exact, exact ? 'hit' : 'good');
      panel.show('certainty', onGpu.certainty);
      panel.show('a pixel', onGpu.pixel);
      panel.show('queries', recorder.pictures.length);
      const tint = stage.colour('hit');
      panel.pictures(
        recorder.pictures.slice(0, 6).map((picture, i) => ({
          name: `query ${i + 1}: ${picture.passed.reduce((sum, x) => sum + x, 0)} pixels`,
          image: paint(picture, tint),
        })),
      );
    };

    const askFilter = async (mine: number): Promise<void> => {
      const [onGpu, software] = await Promise.all([
        filterCollisions(gpu, things),
        filterCollisions(new SoftwareRasterizer({ size: SIZE }), things),
      ]);
      if (mine !== asked) return;
      const kept = new Set(onGpu.objects);
      const meeting = new Set<number>();
      things.forEach((a, i) => {
        things.forEach((b, j) => {
          if (i < j && intersects(a.body, b.body)) meeting.add(i).add(j);
        });
      });
      things.forEach(({ object }, i) => {
        object.material.color.copy(stage.colour(meeting.has(i) ? 'hit' : kept.has(i) ? 'second' : 'grid'));
      });
      panel.show('lane', gpu.lane);
      panel.show('objects', things.length);
      panel.show('kept', kept.size);
      panel.show('that meet, exactly', meeting.size, 'hit');
      panel.show('of them dropped', [...meeting].filter((i) => !kept.has(i)).length, 'good');
      panel.show('software keeps the same', String(onGpu.objects) === String(software.objects));
      panel.show('certainty', onGpu.certainty);
      panel.notes(onGpu.rounds.map(told));
      stage.invalidate();
    };

    return {
      update() {
        asked++;
        const run = test === 'filter of 40' ? askFilter : askPair;
        run(asked).catch((error: unknown) => panel.notes([String(error)]));
      },
      state: () => ({
        test,
        bodies: things.map(({ object: { position: p, quaternion: q, geometry } }) => ({
          positions: Array.from(geometry.attributes['position']!.array),
          index: geometry.index ? Array.from(geometry.index.array) : null,
          pose: {
            position: { x: p.x, y: p.y, z: p.z },
            quaternion: { x: q.x, y: q.y, z: q.z, w: q.w },
          },
        })),
      }),
    };
  },
};

const told = ({ stage, axis, tested, kept, queries }: CollisionFilterResult['rounds'][number]): string =>
  `${stage} along ${axis}: ${tested} → ${kept}, ${queries} queries`;
