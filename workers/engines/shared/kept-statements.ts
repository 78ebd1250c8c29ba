import type { KeptStatement } from '#engine-api/kept-statements.ts';
import { isOneOf, isSign, type PlacedToken, placedTokens } from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** The most statements that a server is asked for. */
export const mostKept = 200;
/** The most texts to read where a server keeps texts with different values apart: they become one statement here. */
export const mostKeptTexts = 1_000;

const kept = ['select', 'insert', 'update', 'delete', 'merge', 'with', 'replace'];
/** Tables of Dyno's runs. */
const ofDyno = /\bdyno_[0-9a-f]{8}_\d/i;
/** An optimizer hint without texts in quotes. It belongs to the statement, although servers write it as a comment. */
const hint = /\/\*\+[\w\s(),.@#$"`=-]*\*\//;

/**
 * The statement without comments, and with `?` in place of each value that is written in it, because a server may keep
 * values of its users in some texts. Numbers that the syntax needs stay: lengths of types, positions in ORDER BY, and
 * options of SQL Server's OPTION clause. Null: it is no statement that an experiment runs.
 */
export function withoutValues(text: string, language: StatementLanguage): string | null {
  const tokens = placedTokens(text, language);
  if (!isOneOf(tokens[0], ...kept) || ofDyno.test(text)) return null;
  const syntax = numbersOfSyntax(tokens);
  let written = '';
  for (const [i, token] of tokens.entries()) {
    const { kind, start, end } = token;
    const before = tokens[i - 1];
    const between = before ? text.slice(before.end, start) : '';
    const isPlace = before?.end === start && /[$:?@]/.test(text.slice(before.start, start));
    // Comments stand between tokens.
    written += /\S/.test(between) ? ` ${hint.exec(between)?.[0] ?? ''} ` : between;
    // DATE '2020-01-01': a parameter has its type from its place.
    if (isOneOf(token, 'date', 'timestamp') && tokens[i + 1]?.kind === 'text') continue;
    const isValue = kind === 'text' || (kind === 'number' && !isPlace);
    if (!isValue || syntax.has(i)) written += text.slice(start, end);
    // SQL Server takes a parameter there in brackets alone.
    else written += isOneOf(before, 'top') ? '(?)' : '?';
  }
  return written.replaceAll(/\s+/g, ' ').trim();
}

const sizedTypes =
  'decimal numeric number dec char varchar varchar2 nchar nvarchar nvarchar2 raw binary varbinary float time timestamp datetime2 datetimeoffset bit';
const isSizedType = (token: PlacedToken | undefined): boolean => isOneOf(token, ...sizedTypes.split(' '));

/** The indexes of tokens that are no values, although they are numbers or texts. */
function numbersOfSyntax(tokens: readonly PlacedToken[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [i, token] of tokens.entries()) {
    const isOptions = isOneOf(token, 'option') && isSign(tokens[i + 1], '(');
    if (isOptions || (isSizedType(token) && isSign(tokens[i + 1], '(') && isTypePlace(tokens[i - 1])))
      for (let at = i + 2, depth = 1; at < tokens.length && depth > 0; at++) {
        if (isSign(tokens[at], '(')) depth++;
        else if (isSign(tokens[at], ')')) depth--;
        else if (tokens[at]!.kind === 'number') found.add(at);
      }
    // INTERVAL '1' DAY
    if (isOneOf(token, 'interval') && /^[\d .:-]+$/.test(tokens[i + 1]?.text ?? '')) found.add(i + 1);
    if (isOneOf(token, 'by') && isOneOf(tokens[i - 1], 'order', 'group'))
      for (const [at, end] of items(tokens, i + 1)) if (isPosition(tokens, at, end)) found.add(at);
  }
  return found;
}

/** A type stands behind AS in CAST, in CONVERT's bracket and behind ::; a function of the same name does not. */
const isTypePlace = (before: PlacedToken | undefined): boolean =>
  isOneOf(before, 'as') || isSign(before, '(') || isSign(before, '::');

/** The starts and ends of the items of a list that ends with its clause. */
function items(tokens: readonly PlacedToken[], from: number): readonly (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let start = from;
  let depth = 0;
  let at = from;
  for (; at < tokens.length && depth >= 0; at++) {
    const token = tokens[at];
    if (isSign(token, '(')) depth++;
    else if (isSign(token, ')')) depth--;
    else if (depth === 0 && isSign(token, ',')) {
      found.push([start, at]);
      start = at + 1;
    } else if (depth === 0 && isOneOf(token, 'limit', 'offset', 'fetch', 'for', 'having', 'option', 'order', 'union'))
      break;
  }
  return [...found, [start, depth < 0 ? at - 1 : at]];
}

/** True if the item is a number alone, with or without a direction. */
const isPosition = (tokens: readonly PlacedToken[], at: number, end: number): boolean =>
  tokens[at]?.kind === 'number' &&
  (end - at === 1 || (end - at < 5 && isOneOf(tokens[at + 1], 'asc', 'desc', 'nulls')));

/**
 * The statements with the most time first, each text once, from rows of text, calls, mean time and rows per call.
 * Texts that differ in values alone are one statement.
 */
export function keptStatements(
  rows: readonly (readonly unknown[])[],
  language: StatementLanguage,
): readonly KeptStatement[] {
  const found = new Map<string, { calls: number; ms: number; rows: number }>();
  for (const [raw, called, meanMs, rowsPerCall] of rows) {
    const text = withoutValues(String(raw), language);
    const calls = Number(called);
    if (text === null || !(calls > 0)) continue;
    const sums = found.get(text) ?? { calls: 0, ms: 0, rows: 0 };
    sums.calls += calls;
    sums.ms += calls * Number(meanMs);
    sums.rows += calls * Number(rowsPerCall);
    found.set(text, sums);
  }
  return [...found]
    .toSorted(([, a], [, b]) => b.ms - a.ms)
    .slice(0, mostKept)
    .map(([text, sums]) => ({
      text,
      calls: sums.calls,
      meanMs: sums.ms / sums.calls,
      rowsPerCall: sums.rows / sums.calls,
    }));
}
