// What a compiler does not say about src/: no function has more than six parameters, and no record is made that would
// have V8 box the numbers of others.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { root } from './setup.mjs';

const MOST_PARAMETERS = 6;
/** The corners of two figures, and `out`: a user has them as points. The list may only get shorter. */
const ALLOWED = {
  closestPointsTriangleTriangle: 7,
  intersectTriangleTriangle: 7,
  rayQuad: 7,
};

const problems = [];
const seen = new Set();
let files = 0;
for (const file of walk(join(root, 'src'))) {
  files++;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const report = (node, what) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    problems.push(`${relative(root, file).split(sep).join('/')}:${line + 1}: ${what}`);
  };
  visit(source);

  function visit(node) {
    if (ts.isFunctionLike(node) && node.body) checkParameters(node);
    if (ts.isObjectLiteralExpression(node)) checkRecord(node);
    ts.forEachChild(node, visit);
  }

  function checkParameters(node) {
    const count = node.parameters.length;
    if (count <= MOST_PARAMETERS) return;
    const name = (node.name ?? node.parent?.name)?.getText() ?? 'a function';
    seen.add(name);
    if (!(count <= ALLOWED[name])) report(node, `${name} has ${count} parameters: pass a record`);
  }

  /**
   * All records {x, y} and {x, y, z} share what V8 knows about their fields: one that holds something else than numbers
   * boxes the numbers of every vector. And every number that is written to a record made by spreading one is boxed.
   */
  function checkRecord(node) {
    const keys = node.properties.map((property) => property.name?.getText());
    if (keys.length <= 4 && keys[0] === 'x' && keys[1] === 'y')
      for (const property of node.properties)
        if (property.initializer && holdsNoNumber(property.initializer))
          report(
            property,
            `a record {${keys.join(', ')}} that holds something else than numbers: call them xs, ys`,
          );
    const spread = node.properties.find(ts.isSpreadAssignment)?.expression;
    if (
      spread &&
      ts.isCallExpression(spread) &&
      isScratch(node) &&
      /^make[A-Z]/.test(spread.expression.getText())
    )
      report(node, 'scratch that is spread from another record boxes its numbers: write a class');
  }
}

function holdsNoNumber(node) {
  while (ts.isAsExpression(node)) node = node.expression;
  return (
    ts.isArrayLiteralExpression(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isStringLiteralLike(node) ||
    ts.isNewExpression(node) ||
    ts.isArrowFunction(node) ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

/** At module level, and not a constant, whose name would be in capitals. */
function isScratch(node) {
  if (/^[A-Z_0-9]+$/.test(node.parent?.name?.getText() ?? '')) return false;
  for (let up = node.parent; up; up = up.parent) if (ts.isFunctionLike(up)) return false;
  return true;
}

for (const name of Object.keys(ALLOWED))
  if (!seen.has(name))
    problems.push(`scripts/check-code.mjs: ${name} has few parameters now: take it off the list`);

for (const problem of problems) console.error(problem);
console.log(
  `code: ${files} files, ${problems.length} problems, ${seen.size} functions with too many parameters`,
);
process.exitCode = problems.length ? 1 : 0;

function* walk(folder) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* walk(path);
    else if (name.endsWith('.ts') && !name.endsWith('.test.ts')) yield path;
  }
}
