import { isSign, type PlacedToken } from '#model/statements/placed-tokens.ts';

/** The end of a range. */
export interface Bound {
  readonly value: number;
  /** True if the value itself is not allowed. */
  readonly isOpen: boolean;
}

/** The values or bounds that a CHECK allows a column. */
export interface CheckedColumn {
  /** In lower case. */
  readonly column: string;
  readonly values: readonly (string | number)[] | null;
  readonly min: Bound | null;
  readonly max: Bound | null;
}

const ofLists = ['in', 'or', 'any', 'array', '='];
const ofBounds = ['between', 'and', '>=', '<=', '>', '<'];

/** Reads the condition of a CHECK on one column: a list of values, or bounds. Null: another condition. */
export function checkOf(condition: readonly PlacedToken[]): CheckedColumn | null {
  const tokens = withoutCasts(condition).filter(({ kind, text }) => kind !== 'sign' || !'()[],'.includes(text));
  const isWordOf = ({ kind, text }: PlacedToken) =>
    (kind === 'word' || kind === 'sign') && (ofLists.includes(text) || ofBounds.includes(text) || text === '-');
  const names = tokens.filter((token) => (token.kind === 'word' || token.kind === 'name') && !isWordOf(token));
  const [column] = new Set(names.map(({ text }) => text.toLowerCase()));
  if (column === undefined || names.some(({ text }) => text.toLowerCase() !== column)) return null;
  const words = tokens.filter(isWordOf).map(({ text }) => text);
  if (tokens.some((token) => token.kind === 'sign' && !isWordOf(token))) return null;
  const values = valuesOf(tokens);
  if (values.length > 0 && words.every((word) => ofLists.includes(word) || word === '-'))
    return { column, values: [...new Set(values)], min: null, max: null };
  if (!words.every((word) => ofBounds.includes(word) || word === '-')) return null;
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length !== values.length || numbers.length === 0) return null;
  const [from, to] = numbers;
  if (words.includes('between'))
    return numbers.length === 2
      ? { column, values: null, min: { value: from!, isOpen: false }, max: { value: to!, isOpen: false } }
      : null;
  const comparisons = tokens.flatMap((token, i) =>
    token.kind === 'sign' && token.text !== '-'
      ? [
          {
            isLess: token.text.startsWith('<'),
            isOpen: token.text.length === 1,
            isTurned: tokens[i - 1]?.kind === 'number',
          },
        ]
      : [],
  );
  if (comparisons.length !== numbers.length) return null;
  let min: Bound | null = null;
  let max: Bound | null = null;
  for (const [i, { isLess, isOpen, isTurned }] of comparisons.entries()) {
    const bound = { value: numbers[i]!, isOpen };
    // In "0 < price" the number comes first.
    if (isLess === isTurned) min = bound;
    else max = bound;
  }
  return { column, values: null, min, max };
}

function valuesOf(tokens: readonly PlacedToken[]): readonly (string | number)[] {
  return tokens.flatMap((token, i): readonly (string | number)[] => {
    if (token.kind === 'text') return [token.text];
    if (token.kind !== 'number') return [];
    return [isSign(tokens[i - 1], '-') ? -Number(token.text) : Number(token.text)];
  });
}

/** Leaves out casts as PostgreSQL prints them: ::character varying(12)[]. */
function withoutCasts(tokens: readonly PlacedToken[]): readonly PlacedToken[] {
  const kept: PlacedToken[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (!isSign(tokens[i], '::')) {
      kept.push(tokens[i]!);
      continue;
    }
    i++;
    while (tokens[i + 1]?.kind === 'word' && ['varying', 'precision'].includes(tokens[i + 1]!.text)) i++;
    if (isSign(tokens[i + 1], '(') && tokens[i + 2]?.kind === 'number') i += 3;
    while (isSign(tokens[i + 1], '[')) i += 2;
  }
  return kept;
}
