/** The loop of rays through a mesh (src/trimesh/ray.ts) with branches in the place of its masks, to compare with. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type * as trimesh from '../../src/trimesh/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each child of a node is asked, and where the walk goes on: by masks, and the same by branches. */
const MASKS: readonly (readonly [string, string])[] = [
  [
    'const hitA = +(enterA <= leaveA) & +(enterA <= best4) & +(leaveA >= 0);',
    'const hitA = enterA <= leaveA && enterA <= best4 && leaveA >= 0;',
  ],
  [
    'const hitB = +(enterB <= leaveB) & +(enterB <= best4) & +(leaveB >= 0);',
    'const hitB = enterB <= leaveB && enterB <= best4 && leaveB >= 0;',
  ],
  [
    `const swap = (first ^ second) & -hitA & (-(enterA <= enterB) | (hitB - 1));
      pendingFrom[top] = enterA + enterB + Math.abs(enterA - enterB);
      pending[top] = first ^ swap;
      top += hitA & hitB;
      if (hitA | hitB) {
        link = second ^ swap;
        continue;
      }`,
    `if (hitA && hitB) {
        pendingFrom[top] = enterA + enterB + Math.abs(enterA - enterB);
        if (enterA <= enterB) {
          pending[top] = second;
          link = first;
        } else {
          pending[top] = first;
          link = second;
        }
        top++;
        continue;
      }
      if (hitA) {
        link = first;
        continue;
      }
      if (hitB) {
        link = second;
        continue;
      }`,
  ],
];

/** Sums and differences in the place of `Math.min` and `Math.max`, four terms at a time. */
const MINIMA: readonly (readonly [string, string])[] = ['a', 'b'].flatMap((x) => [
  [
    `const ${x}6 = ${x}0 + ${x}1 + Math.abs(${x}0 - ${x}1);`,
    `const ${x}6 = 2 * Math.max(${x}0, ${x}1);`,
  ] as const,
  [
    `const ${x}7 = ${x}3 + ${x}4 - Math.abs(${x}3 - ${x}4);`,
    `const ${x}7 = 2 * Math.min(${x}3, ${x}4);`,
  ] as const,
]);
const LEAVES: readonly (readonly [string, string])[] = ['a', 'b'].flatMap((x) => {
  const X = x.toUpperCase();
  return [
    [
      `const enter${X} = ${x}6 + ${x}2 + Math.abs(${x}6 - ${x}2);`,
      `const enter${X} = 2 * Math.max(${x}6, ${x}2);`,
    ] as const,
    [
      `const leave${X} = ${x}7 + ${x}5 - Math.abs(${x}7 - ${x}5);`,
      `const leave${X} = 2 * Math.min(${x}7, ${x}5);`,
    ] as const,
  ];
});

export type Branches = 'none' | 'masks' | 'all';

/** The room as a program of its own: as it stands, with branches for its masks, or for masks and minima. */
export async function trimeshWith(branches: Branches): Promise<typeof trimesh> {
  const changes = branches === 'none' ? [] : branches === 'masks' ? MASKS : [...MASKS, ...MINIMA, ...LEAVES];
  const { outputFiles } = await build({
    entryPoints: [`${root}/src/trimesh/index.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
    plugins: [
      {
        name: 'branches',
        setup: ({ onLoad }) => {
          onLoad({ filter: /src\/trimesh\/ray\.ts$/ }, ({ path }) => {
            const text = readFileSync(path, 'utf8');
            const contents = changes.reduce((now, [from, to]) => {
              if (now.split(from).length !== 2) throw new Error(`not once in ${path}: ${from}`);
              return now.replace(from, to);
            }, text);
            return { contents, loader: 'ts' };
          });
        },
      },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), 'graze-branches-'));
  try {
    const file = join(folder, `${branches}.mjs`);
    writeFileSync(file, outputFiles[0]!.text);
    return await import(/* @vite-ignore */ file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
