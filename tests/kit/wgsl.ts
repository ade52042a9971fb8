/**
 * Runs compute shaders in Node, with every rounding that WGSL allows: each step in single precision is rounded up or down at random,
 * products are fused into sums or not, quotients and inverse square roots are off by as much as they may be, and what is below
 * 2⁻¹²⁶ becomes 0 or not. It knows as much of the language as our kernels speak.
 */
import type { Rng } from './rng.ts';

/** Of the numbers of an expression, also those of a vector or a list. */
type Kind = 'float' | 'int' | 'word' | 'bool' | 'params' | 'literal';

interface Expression {
  readonly js: string;
  readonly kind: Kind;
  /** The two factors, if it is a product. */
  readonly factors?: readonly [string, string];
}

type Value = number | boolean | readonly number[];

const PRECEDENCE: readonly string[][] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!=', '<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const TOKEN =
  /\s+|\/\/[^\n]*|(0x[\da-f]+(?:p[+-]?\d+)?|\d+(?:\.\d+)?)([uif]?)|([a-z_]\w*)|(->|\+\+|--|[-+*/]=|[<>=!]=|&&|\|\||[-+*/%<>=!~&|^.,:;(){}[\]@])/giy;

type Token = { readonly type: 'number' | 'name' | 'sign'; readonly text: string; readonly suffix: string };

function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < code.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(code);
    if (!match) throw new Error(`what is ${code.slice(at, at + 20)}?`);
    const [, number, suffix, name, sign] = match;
    if (number !== undefined) tokens.push({ type: 'number', text: number, suffix: suffix! });
    else if (name !== undefined) tokens.push({ type: 'name', text: name, suffix: '' });
    else if (sign !== undefined) tokens.push({ type: 'sign', text: sign, suffix: '' });
  }
  return tokens;
}

/** Also 0x1p-20. */
function numberOf(text: string): number {
  const [mantissa, power] = text.split('p');
  return power === undefined || !text.startsWith('0x') ? Number(text) : Number(mantissa) * 2 ** Number(power);
}

const kindOf = (type: string): Kind =>
  type === 'Params'
    ? 'params'
    : type.includes('f32')
      ? 'float'
      : type.includes('u32')
        ? 'word'
        : type.includes('i32')
          ? 'int'
          : 'bool';

/** Writes a shader as JavaScript: the body of a function of `run`, `params`, `nodes` and whatever else it is bound to. */
class Translator {
  private readonly tokens: readonly Token[];
  private at = 0;
  private readonly fields = new Map<string, Kind>();
  private readonly functions = new Map<string, Kind>();
  private scopes: Map<string, Kind>[] = [new Map()];

  constructor(code: string) {
    this.tokens = tokensOf(code);
    // Functions may be called before they are written.
    for (let i = 0; i < this.tokens.length; i++) {
      if (this.tokens[i]!.text !== 'fn') continue;
      let k = i;
      while (this.tokens[k]!.text !== '{') k++;
      const arrow = this.tokens.findIndex((token, j) => j > i && token.text === '->');
      const type = this.tokens.slice(arrow, k).map(({ text }) => text);
      this.functions.set(this.tokens[i + 1]!.text, arrow > 0 && arrow < k ? kindOf(type.join('')) : 'bool');
    }
  }

  translate(): string {
    let js = '';
    while (this.at < this.tokens.length) js += this.declaration();
    return `${js}return main;`;
  }

  private peek = (): string => this.tokens[this.at]?.text ?? '';
  private next = (): string => this.tokens[this.at++]?.text ?? '';
  private accept(text: string): boolean {
    if (this.peek() !== text) return false;
    this.at++;
    return true;
  }
  private expect(text: string): void {
    if (!this.accept(text)) throw new Error(`${text} is missing before ${this.peek()}, token ${this.at}`);
  }

  private type(): string {
    let text = this.next();
    if (!this.accept('<')) return text;
    text += '<';
    for (let depth = 1; depth > 0; ) {
      const token = this.next();
      if (token === '<') depth++;
      if (token === '>') depth--;
      text += token;
    }
    return text;
  }

  private attributes(): void {
    while (this.accept('@')) {
      this.next();
      if (this.accept('(')) while (!this.accept(')')) this.at++;
    }
  }

  private declaration(): string {
    this.attributes();
    const word = this.next();
    if (word === 'struct') {
      this.next();
      this.expect('{');
      while (!this.accept('}')) {
        const name = this.next();
        this.expect(':');
        this.fields.set(name, kindOf(this.type()));
        this.accept(',');
      }
      return '';
    }
    if (word === 'fn') return this.fn();
    if (word === 'const') return this.variable('const');
    if (word !== 'var') throw new Error(`what is ${word}?`);
    let space = '';
    if (this.accept('<')) while (!this.accept('>')) space += this.next();
    if (space === 'private') return this.variable('let');
    const name = this.next();
    this.expect(':');
    this.scopes[0]!.set(name, kindOf(this.type()));
    this.expect(';');
    return ''; // what it is bound to is given
  }

  private fn(): string {
    const name = this.next();
    this.expect('(');
    this.scopes.push(new Map());
    const names: string[] = [];
    while (!this.accept(')')) {
      this.attributes();
      const argument = this.next();
      this.expect(':');
      this.scopes.at(-1)!.set(argument, kindOf(this.type()));
      names.push(argument);
      this.accept(',');
    }
    if (this.accept('->')) this.type();
    const body = this.block();
    this.scopes.pop();
    return `function ${name}(${names})${body}\n`;
  }

  private block(): string {
    this.expect('{');
    this.scopes.push(new Map());
    let js = '{';
    while (!this.accept('}')) js += this.statement();
    this.scopes.pop();
    return `${js}}`;
  }

  /** What follows `let`, `var` or `const`. */
  private variable(keyword: 'const' | 'let'): string {
    const name = this.next();
    const type = this.accept(':') ? this.type() : '';
    let js = type.startsWith('array') ? '[]' : '0';
    let kind: Kind = type === '' ? 'literal' : kindOf(type);
    if (this.accept('=')) {
      const value = this.expression();
      js = value.js;
      if (type === '') kind = value.kind;
    }
    this.expect(';');
    this.scopes.at(-1)!.set(name, kind);
    return `${keyword} ${name}=${js};\n`;
  }

  private statement(): string {
    const word = this.peek();
    switch (word) {
      case 'let':
      case 'const':
        this.at++;
        return this.variable('const');
      case 'var':
        this.at++;
        return this.variable('let');
      case 'if': {
        this.at++;
        const { js } = this.expression();
        let text = `if(${js})${this.block()}`;
        if (this.accept('else')) text += `else ${this.peek() === 'if' ? this.statement() : this.block()}`;
        return text;
      }
      case 'loop':
        this.at++;
        return `while(true)${this.block()}`;
      case 'while': {
        this.at++;
        const { js } = this.expression();
        return `while(${js})${this.block()}`;
      }
      case 'for': {
        this.at++;
        this.expect('(');
        this.scopes.push(new Map());
        const start = this.statement();
        const { js } = this.expression();
        this.expect(';');
        const step = this.assignment();
        this.expect(')');
        const body = this.block();
        this.scopes.pop();
        return `for(${start.trimEnd()}${js};${step})${body}`;
      }
      case 'return': {
        this.at++;
        const js = this.peek() === ';' ? '' : this.expression().js;
        this.expect(';');
        return `return ${js};`;
      }
      case 'break':
      case 'continue':
        this.at++;
        this.expect(';');
        return `${word};`;
    }
    const js = this.assignment();
    this.expect(';');
    return `${js};\n`;
  }

  private assignment(): string {
    const target = this.postfix();
    const sign = this.next();
    if (sign === '++' || sign === '--') return `${target.js}${sign}`;
    if (sign === '=') return `${target.js}=${this.expression().js}`;
    if (sign.length === 2 && sign[1] === '=')
      return `${target.js}=${this.binary(sign[0]!, target, this.expression()).js}`;
    this.at--;
    return target.js; // a call
  }

  private expression(level = 0): Expression {
    if (level === PRECEDENCE.length) return this.unary();
    let left = this.expression(level + 1);
    while (PRECEDENCE[level]!.includes(this.peek())) {
      // '> >' of '>>', which types end with, too.
      const sign = this.next();
      if (sign === '>' && this.peek() === '>') {
        this.at--;
        break;
      }
      left = this.binary(sign, left, this.expression(level + 1));
    }
    if (level === PRECEDENCE.findIndex((signs) => signs.includes('>>')))
      while (this.peek() === '>' && this.tokens[this.at + 1]?.text === '>') {
        this.at += 2;
        left = this.binary('>>', left, this.expression(level + 1));
      }
    return left;
  }

  private binary(sign: string, a: Expression, b: Expression): Expression {
    const kind = a.kind === 'literal' ? b.kind : a.kind;
    if (['||', '&&'].includes(sign)) return { js: `(${a.js}${sign}${b.js})`, kind: 'bool' };
    if (['==', '!='].includes(sign)) return { js: `(${a.js}${sign}=${b.js})`, kind: 'bool' };
    if (['<', '>', '<=', '>='].includes(sign))
      return { js: `run.compare('${sign}',${a.js},${b.js})`, kind: 'bool' };
    if (kind !== 'float' && kind !== 'literal') {
      const whole = sign === '/' ? `Math.trunc(${a.js}/${b.js})` : `(${a.js}${sign}${b.js})`;
      if (kind === 'word') return { js: `(${sign === '>>' ? `(${a.js}>>>${b.js})` : whole}>>>0)`, kind };
      return { js: `(${whole}|0)`, kind };
    }
    if (sign === '*') return { js: `run.mul(${a.js},${b.js})`, kind, factors: [a.js, b.js] };
    if (sign === '/') return { js: `run.div(${a.js},${b.js})`, kind };
    const plus = sign === '+' ? 1 : -1;
    if (a.factors) return { js: `run.fused(${a.factors},${b.js},1,${plus})`, kind };
    if (b.factors) return { js: `run.fused(${b.factors},${a.js},${plus},1)`, kind };
    return { js: `run.add(${a.js},${b.js},${plus})`, kind };
  }

  private unary(): Expression {
    if (this.accept('-')) {
      const { js, kind } = this.unary();
      return { js: `run.each((x)=>-x,${js})`, kind };
    }
    if (this.accept('!')) return { js: `!${this.unary().js}`, kind: 'bool' };
    if (this.accept('~')) {
      const { js, kind } = this.unary();
      return { js: kind === 'word' ? `(~${js}>>>0)` : `~${js}`, kind };
    }
    return this.postfix();
  }

  private postfix(): Expression {
    let { js, kind } = this.primary();
    for (;;) {
      if (this.accept('[')) {
        js += `[${this.expression().js}]`;
        this.expect(']');
      } else if (this.accept('.')) {
        const name = this.next();
        if (kind === 'params') {
          kind = this.fields.get(name)!;
          js += `.${name}`;
        } else {
          const places = [...name].map((letter) => `${js}[${'xyzw'.indexOf(letter)}]`);
          js = places.length === 1 ? places[0]! : `[${places}]`;
        }
      } else return { js, kind };
    }
  }

  private primary(): Expression {
    const token = this.tokens[this.at++]!;
    if (token.type === 'number') {
      const value = numberOf(token.text);
      const isFloat = token.text.includes('.') || token.text.includes('p') || token.suffix === 'f';
      return { js: String(value), kind: token.suffix === 'u' ? 'word' : isFloat ? 'float' : 'literal' };
    }
    if (token.text === '(') {
      const { js, kind } = this.expression();
      this.expect(')');
      return { js: `(${js})`, kind };
    }
    const name = token.text;
    if (name === 'true' || name === 'false') return { js: name, kind: 'bool' };
    let type = name;
    if (/^vec[234]$/.test(name)) {
      this.at--;
      type = this.type();
    }
    if (!this.accept('(')) {
      for (const scope of [...this.scopes].reverse())
        if (scope.has(name)) return { js: name, kind: scope.get(name)! };
      throw new Error(`who is ${name}?`);
    }
    const values: Expression[] = [];
    while (!this.accept(')')) {
      values.push(this.expression());
      this.accept(',');
    }
    const list = values.map(({ js }) => js).join(',');
    const own = this.functions.get(name);
    if (own !== undefined) return { js: `${name}(${list})`, kind: own };
    if (type !== name) return { js: `run.vector(${name[3]},[${list}])`, kind: kindOf(type) };
    if (name === 'f32') return { js: `(${list})`, kind: 'float' };
    if (name === 'u32') return { js: `((${list})>>>0)`, kind: 'word' };
    if (name === 'i32') return { js: `((${list})|0)`, kind: 'int' };
    return { js: `run.${name}(${list})`, kind: values.find(({ kind }) => kind !== 'literal')!.kind };
  }
}

const SMALLEST = 2 ** -126;
const bits = new DataView(new ArrayBuffer(4));

/** The number of single precision after x, away from 0. */
function beyond(x: number): number {
  bits.setFloat32(0, x);
  bits.setUint32(0, bits.getUint32(0) + 1);
  return bits.getFloat32(0);
}

/** How a run rounds: to the nearest, up, down, away from 0, towards 0, or as it comes. */
const WAYS = ['near', 'up', 'down', 'away', 'toward', 'any'] as const;

/** What the code of a shader calls. */
class Arithmetic {
  way: (typeof WAYS)[number] = 'any';
  fuses = false;
  private readonly rng: Rng;

  constructor(rng: Rng) {
    this.rng = rng;
  }

  draw(): void {
    this.way = this.rng.chance(0.3) ? 'any' : this.rng.pick(WAYS);
    this.fuses = this.rng.chance(0.5);
  }

  round = (x: number): number => {
    const near = Math.fround(x);
    if (!Number.isFinite(near)) throw new Error('an infinity, or no number');
    let result = near;
    if (near !== x) {
      // The two neighbours of x, by size.
      const large = Math.abs(near) > Math.abs(x) ? near : beyond(near === 0 ? (x < 0 ? -0 : 0) : near);
      const small = large === near ? -beyond(-near) : near;
      const low = large === near ? below(near) : small;
      const { way } = this;
      const isAway =
        way === 'up' ? x > 0 : way === 'down' ? x < 0 : way === 'any' ? this.rng.chance(0.5) : way === 'away';
      if (way !== 'near') result = isAway ? large : low;
    }
    return Math.abs(result) < SMALLEST && this.rng.chance(0.5) ? 0 : result;
  };

  /** Off by up to so many units in the last place. */
  private off(x: number, units: number): number {
    const { way, rng } = this;
    const by =
      way === 'near' ? 0 : way === 'any' ? rng.range(-1, 1) : way === 'up' || way === 'away' ? 1 : -1;
    return this.round(x * (1 + by * units * 2 ** -24));
  }

  /** A function of numbers, of each component of vectors. */
  each(f: (...values: number[]) => number, ...given: Value[]): Value {
    const list = given.find((value) => typeof value === 'object') as readonly number[] | undefined;
    if (list === undefined) return f(...(given as number[]));
    return list.map((_, k) =>
      f(...given.map((value) => (typeof value === 'object' ? value[k]! : (value as number)))),
    );
  }

  add(a: Value, b: Value, sign: number): Value {
    if (typeof a === 'number' && typeof b === 'number') return this.round(a + sign * b);
    return this.each((x, y) => this.round(x + sign * y), a, b);
  }
  mul(a: Value, b: Value): Value {
    if (typeof a === 'number' && typeof b === 'number') return this.round(a * b);
    return this.each((x, y) => this.round(x * y), a, b);
  }
  div(a: Value, b: Value): Value {
    return this.each((x, y) => this.off(x / y, 2.5), a, b);
  }
  /** signProduct · a b + sign · c. */
  fused(a: Value, b: Value, c: Value, signProduct: number, sign: number): Value {
    const { fuses, round } = this;
    return this.each((x, y, z) => round(signProduct * (fuses ? x * y : round(x * y)) + sign * z), a, b, c);
  }
  dot(a: readonly number[], b: readonly number[]): number {
    const { fuses, round } = this;
    let sum = round(a[0]! * b[0]!);
    for (let k = 1; k < a.length; k++) {
      const product = a[k]! * b[k]!;
      sum = round(sum + (fuses ? product : round(product)));
    }
    return sum;
  }
  inverseSqrt(x: number): number {
    return this.off(1 / Math.sqrt(x), 2);
  }
  min = (a: Value, b: Value): Value => this.each(Math.min, a, b);
  max = (a: Value, b: Value): Value => this.each(Math.max, a, b);
  abs = (a: Value): Value => this.each(Math.abs, a);
  clamp = (x: Value, low: Value, high: Value): Value =>
    this.each((v, l, h) => Math.min(Math.max(v, l), h), x, low, high);
  select = (no: Value, yes: Value, which: boolean | readonly boolean[]): Value =>
    typeof which === 'object'
      ? which.map((is, k) => (is ? (yes as number[])[k]! : (no as number[])[k]!))
      : which
        ? yes
        : no;
  compare(sign: string, a: Value, b: Value): boolean | boolean[] {
    const holds = (x: number, y: number): boolean =>
      sign === '<' ? x < y : sign === '>' ? x > y : sign === '<=' ? x <= y : x >= y;
    if (typeof a === 'object') return a.map((x, k) => holds(x, (b as readonly number[])[k]!));
    return holds(a as number, b as number);
  }
  vector(size: number, values: readonly Value[]): readonly number[] {
    const all = values.flat() as number[];
    return all.length === 1 ? Array(size).fill(all[0]) : all;
  }
}

/** The number of single precision before x, towards 0. */
function below(x: number): number {
  bits.setFloat32(0, x);
  bits.setUint32(0, bits.getUint32(0) - 1);
  return bits.getFloat32(0);
}

/** A shader that can be run for one invocation after the other; how it rounds is drawn anew for each. */
export function compileShader(
  code: string,
  bindings: Readonly<Record<string, unknown>>,
  rng: Rng,
): (invocation: number) => void {
  const names = Object.keys(bindings);
  const start = new Function('run', ...names, new Translator(code).translate()) as (
    ...values: unknown[]
  ) => (id: readonly number[]) => void;
  const arithmetic = new Arithmetic(rng);
  return (invocation) => {
    arithmetic.draw();
    start(arithmetic, ...Object.values(bindings))([invocation, 0, 0]); // private variables begin anew
  };
}
