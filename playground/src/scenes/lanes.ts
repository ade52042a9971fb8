import { mesh as buildMesh, type Mesh } from 'graze';
import type { RayHits } from 'graze/query';
import * as THREE from 'three';
import { Thing } from '../geometries.ts';
import { hashOf, picture, WAYS, type Way } from '../lanes.ts';
import { dragon } from '../models.ts';
import type { Scene } from '../scene.ts';

/** Where the model stands, below its picture: what is to the right is behind the card. */
const MODEL = new THREE.Vector3(-0.45, -0.95, 0);

export const lanes: Scene = {
  id: 'lanes',
  group: 'Meshes',
  title: 'A million rays, every lane',
  blurb:
    'The dragon, seen by a million rays. The lane changes what they cost, and not a bit of what they hit: the number that is made of all answers stays the same.',
  source: 'RTCD §13.7',
  hint: 'Choose a lane, and drag the eye.',
  start(stage, panel) {
    let side = 1000;
    let lane = 'pure';
    let way: Way | null = null;
    let mesh: Mesh | null = null;
    let asked = 0;
    /** The rate of each lane that has run. */
    const rates = new Map<string, number>();
    const eye = new Thing('point', stage.colour('first')).at(-0.4, -0.1, 2.6);
    const screen = new THREE.Mesh(
      new THREE.PlaneGeometry(2.5, 2.5),
      new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }),
    );
    screen.position.set(MODEL.x, 1.15, 0);
    const model = new THREE.Group();
    stage.content.add(screen, model);
    stage.addDraggable(eye.object);
    stage.lookFrom(0.6, 0.9, 6.6);
    stage.onLeave = () => {
      asked++;
      way?.close();
      screen.material.map?.dispose();
    };
    panel.choice('lane', Object.keys(WAYS), lane, (name) => {
      lane = name;
      way?.close();
      way = null;
      stage.onChange();
    });
    panel.slider('rays a side', [100, 1000, 100], side, (value) => {
      side = value;
      rates.clear();
      stage.onChange();
    });

    void dragon().then((geometry) => {
      const positions = geometry.getAttribute('position').array;
      mesh = buildMesh(positions, geometry.index!.array, {
        shared: typeof SharedArrayBuffer !== 'undefined',
      });
      geometry.computeVertexNormals();
      const material = new THREE.MeshStandardMaterial({ color: stage.colour('second'), roughness: 0.75 });
      model.add(new THREE.Mesh(geometry, material));
      model.position.copy(MODEL);
      stage.onChange();
    });

    /** The picture that the rays make: bright where the surface faces the eye. */
    const draw = ({ t, normal }: RayHits, rays: ReturnType<typeof picture>): void => {
      const { array, stride } = rays.directions;
      const pixels = new Uint8Array(4 * t.length);
      for (let i = 0; i < t.length; i++) {
        const at = i * stride + 3;
        const [dx, dy, dz] = [array[at]!, array[at + 1]!, array[at + 2]!];
        const facing =
          -(normal[3 * i]! * dx + normal[3 * i + 1]! * dy + normal[3 * i + 2]! * dz) /
          Math.sqrt(dx * dx + dy * dy + dz * dz);
        const shade = t[i] === Infinity ? 22 : 40 + 200 * facing;
        pixels[4 * i] = shade;
        pixels[4 * i + 1] = t[i] === Infinity ? shade : 0.92 * shade;
        pixels[4 * i + 2] = t[i] === Infinity ? shade : 0.75 * shade;
        pixels[4 * i + 3] = 255;
      }
      const texture = new THREE.DataTexture(pixels, side, side);
      texture.colorSpace = THREE.SRGBColorSpace;
      texture.needsUpdate = true;
      screen.material.map?.dispose();
      screen.material.map = texture;
      screen.material.needsUpdate = true;
    };

    const eyeOf = () => {
      const { x, y, z } = eye.object.position;
      return { x: x - MODEL.x, y: y - MODEL.y, z: z - MODEL.z }; // the mesh is about the origin
    };

    const ask = async (turn: number): Promise<void> => {
      const subject = mesh!;
      const rays = picture(eyeOf(), side);
      way ??= WAYS[lane]!();
      const chosen = lane;
      panel.show('asking', `${rays.count} rays`);
      await new Promise((done) => setTimeout(done, 30)); // what is shown above is seen
      if (turn !== asked) return;
      const start = performance.now();
      const { hits, took } = await way.ask(rays, subject);
      const milliseconds = performance.now() - start;
      if (turn !== asked) return;
      rates.set(chosen, Math.round(rays.count / milliseconds / 10) / 100);
      draw(hits, rays);
      panel.clear();
      panel.show('lane', took);
      panel.show('triangles', subject.triangleCount);
      panel.show('rays', rays.count);
      panel.show(
        'hits',
        hits.triangle.reduce((sum, id) => sum + (id >= 0 ? 1 : 0), 0),
      );
      panel.show('all answers', hashOf(hits));
      for (const [name, rate] of rates) panel.show(`${name}: M rays/s`, rate);
      stage.invalidate();
    };

    return {
      update() {
        if (!mesh) {
          panel.show('asking', 'the dragon is on its way');
          return;
        }
        ask(++asked).catch((error: Error) => {
          if (way !== null) panel.show('asking', error.message);
        });
      },
      state: () => ({ eye: eyeOf(), side }),
    };
  },
};
