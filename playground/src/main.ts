/** The playground: a list of scenes on the left, the view, and a card with choices and numbers. */
import { Panel } from './panel.ts';
import type { Scene, SceneState } from './scene.ts';
import { SCENES } from './scenes/index.ts';
import { type DragMode, Stage } from './stage.ts';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

const stage = new Stage(element<HTMLCanvasElement>('view'));
const panel = new Panel(element('panel'));
let current: Scene = SCENES[0] as Scene;
let state: () => SceneState = () => ({});

function open(scene: Scene): void {
  current = scene;
  stage.clear();
  stage.lookFrom();
  panel.open(scene.title, scene.blurb, scene.source);
  element('hint').textContent = scene.hint;
  const running = scene.start(stage, panel);
  state = running.state;
  stage.onChange = () => {
    panel.clear();
    running.update();
    stage.invalidate();
  };
  stage.onChange();
  for (const link of document.querySelectorAll('nav a'))
    link.toggleAttribute('aria-current', link.getAttribute('href') === `#${scene.id}`);
  document.title = `${scene.title} · graze playground`;
}

function listScenes(): void {
  const nav = element('scenes');
  let group = '';
  for (const scene of SCENES) {
    if (scene.group !== group) {
      group = scene.group;
      const heading = document.createElement('h2');
      heading.textContent = group;
      nav.append(heading);
    }
    const link = document.createElement('a');
    link.href = `#${scene.id}`;
    link.textContent = scene.title;
    nav.append(link);
  }
}

function dragModes(): void {
  const buttons: HTMLButtonElement[] = [];
  for (const mode of ['move', 'turn'] satisfies DragMode[]) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = mode === 'move' ? 'Move' : 'Turn';
    button.addEventListener('click', () => {
      stage.mode = mode;
      for (const b of buttons) b.ariaPressed = String(b === button);
    });
    button.ariaPressed = String(mode === stage.mode);
    buttons.push(button);
  }
  element('mode').append(...buttons);
}

function theme(): void {
  const wanted =
    localStorage.getItem('theme') ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  document.documentElement.dataset['theme'] = wanted;
  element('theme').addEventListener('click', () => {
    const next = document.documentElement.dataset['theme'] === 'light' ? 'dark' : 'light';
    document.documentElement.dataset['theme'] = next;
    localStorage.setItem('theme', next);
    stage.themeChanged();
    open(current);
  });
  stage.themeChanged();
}

const byHash = (): Scene => SCENES.find((scene) => `#${scene.id}` === location.hash) ?? (SCENES[0] as Scene);

listScenes();
dragModes();
theme();
addEventListener('hashchange', () => open(byHash()));
open(byHash());

declare global {
  interface Window {
    /** What is on show, for the browser test. */
    playground: {
      state: () => SceneState;
      values: Panel['values'];
      project: (p: { x: number; y: number; z: number }) => [number, number];
    };
  }
}
window.playground = { state: () => state(), values: panel.values, project: (p) => stage.project(p) };
