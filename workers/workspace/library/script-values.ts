/** The value of a client's variable: a text that replaces it, or numbers that are drawn for each transaction. */
export type ScriptValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'random'; readonly spec: RandomInteger }
  | { readonly kind: 'unknown'; readonly why: string };

/** A parameter of whole numbers. */
export interface RandomInteger {
  readonly type: 'integer';
  readonly min: number;
  readonly max: number;
}

/** The variables that a script's client sets itself. pgbench's scale is 1 without -s. */
const usual: Readonly<Record<string, number>> = { scale: 1 };

/**
 * The value that a command of the client computes: \set of psql joins its words, \set of pgbench calculates. Numbers
 * that are calculated from drawn ones have no counterpart among parameters.
 */
export function scriptValue(value: string, known: ReadonlyMap<string, ScriptValue>): ScriptValue {
  const expression = value.trim();
  const random = /^random(_zipfian|_gaussian|_exponential)?\s*\((.*)\)$/is.exec(expression);
  if (random) {
    const [, kind, inside = ''] = random;
    if (kind)
      return { kind: 'unknown', why: `random${kind.toLowerCase()}() has a distribution that Dyno draws otherwise` };
    const [min, max] = splitArguments(inside).map((one) => numberOf(one, known));
    if (min === undefined || max === undefined || min === null || max === null)
      return { kind: 'unknown', why: `Dyno cannot calculate the bounds ${inside.trim()}` };
    return { kind: 'random', spec: { type: 'integer', min, max } };
  }
  if (/[:(]/.test(expression) || /^[\d\s+\-*/%.]+$/.test(expression)) {
    const number = numberOf(expression, known);
    if (number !== null) return { kind: 'text', text: String(number) };
    if (/:\w|\w\s*\(/.test(expression))
      return { kind: 'unknown', why: `Dyno does not calculate ${expression}; write it in the statement` };
  }
  return {
    kind: 'text',
    text: expression.replace(
      /^'((?:[^']|'')*)'$|^"(.*)"$/s,
      (_, one?: string, two?: string) => one?.replaceAll("''", "'") ?? two ?? '',
    ),
  };
}

/** Parses \setrandom name least most, of old pgbench. */
export const oldRandom = (value: string, known: ReadonlyMap<string, ScriptValue>): ScriptValue =>
  scriptValue(`random(${value.trim().split(/\s+/).join(', ')})`, known);

const splitArguments = (inside: string): readonly string[] => {
  const found = [''];
  let depth = 0;
  for (const char of inside) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    if (char === ',' && depth === 0) found.push('');
    else found[found.length - 1] += char;
  }
  return found;
};

/** A whole number, calculated as pgbench does; null if it is not constant. */
function numberOf(expression: string, known: ReadonlyMap<string, ScriptValue>): number | null {
  const tokens = expression.match(/:\w+|\d+(?:\.\d+)?|[-+*/%()]|\S/g) ?? [];
  let at = 0;
  const primary = (): number => {
    const token = tokens[at++] ?? '';
    if (token === '-') return -primary();
    if (token === '+') return primary();
    if (token === '(') {
      const inner = sum();
      return tokens[at++] === ')' ? inner : Number.NaN;
    }
    if (token.startsWith(':')) {
      const value = known.get(token.slice(1));
      if (value?.kind === 'text') return Number(value.text === '' ? Number.NaN : value.text);
      return value === undefined ? (usual[token.slice(1)] ?? Number.NaN) : Number.NaN;
    }
    return Number(token === '' ? Number.NaN : token);
  };
  const product = (): number => {
    let value = primary();
    while (/^[*/%]$/.test(tokens[at] ?? '')) {
      const sign = tokens[at++];
      const next = primary();
      value = sign === '*' ? value * next : sign === '/' ? Math.trunc(value / next) : value % next;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (/^[+-]$/.test(tokens[at] ?? '')) {
      const sign = tokens[at++];
      const next = product();
      value = sign === '+' ? value + next : value - next;
    }
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isSafeInteger(value) ? value : null;
}

/** The names of the client's own variables in an expression, for a note that says what they are. */
export const usualIn = (value: string): readonly string[] =>
  Object.entries(usual).flatMap(([name, number]) =>
    new RegExp(`:${name}\\b`).test(value) ? [`:${name} is ${number}, as the client has it without an option`] : [],
  );
