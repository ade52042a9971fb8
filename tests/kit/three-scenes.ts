/** Random scenes of three.js with everything that an adapter may trip over: layouts of attributes, transforms, instances, groups … */
import type * as THREE from 'three';
import type { Rng } from './rng.ts';

type Three = typeof THREE;

/** Makes scenes with one copy of three.js: the newest, or the oldest that is supported. */
export class SceneMaker {
  private readonly three: Three;
  private readonly rng: Rng;

  constructor(three: Three, rng: Rng) {
    this.three = three;
    this.rng = rng;
  }

  /** Some objects, nested, all of them turned, scaled and mirrored. */
  scene(count = this.rng.int(1, 6)): THREE.Scene {
    const { three, rng } = this;
    const scene = new three.Scene();
    const parents: THREE.Object3D[] = [scene];
    for (let i = 0; i < count; i++) {
      const object = this.object();
      rng.pick(parents).add(object);
      parents.push(object);
    }
    scene.updateMatrixWorld(true);
    return scene;
  }

  object(): THREE.Object3D {
    const { three, rng } = this;
    const kind = rng.unit();
    const object =
      kind < 0.1
        ? new three.Group()
        : kind < 0.55
          ? this.mesh()
          : kind < 0.8
            ? this.instanced()
            : kind < 0.88
              ? this.batched()
              : kind < 0.95
                ? this.skinned()
                : new three.Points(this.geometry());
    this.place(object);
    if (rng.chance(0.2)) object.layers.set(rng.int(0, 2));
    return object;
  }

  /** Somewhere, turned, scaled, mirrored; now and then by a matrix that also shears. */
  place(object: THREE.Object3D): void {
    const { three, rng } = this;
    const { x, y, z } = rng.vec(3);
    object.position.set(x, y, z);
    object.quaternion.copy(this.quaternion());
    const scale = () => (rng.chance(0.4) ? 1 : rng.range(0.3, 2.5)) * (rng.chance(0.15) ? -1 : 1);
    const even = scale();
    if (rng.chance(0.3)) object.scale.set(even, even, even);
    else object.scale.set(scale(), scale(), scale());
    if (!rng.chance(0.1)) return;
    object.updateMatrix();
    object.matrixAutoUpdate = false;
    object.matrix.multiply(new three.Matrix4().makeShear(0, rng.range(-1, 1), 0, 0, rng.range(-1, 1), 0));
  }

  private quaternion(): THREE.Quaternion {
    const { three, rng } = this;
    const h = Math.SQRT1_2;
    if (rng.chance(0.3))
      return new three.Quaternion(
        ...rng.pick([
          [0, 0, 0, 1],
          [h, 0, 0, h],
          [0, 1, 0, 0],
        ] as const),
      );
    return new three.Quaternion(rng.gauss(), rng.gauss(), rng.gauss(), rng.gauss()).normalize();
  }

  side(): THREE.Side {
    return this.rng.pick([this.three.FrontSide, this.three.BackSide, this.three.DoubleSide]);
  }

  /** One material, or a list of them where the geometry has groups. */
  private materialFor({ groups }: THREE.BufferGeometry): THREE.Material | THREE.Material[] {
    const { three, rng } = this;
    const make = () => new three.MeshBasicMaterial({ side: this.side() });
    if (groups.length === 0 || rng.chance(0.3)) return make();
    if (rng.chance(0.4)) {
      const one = make();
      return [one, one, one];
    }
    return [make(), make(), make()];
  }

  mesh(): THREE.Mesh {
    const { three, rng } = this;
    const geometry = this.geometry(true);
    const mesh = new three.Mesh(geometry, this.materialFor(geometry));
    if (mesh.morphTargetInfluences && rng.chance(0.8))
      mesh.morphTargetInfluences = mesh.morphTargetInfluences.map(() => (rng.chance(0.3) ? 0 : rng.unit()));
    return mesh;
  }

  /** Bones anywhere below it, or beside it; its weights sum to 1, exactly. */
  skinned(): THREE.SkinnedMesh {
    const { three, rng } = this;
    const geometry = this.geometry(true);
    // What reads beyond the end of its arrays has no bones there.
    if (geometry.drawRange.start % 3 > 0 || geometry.drawRange.count % 3 > 0)
      geometry.setDrawRange(0, Infinity);
    if (geometry.groups.some(({ start, count }) => start % 3 > 0 || count % 3 > 0)) geometry.clearGroups();
    const bones = Array.from({ length: rng.int(1, 4) }, () => new three.Bone());
    this.addSkin(geometry, bones.length);
    const mesh = new three.SkinnedMesh(geometry, this.materialFor(geometry));
    if (mesh.morphTargetInfluences)
      mesh.morphTargetInfluences = mesh.morphTargetInfluences.map(() => (rng.chance(0.3) ? 0 : rng.unit()));
    bones.forEach((bone, i) => {
      (i > 0 && rng.chance(0.7) ? bones[i - 1]! : mesh).add(bone);
    });
    this.place(mesh);
    mesh.updateMatrixWorld(true);
    if (rng.chance(0.3)) mesh.bindMode = three.DetachedBindMode;
    mesh.bind(new three.Skeleton(bones), rng.chance(0.3) ? new three.Matrix4() : undefined);
    this.moveBones(mesh);
    return mesh;
  }

  moveBones({ skeleton }: THREE.SkinnedMesh): void {
    const { rng } = this;
    for (const bone of skeleton.bones) {
      if (rng.chance(0.3)) continue;
      const { x, y, z } = rng.vec(0.5);
      bone.position.set(x, y, z);
      bone.quaternion.copy(this.quaternion());
      if (rng.chance(0.3)) bone.scale.set(rng.range(0.5, 2), rng.range(0.5, 2), rng.range(0.5, 2));
    }
  }

  addSkin(geometry: THREE.BufferGeometry, bones: number): void {
    const { three, rng } = this;
    const { count } = geometry.getAttribute('position');
    const joints = Array.from({ length: 4 * count }, () => rng.int(0, bones - 1));
    const weights = Array.from({ length: count }, () => {
      const cuts = [0, rng.int(0, 8), rng.int(0, 8), rng.int(0, 8), 8].sort((a, b) => a - b);
      return [0, 1, 2, 3].map((k) => (cuts[k + 1]! - cuts[k]!) / 8);
    }).flat();
    geometry.setAttribute('skinIndex', new three.Uint16BufferAttribute(joints, 4));
    geometry.setAttribute('skinWeight', new three.Float32BufferAttribute(weights, 4));
  }

  instanced(count = this.rng.int(0, 12)): THREE.InstancedMesh {
    const { three, rng } = this;
    const geometry = this.geometry();
    const mesh = new three.InstancedMesh(geometry, this.materialFor(geometry), count);
    for (let i = 0; i < count; i++) mesh.setMatrixAt(i, this.matrix());
    if (count > 0 && rng.chance(0.1)) mesh.count = rng.int(0, count);
    return mesh;
  }

  /** Of one that is placed; now and then with a scale of 0, as instances are hidden. */
  matrix(): THREE.Matrix4 {
    const helper = new this.three.Object3D();
    this.place(helper);
    if (this.rng.chance(0.05)) helper.scale.set(0, 0, 0);
    if (helper.matrixAutoUpdate) helper.updateMatrix();
    return helper.matrix;
  }

  batched(): THREE.BatchedMesh {
    const { three, rng } = this;
    const material = new three.MeshBasicMaterial({ side: this.side() });
    const isIndexed = rng.chance(0.7);
    const batch = new three.BatchedMesh(16, 6000, 12000, material);
    const ids = Array.from({ length: rng.int(1, 3) }, () => {
      const shape = this.shape();
      return batch.addGeometry(isIndexed ? shape : shape.toNonIndexed());
    });
    for (let i = rng.int(0, 10); i > 0; i--) {
      const id = batch.addInstance(rng.pick(ids));
      batch.setMatrixAt(id, this.matrix());
      if (rng.chance(0.15)) batch.setVisibleAt(id, false);
      else if (rng.chance(0.1)) batch.deleteInstance(id);
    }
    return batch;
  }

  /** One of the geometries of three.js, small, with an index, positions, normals and coordinates of textures. */
  shape(): THREE.BufferGeometry {
    const { three, rng } = this;
    switch (rng.int(0, 6)) {
      case 0:
        return new three.BoxGeometry(1, 2, 1.5, rng.int(1, 3), 1, 2);
      case 1:
        return new three.SphereGeometry(1, rng.int(4, 12), rng.int(3, 8));
      case 2:
        return new three.TorusKnotGeometry(0.8, 0.3, rng.int(8, 24), 5);
      case 3:
        return new three.PlaneGeometry(2, 2, rng.int(1, 4), rng.int(1, 4));
      case 4:
        return new three.ConeGeometry(1, 2, rng.int(3, 10));
      case 5:
        return new three.TorusGeometry(1, 0.4, 6, rng.int(5, 12));
      default:
        return new three.CylinderGeometry(0.7, 1, 2, rng.int(3, 10), 2, rng.chance(0.5));
    }
  }

  /** A shape in any layout: with groups, draw ranges and, if wanted, morph targets. */
  geometry(mayMorph = false): THREE.BufferGeometry {
    const { three, rng } = this;
    let geometry = this.shape();
    geometry.clearGroups();
    if (rng.chance(0.3)) geometry = geometry.toNonIndexed();
    if (rng.chance(0.2)) geometry.deleteAttribute('normal');
    if (rng.chance(0.2)) geometry.deleteAttribute('uv');
    else if (rng.chance(0.3)) geometry.setAttribute('uv1', geometry.getAttribute('uv').clone());
    const count = geometry.index ? geometry.index.count : geometry.getAttribute('position').count;
    if (rng.chance(0.4)) this.addGroups(geometry, count);
    if (rng.chance(0.25)) this.setDrawRange(geometry, count);
    if (mayMorph && rng.chance(0.3)) this.addMorphs(geometry);
    if (geometry.index && rng.chance(0.4))
      geometry.setIndex(new three.Uint32BufferAttribute([...geometry.index.array], 1));
    this.packAttributes(geometry);
    return geometry;
  }

  setDrawRange(geometry: THREE.BufferGeometry, count: number): void {
    const { rng } = this;
    const step = rng.chance(0.7) ? 3 : 1;
    const start = step * rng.int(0, Math.floor(count / step / 2));
    geometry.setDrawRange(start, rng.chance(0.3) ? Infinity : step * rng.int(0, Math.floor(count / step)));
  }

  /** Side by side, as a rule; or with gaps, overlapping, beginning anywhere, endless. */
  addGroups(geometry: THREE.BufferGeometry, count: number): void {
    const { rng } = this;
    const isTidy = rng.chance(0.6);
    const third = 3 * Math.floor(count / 9);
    if (isTidy) {
      geometry.addGroup(0, third, rng.int(0, 2));
      geometry.addGroup(third, third, rng.int(0, 2));
      geometry.addGroup(2 * third, rng.chance(0.5) ? Infinity : count - 2 * third, rng.int(0, 2));
    } else {
      const step = rng.chance(0.7) ? 3 : 1;
      for (let i = rng.int(1, 3); i > 0; i--)
        geometry.addGroup(
          step * rng.int(0, Math.floor(count / step)),
          rng.chance(0.2) ? Infinity : step * rng.int(0, Math.floor(count / step)),
          rng.int(0, 2),
        );
    }
  }

  private addMorphs(geometry: THREE.BufferGeometry): void {
    const { three, rng } = this;
    const position = geometry.getAttribute('position') as THREE.BufferAttribute;
    geometry.morphTargetsRelative = rng.chance(0.5);
    geometry.morphAttributes['position'] = Array.from({ length: rng.int(1, 3) }, () => {
      const values = Array.from(position.array, (x) =>
        geometry.morphTargetsRelative ? rng.range(-0.3, 0.3) : x * rng.range(0.7, 1.3),
      );
      return new three.Float32BufferAttribute(values, 3);
    });
  }

  /** Positions, normals and coordinates of textures in another layout than one list of floats each. */
  private packAttributes(geometry: THREE.BufferGeometry): void {
    const { three, rng } = this;
    const layout = rng.int(0, 7);
    const position = geometry.getAttribute('position') as THREE.BufferAttribute;
    const { count } = position;
    const values = Array.from(position.array);
    const largest = Math.max(...values.map(Math.abs));
    switch (layout) {
      case 0: {
        const buffer = new three.InterleavedBuffer(new Float32Array(5 * count), 5);
        for (let i = 0; i < count; i++) buffer.array.set(values.slice(3 * i, 3 * i + 3), 5 * i + 1);
        geometry.setAttribute('position', new three.InterleavedBufferAttribute(buffer, 3, 1));
        break;
      }
      case 1: {
        const quantised = Int16Array.from(values, (x) => Math.round((x / largest) * 32767));
        geometry.setAttribute('position', new three.BufferAttribute(quantised, 3, true));
        this.scaleMorphs(geometry, 1 / largest);
        break;
      }
      case 2: {
        const quantised = Int8Array.from(values, (x) => Math.round((x / largest) * 5));
        geometry.setAttribute('position', new three.BufferAttribute(quantised, 3));
        this.scaleMorphs(geometry, 5 / largest);
        break;
      }
      case 3: {
        const halves = new three.Float16BufferAttribute(new Uint16Array(3 * count), 3);
        for (let i = 0; i < count; i++)
          halves.setXYZ(i, values[3 * i]!, values[3 * i + 1]!, values[3 * i + 2]!);
        geometry.setAttribute('position', halves);
        break;
      }
      case 4: {
        // Four numbers a vertex, of 16 bits, normalised, with another attribute between them.
        const words = new Uint16Array(6 * count);
        for (let i = 0; i < 3 * count; i++)
          words[6 * Math.floor(i / 3) + (i % 3)] = Math.round((values[i]! / largest / 2 + 0.5) * 65535);
        const buffer = new three.InterleavedBuffer(words, 6);
        geometry.setAttribute('position', new three.InterleavedBufferAttribute(buffer, 3, 0, true));
        this.scaleMorphs(geometry, 1 / largest);
        break;
      }
      default:
    }
    const normal = geometry.getAttribute('normal') as THREE.BufferAttribute | undefined;
    if (normal && rng.chance(0.2))
      geometry.setAttribute(
        'normal',
        new three.BufferAttribute(
          Int8Array.from(normal.array, (x) => Math.round(127 * x)),
          3,
          true,
        ),
      );
    const uv = geometry.getAttribute('uv') as THREE.BufferAttribute | undefined;
    if (uv && rng.chance(0.2))
      geometry.setAttribute(
        'uv',
        new three.BufferAttribute(
          Uint16Array.from(uv.array, (x) => Math.round(65535 * x)),
          2,
          true,
        ),
      );
  }

  private scaleMorphs(geometry: THREE.BufferGeometry, factor: number): void {
    const { three } = this;
    const targets = geometry.morphAttributes['position'];
    if (!targets) return;
    geometry.morphAttributes['position'] = targets.map(
      ({ array }) =>
        new three.Float32BufferAttribute(
          Array.from(array, (x) => x * factor),
          3,
        ),
    );
  }
}
