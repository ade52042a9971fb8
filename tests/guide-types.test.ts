/** Examples of guides that need a page or a file to run: the compiler takes them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What the examples of a guide take for granted. */
const GIVEN: Record<string, string> = {
  'docs/react.md': 'declare const keys: { right: boolean }; declare const Level: () => null;',
  'docs/gltf.md': `
    import type { Character, ReadonlyRay, World } from 'graze';
    import type { Camera, Scene, WebGLRenderer } from 'three';
    declare const world: World; declare const hero: Character; declare const ray: ReadonlyRay;
    declare const scene: Scene; declare const camera: Camera; declare const renderer: WebGLRenderer;`,
};

/** Writes the examples as modules, and returns their names. */
function modulesOf(guide: string): string[] {
  const folder = `${root}.cache/example-types/`;
  mkdirSync(folder, { recursive: true });
  const blocks = readFileSync(`${root}${guide}`, 'utf8').matchAll(/```(tsx?)\n([\s\S]*?)```/g);
  return [...blocks].map(([, kind, code], i) => {
    const file = `${folder}${guide.replace(/\W/g, '-')}-${i}.${kind}`;
    writeFileSync(file, `${code}\n${GIVEN[guide]}\n`); // after the code: lines of errors are those of the example
    return file;
  });
}

test('docs/react.md, docs/gltf.md: every example has the types of the library', () => {
  const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = Object.keys(GIVEN).flatMap(modulesOf);
  expect(files).toHaveLength(4);
  const program = ts.createProgram(files, { ...options, noUnusedLocals: false });
  const errors = files.flatMap((file) => {
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ start, messageText }) =>
        `${file.slice(root.length)}:${source.getLineAndCharacterOfPosition(start ?? 0).line + 1}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
  expect(errors).toEqual([]);
}, 120_000);
