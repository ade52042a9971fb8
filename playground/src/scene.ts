import type { Panel } from './panel.ts';
import type { Stage } from './stage.ts';

/** The inputs of what a scene shows, as plain data. */
export type SceneState = Record<string, unknown>;

export interface Scene {
  /** Its address: `#id`. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly blurb: string;
  /** Where the maths comes from. */
  readonly source: string;
  readonly hint: string;
  /** Builds the scene; `update` runs at once and after each drag. */
  start(stage: Stage, panel: Panel): { update: () => void; state: () => SceneState };
}
