import { isOperand, type ParameterUse, parameterUses } from './parameter-uses.ts';
import { isOneOf, isSign, type PlacedToken, placedTokens } from './placed-tokens.ts';
import type { StatementLanguage } from './statement-text.ts';

/** The parameters of a statement, and the text with a name for each. */
interface NamedParameters {
  readonly text: string;
  /** The notations that were replaced, each once: `$1`, `?`, `@p1`, `%s`, `%(name)s`. */
  readonly signs: readonly string[];
  /** The position in the old text of the first use of each notation. */
  readonly positions: readonly number[];
  /** The uses of the parameters by their new names; null where a use is unknown. */
  readonly uses: ReadonlyMap<string, ParameterUse | null>;
}

/** The most parameters that get names, because the time grows with the square of their number. */
const mostParameters = 2_000;
const withParameters = ['select', 'insert', 'update', 'delete', 'merge', 'with', 'replace', 'values'];

/**
 * Gives names to the parameters of a statement that was copied from a program: `$1`, `?`, `:1`, `@p1`, `%s` and
 * `%(name)s`. A parameter without a name gets the name of the column with which it is compared, or that it sets.
 */
export function namedParameters(text: string, language: StatementLanguage): NamedParameters {
  if (language.language !== 'sql') return { text, signs: [], positions: [], uses: new Map() };
  const raw = placedTokens(text, language);
  const isRead = isOneOf(
    raw.find(({ text: one }) => one !== '('),
    ...withParameters,
  );
  const tokens = isRead ? withPlaces(raw, language) : raw;
  if (tokens.filter(({ kind }) => kind === 'parameter').length > mostParameters)
    return { text, signs: [], positions: [], uses: new Map() };
  const uses = parameterUses(text, tokens);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const keys = [...new Set(tokens.flatMap((one) => (one.kind === 'parameter' ? [one.text] : [])))];
  // Parameters that have a name keep it, whatever comes before them.
  for (const key of [...keys.filter((one) => ownName(one) !== null), ...keys.filter((one) => ownName(one) === null)]) {
    if (names.has(key)) continue;
    const name = freeName(ownName(key) ?? nameByUse(uses.get(key), key), taken);
    taken.add(name);
    names.set(key, name);
  }
  let written = '';
  let at = 0;
  const signs = new Map<string, number>();
  for (const token of tokens) {
    if (token.kind !== 'parameter') continue;
    const sign = text.slice(token.start, token.end);
    if (!/^:[A-Za-z_]/.test(sign) && !signs.has(sign)) signs.set(sign, token.start);
    written += `${text.slice(at, token.start)}:${names.get(token.text)!}`;
    at = token.end;
  }
  return {
    text: written + text.slice(at),
    signs: [...signs.keys()],
    positions: [...signs.values()],
    uses: new Map(keys.map((key) => [names.get(key)!, uses.get(key) ?? null])),
  };
}

/** The tokens with each parameter of a program as one token, whose text tells it from the others. */
function withPlaces(tokens: readonly PlacedToken[], { quoting = [] }: StatementLanguage): readonly PlacedToken[] {
  const hasJsonOperators = quoting.includes('dollar');
  const setsVariables = tokens.some(
    (token, i) =>
      (isOneOf(token, 'declare', 'set', 'into') && isSign(tokens[i + 1], '@')) ||
      (isSign(token, ':=') && tokens[i - 1]?.kind === 'word'),
  );
  const made: PlacedToken[] = [];
  let anonymous = 0;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const joined = (...offsets: readonly number[]) =>
      offsets.every((offset) => tokens[i + offset]?.start === tokens[i + offset - 1]?.end);
    const add = (length: number, key: string) => {
      made.push({ kind: 'parameter', text: key, start: token.start, end: tokens[i + length - 1]!.end });
      i += length - 1;
    };
    const next = tokens[i + 1];
    const behindValue = isOperand(made.at(-1));
    if (isSign(token, '?') && !(hasJsonOperators && behindValue)) {
      if (next?.kind === 'number' && joined(1)) add(2, `?${next.text}`);
      else add(1, `?#${++anonymous}`);
    } else if ((isSign(token, '$') || isSign(token, ':')) && next?.kind === 'number' && joined(1) && !behindValue)
      add(2, `?${next.text}`);
    else if (isSign(token, '%') && isOneOf(next, 's') && joined(1) && !behindValue) add(2, `?#${++anonymous}`);
    else if (
      isSign(token, '%') &&
      isSign(next, '(') &&
      tokens[i + 2]?.kind === 'word' &&
      isSign(tokens[i + 3], ')') &&
      isOneOf(tokens[i + 4], 's', 'd') &&
      joined(1, 2, 3, 4)
    )
      add(5, tokens[i + 2]!.text);
    else if (
      isSign(token, '@') &&
      next?.kind === 'word' &&
      joined(1) &&
      !behindValue &&
      !setsVariables &&
      !(isSign(tokens[i - 1], '@') && tokens[i - 1]!.end === token.start)
    )
      add(2, next.text);
    else made.push(token);
  }
  return made;
}

/** The name that a parameter brings with it; null for a number alone (`p1`, `?1`). */
function ownName(key: string): string | null {
  if (key.startsWith('?') || /^p?\d+$/i.test(key)) return null;
  const plain = key
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]/g, '')
    .replace(/^_+/, '')
    .slice(0, 30);
  return /^[a-z]/.test(plain) ? plain : null;
}

function nameByUse(use: ParameterUse | undefined, key: string): string {
  if (use?.role === 'limit') return 'row_limit';
  return (use?.column && ownName(use.column)) || `p${/\d+/.exec(key)?.[0] ?? ''}`;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let i = 1; ; i++) {
    const one = i === 1 ? name : `${name.slice(0, 27)}_${i}`;
    if (!taken.has(one)) return one;
  }
}
