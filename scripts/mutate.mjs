// Small changes to a source that its tests ought to notice.
import ts from 'typescript';

const FLIPPED = new Map([
  ['<', '>='],
  ['>=', '<'],
  ['>', '<='],
  ['<=', '>'],
  ['===', '!=='],
  ['!==', '==='],
]);
const SWAPPED_OPERATORS = new Map([
  ['+', '-'],
  ['-', '+'],
  ['+=', '-='],
  ['-=', '+='],
  ['&&', '||'],
  ['||', '&&'],
]);
/** The one thing for the other. */
const SWAPPED_NAMES = new Map(
  [
    ['a', 'b'],
    ['first', 'second'],
    ['part', 'moverPart'],
    ['partA', 'partB'],
    ['pointA', 'pointB'],
    ['mover', 'target'],
    ['moverFeature', 'targetFeature'],
    ['moverKind', 'targetKind'],
    ['featureA', 'featureB'],
    ['kindA', 'kindB'],
    ['child', 'triangle'],
    ['min', 'max'],
  ].flatMap(([x, y]) => [
    [x, y],
    [y, x],
  ]),
);
const SCALE = 1.3;

/** All mutants of a source: { kind, start, end, text, line, before, after }, the last two being whole lines. */
export function mutantsOf(source, fileName = 'file.ts') {
  const tree = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true);
  const found = [];

  function add(kind, start, end, text) {
    const lineStart = source.lastIndexOf('\n', start - 1) + 1;
    const lineEnd = source.indexOf('\n', end) < 0 ? source.length : source.indexOf('\n', end);
    const squeeze = (code) => code.replace(/\s+/g, ' ').trim();
    found.push({
      kind,
      start,
      end,
      text,
      line: tree.getLineAndCharacterOfPosition(start).line + 1,
      before: squeeze(source.slice(lineStart, lineEnd)),
      after: squeeze(source.slice(lineStart, start) + text + source.slice(end, lineEnd)),
    });
  }
  const replace = (kind, node, text) => add(kind, node.getStart(tree), node.getEnd(), text);

  function visit(node) {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      const operator = node.operatorToken.getText(tree);
      if (FLIPPED.has(operator)) replace('comparison', node.operatorToken, FLIPPED.get(operator));
      if (SWAPPED_OPERATORS.has(operator))
        replace(
          operator.length > 1 && operator[1] !== '=' ? 'logic' : 'arithmetic',
          node.operatorToken,
          SWAPPED_OPERATORS.get(operator),
        );
    } else if (ts.isPrefixUnaryExpression(node)) {
      const { operator, operand } = node;
      const isNegation = operator === ts.SyntaxKind.MinusToken || operator === ts.SyntaxKind.ExclamationToken;
      if (isNegation) replace('negation', node, ` ${operand.getText(tree)}`);
    } else if (ts.isNumericLiteral(node) && !isIndex(node) && !isPlaceholder(node)) {
      const value = Number(node.text);
      if (value !== 0) replace('constant', node, String(value * SCALE));
    } else if (ts.isIdentifier(node) && SWAPPED_NAMES.has(node.text) && isRead(node))
      replace('swap', node, SWAPPED_NAMES.get(node.text));
    else if (ts.isExpressionStatement(node)) replace('statement', node, ';');
    else if (ts.isIfStatement(node) && node.elseStatement === undefined) replace('statement', node, ';');
    ts.forEachChild(node, visit);
  }

  /** A place in a list: any other is noticed at once, or is nothing to learn from. */
  function isIndex(node) {
    for (let n = node; n.parent; n = n.parent) {
      if (ts.isElementAccessExpression(n.parent) && n.parent.argumentExpression === n) return true;
      if (!ts.isBinaryExpression(n.parent)) return false;
    }
    return false;
  }

  /** The number that a field starts with, so that V8 stores doubles there, and the sign for none: nothing reads these. */
  function isPlaceholder({ text, parent }) {
    if (ts.isPrefixUnaryExpression(parent)) return text === '1';
    if (text !== '0.5') return false;
    if (ts.isCallExpression(parent)) return parent.expression.getText(tree) === 'vec3';
    return ts.isPropertyDeclaration(parent) || ts.isPropertyAssignment(parent);
  }

  /** Where a value is used, not where a name is given. */
  function isRead(node) {
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent)) return true;
    if (ts.isCallExpression(parent)) return parent.arguments.includes(node);
    return ts.isBinaryExpression(parent) || ts.isReturnStatement(parent);
  }

  visit(tree);
  return found;
}

export const applyMutant = (source, { start, end, text }) =>
  source.slice(0, start) + text + source.slice(end);
