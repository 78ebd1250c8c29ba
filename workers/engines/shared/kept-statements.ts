import type { CountedText, KeptStatements, OtherKind, StatementTotals } from '#engine-api/kept-statements.ts';
import { tablesOfTokens } from '#model/statements/parameter-uses.ts';
import { isOneOf, isSign, type PlacedToken, placedTokens } from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** The most statements that a server is asked for. */
const mostKept = 200;
/** The most texts to read where a server keeps texts with different values apart: they become one statement here. */
export const mostKeptTexts = 1_000;

/** Seconds from a time until now, by this machine's clock: the server subtracts them from its own time. */
export const secondsSince = (since: Date): number => Math.max(0, Math.round((Date.now() - since.getTime()) / 1_000));

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
export function withoutValues(
  text: string,
  language: StatementLanguage,
  onValue?: (value: string) => void,
): string | null {
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
    if (!isValue || syntax.has(i)) {
      written += text.slice(start, end);
      continue;
    }
    onValue?.(text.slice(start, end));
    // SQL Server takes a parameter there in brackets alone.
    written += isOneOf(before, 'top') ? '(?)' : '?';
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

const definitions = (
  'create alter drop truncate comment grant revoke analyze vacuum reindex cluster refresh optimize repair rename ' +
  'import flush purge checkpoint'
).split(' ');
const commands = (
  'begin commit rollback start end savepoint release abort set show use reset discard deallocate prepare execute ' +
  'declare fetch close move lock unlock listen unlisten notify explain describe desc xa kill help'
).split(' ');

/** Schemas and views of a server about itself. */
const ofServer = /^(pg_|information_schema$|performance_schema$|mysql$|sys$|innodb_)/;
/** Functions about the server, the session or the catalog; their statements name no table. */
const aboutServer =
  /\b(version|current_setting|set_config|pg_\w+|database|connection_id|last_insert_id|get_lock|release_lock|is_used_lock|sleep|found_rows|row_count)\s*\(/i;

/** Kind of a counted text that no experiment runs; null: it is a statement. */
function otherKind(text: string, language: StatementLanguage): OtherKind | null {
  if (text.startsWith('<')) return 'hidden';
  const tokens = placedTokens(text, language);
  const first = tokens.find((token) => !isSign(token, '('));
  if (isOneOf(first, ...definitions)) return 'definition';
  if (isOneOf(first, ...commands)) return 'session';
  if (ofDyno.test(text)) return 'dyno';
  const tables = tablesOfTokens(text, tokens);
  const isOfServer = tables.some(({ written, name }) =>
    [
      name,
      ...written
        .toLowerCase()
        .replaceAll(/["`[\]\s]/g, '')
        .split('.'),
    ].some((part) => ofServer.test(part)),
  );
  if (isOfServer || (tables.length === 0 && (/@@/.test(text) || aboutServer.test(text)))) return 'catalog';
  return isOneOf(first, ...kept) ? null : 'other';
}

const mostWords = 5;

/** First two words of a text in upper case. They are keywords, because the text begins with them. */
const firstWords = (text: string, language: StatementLanguage): string =>
  placedTokens(text.slice(0, 200), language)
    .slice(0, 2)
    .flatMap((token, i) => (token.kind === 'word' && (i === 0 || isKeyword.test(token.text)) ? [token.text] : []))
    .join(' ')
    .toUpperCase();

const isKeyword =
  /^(table|index|view|unique|or|temporary|materialized|function|procedure|user|role|database|schema|transaction|into|from)$/;

/**
 * A row of text, calls, mean time, rows per call, true if the server has cut the text, and true if it was not called
 * since the time that was asked for.
 */
type CountedRow = readonly unknown[];

/** Sums of the texts of one kind. */
interface Sums {
  texts: number;
  calls: number;
  ms: number;
  rows: number;
  readonly words: Set<string>;
}

/**
 * The statements with the most time first, each text once, and the sums of the texts that no experiment runs, from rows
 * (`CountedRow`). Texts that differ in values
 * alone are one statement. `totals`: what the server tells. Default: the sums of the rows.
 */
export const keptStatements = (
  rows: readonly CountedRow[],
  language: StatementLanguage,
  totals?: StatementTotals,
): KeptStatements =>
  countedTexts(
    rows.flatMap(([raw, called, meanMs, rowsPerCall, isCut, isOlder]) => {
      const calls = Number(called);
      if (!(calls > 0)) return [];
      return [
        {
          ...(isOlder === true
            ? { kind: 'older' as const, words: '' }
            : countedText(String(raw), isCut === true, language)),
          ...{ calls, ms: calls * Number(meanMs), rows: calls * Number(rowsPerCall) },
        },
      ];
    }),
    totals,
  );

/** A text without its values, or the reason why no experiment runs it. `onValue` gets each value as it is written. */
export function countedText(
  written: string,
  isCut: boolean,
  language: StatementLanguage,
  onValue?: (value: string) => void,
): CountedText {
  const kind = isCut ? 'cut' : otherKind(written, language);
  const text = kind === null ? withoutValues(written, language, onValue) : null;
  return text === null ? { kind: kind ?? 'other', words: firstWords(written, language) } : { text };
}

/** Adds up counted texts. The parts of a call that the server counts apart have no calls of their own. */
export function countedTexts(
  counted: readonly (CountedText & { readonly calls: number; readonly ms: number; readonly rows: number })[],
  totals?: StatementTotals,
): KeptStatements {
  const found = new Map<string, Sums>();
  const others = new Map<OtherKind, Sums>();
  const sumsOf = <K>(sums: Map<K, Sums>, key: K): Sums => {
    const one = sums.get(key) ?? { texts: 0, calls: 0, ms: 0, rows: 0, words: new Set() };
    sums.set(key, one);
    return one;
  };
  for (const one of counted) {
    const sums = 'text' in one ? sumsOf(found, one.text) : sumsOf(others, one.kind);
    sums.texts++;
    sums.calls += one.calls;
    sums.ms += one.ms;
    sums.rows += one.rows;
    if ('words' in one && one.words !== '' && sums.words.size < mostWords) sums.words.add(one.words);
  }
  const sumOf = (of: 'ms' | 'calls') => [...found.values(), ...others.values()].reduce((sum, one) => sum + one[of], 0);
  return {
    ...(totals ?? { totalMs: sumOf('ms'), totalCalls: sumOf('calls'), since: null }),
    statements: [...found]
      .filter(([, { calls }]) => calls > 0)
      .toSorted(([, a], [, b]) => b.ms - a.ms)
      .slice(0, mostKept)
      .map(([text, { calls, ms, rows }]) => ({ text, calls, meanMs: ms / calls, rowsPerCall: rows / calls })),
    others: [...others]
      .toSorted(([, a], [, b]) => b.ms - a.ms)
      .map(([kind, { texts, calls, ms, words }]) => ({ kind, texts, calls, totalMs: ms, words: [...words] })),
  };
}
