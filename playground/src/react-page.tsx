/** graze in react-three-fiber: crates to pick, a character that walks by keys, a cart, and a gate that notices it. */
import { Canvas, type ThreeEvent, useFrame } from '@react-three/fiber';
import { box } from 'graze';
import { Accelerate, GrazeWorld, useCharacter, useCollider, useWorld } from 'graze/react';
import type { ObjectCollider } from 'graze/three';
import { Fragment, type ReactNode, StrictMode, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { type Mesh, Quaternion, Vector3 } from 'three';
import { type Block, CAMERA, CRATES, HERO, WALLS } from './react-room.ts';

/** What the pointer is on: as three.js's ray tells, and as the world of graze does. */
interface Picked {
  readonly name: string;
  readonly distance: number;
  readonly inWorld: { readonly name: string; readonly distance: number };
  readonly point: Vector3;
  readonly normal: Vector3;
}

const keys = new Set<string>();
const pressed = (...codes: string[]): number => (codes.some((code) => keys.has(code)) ? 1 : 0);
addEventListener('keydown', (event) => {
  if (event.code.startsWith('Arrow') || event.code === 'Space') event.preventDefault();
  keys.add(event.code);
});
addEventListener('keyup', (event) => keys.delete(event.code));
addEventListener('blur', () => keys.clear());

function Box({ block: { name, at, size, turn = 0 }, colour }: { block: Block; colour: string }): ReactNode {
  return (
    <mesh name={name} position={at} rotation-y={turn} castShadow receiveShadow>
      <boxGeometry args={size} />
      <meshStandardMaterial color={colour} />
    </mesh>
  );
}

/** Pointer events of three.js, on graze's trees; and the same ray in the world. */
function Room({ picked, onPick }: { picked: string; onPick: (picked: Picked | null) => void }): ReactNode {
  const world = useWorld();
  const pick = (event: ThreeEvent<PointerEvent>): void => {
    event.stopPropagation();
    const { object, distance, point, ray } = event;
    const hit = world.raycast(ray);
    if (hit === null) return;
    const { name } = (world.get(hit.id).data as ObjectCollider).object;
    const { x, y, z } = hit.normal;
    onPick({
      name: object.name,
      distance,
      inWorld: { name, distance: hit.t },
      point: point.clone(),
      normal: new Vector3(x, y, z),
    });
  };
  return (
    <Accelerate firstHitOnly>
      <group onPointerMove={pick} onPointerDown={pick} onPointerOut={() => onPick(null)}>
        {WALLS.map((block) => (
          <Box key={block.name} block={block} colour="#64748b" />
        ))}
        {CRATES.map((block) => (
          <Box key={block.name} block={block} colour={block.name === picked ? '#f43f5e' : '#b7803f'} />
        ))}
        <Cart />
      </group>
    </Accelerate>
  );
}

/** A collider because it is a mesh in a `GrazeWorld`. It carries who stands on it. */
function Cart(): ReactNode {
  const ref = useRef<Mesh>(null);
  useFrame(({ clock }) => ref.current?.position.setX(3 * Math.sin(clock.elapsedTime / 2)));
  return (
    <mesh ref={ref} name="cart" position={[0, 0.13, 2.6]} castShadow receiveShadow>
      <boxGeometry args={[1.6, 0.2, 1]} />
      <meshStandardMaterial color="#34d399" />
    </mesh>
  );
}

const gateShape = box(0.4, 0.7, 0.7);

/** A collider of its own, which stops nothing. */
function Gate({ isOpen, setOpen }: { isOpen: boolean; setOpen: (isOpen: boolean) => void }): ReactNode {
  const ref = useRef<Mesh>(null);
  useCollider(ref, gateShape, {
    sensor: true,
    onEnter: () => setOpen(true),
    onLeave: () => setOpen(false),
  });
  return (
    <mesh ref={ref} position={[-2, 0.75, 2.6]}>
      <boxGeometry args={[0.8, 1.4, 1.4]} />
      <meshStandardMaterial color={isOpen ? '#34d399' : '#38bdf8'} transparent opacity={0.35} />
    </mesh>
  );
}

function Hero({ onMove }: { onMove: (feet: string, standing: boolean) => void }): ReactNode {
  const ref = useRef<Mesh>(null);
  const { at, radius, halfHeight } = HERO;
  const hero = useCharacter(ref, { radius, halfHeight }, ({ velocity, onFloor }, dt) => {
    velocity.y = onFloor && pressed('Space') ? 5 : velocity.y - 12 * dt;
    velocity.x = 3 * (pressed('KeyD', 'ArrowRight') - pressed('KeyA', 'ArrowLeft'));
    velocity.z = 3 * (pressed('KeyS', 'ArrowDown') - pressed('KeyW', 'ArrowUp'));
  });
  useFrame(() => {
    const { x, y, z } = hero.position;
    if (y < -5) hero.teleport({ x: at[0], y: at[1], z: at[2] }); // off the open side of the room
    onMove([x, y - radius - halfHeight, z].map((n) => n.toFixed(2)).join(', '), hero.onFloor);
  });
  return (
    <mesh ref={ref} position={at} castShadow>
      <capsuleGeometry args={[radius, 2 * halfHeight, 8, 24]} />
      <meshStandardMaterial color="#38bdf8" />
    </mesh>
  );
}

const UP = new Vector3(0, 1, 0);

/** A pin in what was hit, along the normal. Outside of the world: nothing collides with it. */
function Pin({ picked: { point, normal } }: { picked: Picked }): ReactNode {
  const turn = new Quaternion().setFromUnitVectors(UP, normal);
  return (
    <group position={point} quaternion={turn}>
      <mesh position-y={0.25}>
        <cylinderGeometry args={[0.02, 0.02, 0.5]} />
        <meshBasicMaterial color="#fde047" />
      </mesh>
      <mesh>
        <sphereGeometry args={[0.07]} />
        <meshBasicMaterial color="#fde047" />
      </mesh>
    </group>
  );
}

const withDistance = ({ name, distance }: { name: string; distance: number }): string =>
  `${name}, ${distance.toFixed(3)}`;

function App(): ReactNode {
  const [picked, setPicked] = useState<Picked | null>(null);
  const [feet, setFeet] = useState('');
  const [standing, setStanding] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const facts = {
    'pointer event': picked ? withDistance(picked) : 'nothing',
    'world.raycast': picked ? withDistance(picked.inWorld) : 'nothing',
    feet,
    stands: standing ? 'on the floor' : 'no',
    gate: isOpen ? 'the cart is in it' : 'empty',
  };
  return (
    <>
      <aside id="side">
        <header>
          <h1>graze/react</h1>
        </header>
        <section id="panel">
          <p>Point at a crate. Walk by the arrow keys or WASD, jump by the space bar, ride on the cart.</p>
          <dl>
            {Object.entries(facts).map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd data-name={name}>{value}</dd>
              </Fragment>
            ))}
          </dl>
        </section>
        <footer>
          <a href="./index.html">All scenes</a>
        </footer>
      </aside>
      <main>
        <Canvas shadows="percentage" camera={CAMERA} gl={{ preserveDrawingBuffer: true }}>
          <hemisphereLight intensity={1.2} />
          <directionalLight position={[3, 8, 5]} intensity={2} castShadow shadow-mapSize={1024}>
            <orthographicCamera attach="shadow-camera" args={[-8, 8, 8, -8, 0.1, 25]} />
          </directionalLight>
          <GrazeWorld>
            <Room picked={picked?.name ?? ''} onPick={setPicked} />
            <Gate isOpen={isOpen} setOpen={setOpen} />
            <Hero
              onMove={(place, onFloor) => {
                setFeet(place);
                setStanding(onFloor);
              }}
            />
          </GrazeWorld>
          {picked && <Pin picked={picked} />}
        </Canvas>
      </main>
    </>
  );
}

document.documentElement.dataset['theme'] =
  localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
