import type { KeptStatement, KeptStatements, SeenValues } from '#engine-api/kept-statements.ts';
import { placedTokens } from '#model/statements/placed-tokens.ts';
import { mayWriteText } from '#model/statements/reads-only.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { type ReadText, readText } from './uses-in-text.ts';
import { valueSources } from './value-sources.ts';

/** A counted statement, and its form in an experiment. */
export interface JudgedStatement extends KeptStatement {
  /** Its name in the experiment, which no other statement has. */
  readonly name: string;
  readonly totalMs: number;
  /** Its share of the time of all statements that the server has counted; null: the server counted no time. */
  readonly share: number | null;
  /** The tables of the user that it names. */
  readonly tables: readonly string[];
  /** The change, as a sentence. Null: it only reads. */
  readonly writes: string | null;
  /** The reason, as a sentence, why no experiment can run it. Null: an experiment can. */
  readonly whyNot: string | null;
  /** The text with named parameters. */
  readonly written: string;
  /** The sources of its parameters, as a file writes them. */
  readonly parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The origin of each parameter's values, for people: `orders.customer_id`. */
  readonly origins: Readonly<Record<string, string>>;
  /** Differences from the calls that the server has counted, as sentences. */
  readonly notes: readonly string[];
}

/**
 * Judges all statements that a server has counted, those with the most time first. `tables`: null if the catalog is
 * unknown, so that values are those that a log has shown. Pure.
 */
export function judgedStatements(
  { statements, totalMs }: KeptStatements,
  tables: readonly UserTable[] | null,
  language: StatementLanguage,
): readonly JudgedStatement[] {
  const taken = new Set<string>();
  return statements.map((one) => {
    const read = readText(one.text, language, tables);
    const sources = valueSources(read.uses, one, language, tables !== null);
    const ms = one.calls * (one.meanMs ?? 0);
    return {
      ...one,
      name: freeName(nameOf(read, language), taken),
      totalMs: ms,
      share: totalMs > 0 ? ms / totalMs : null,
      tables: read.tables,
      writes: writesText(read, language),
      whyNot: isSource(read.text, language)
        ? 'Dyno’s runs read values of parameters in this way.'
        : whyNot(read, sources !== null),
      written: read.text,
      parameters: sources ?? {},
      origins: Object.fromEntries(
        read.uses.map((use, i) => [
          use.parameter,
          seenText(one.values?.[i], tables !== null && use.kind !== 'unknown') ?? originText(use),
        ]),
      ),
      notes: notesOf(read, one, tables !== null),
    };
  });
}

/** Words of statements that change tables. */
const changes = /^\W*(insert|update|delete|merge|replace|findandmodify)\b/i;

function writesText({ text, tables }: ReadText, language: StatementLanguage): string | null {
  const why = mayWriteText(text, language);
  if (why === null) return null;
  return changes.test(text) ? `It changes ${list.format(tables)}.` : `It may change something: ${why}`;
}

/** True for a query of the first rows of columns, which the sources of parameters have. */
function isSource(text: string, { firstRows }: StatementLanguage): boolean {
  if (firstRows === undefined) return false;
  const pattern = firstRows
    .replaceAll(' ', '\\s+')
    .replace('{rows}', ':\\w+')
    .replace('{columns}', '[^*()]+?')
    .replace('{table}', '[^\\s()]+');
  return new RegExp(`^${pattern}$`, 'i').test(text) || /\) some_rows WHERE\b/.test(text);
}

function whyNot({ tables, unseen, uses, groupsByParameter }: ReadText, hasSources: boolean): string | null {
  if (unseen.length > 0) return `Dyno’s user does not see ${list.format(unseen)}.`;
  if (tables.length === 0) return 'It names no table.';
  if (groupsByParameter) return 'It groups by a value that the server does not tell.';
  if (hasSources) return null;
  const unknown = uses.flatMap(({ kind, parameter }) => (kind === 'unknown' ? [`:${parameter}`] : []));
  if (unknown.length === 0) return 'The log does not show what kinds of values it has.';
  return `The text does not show what values ${list.format(unknown)} ${unknown.length === 1 ? 'has' : 'have'}.`;
}

const list = lazyList('en', 'conjunction');

/** The origin of values that a log has shown; null: they come from elsewhere. */
function seenText(seen: SeenValues | undefined, hasCatalog: boolean): string | null {
  if (seen?.kept !== undefined && seen.kept.length > 0) return 'values of the log';
  return hasCatalog || !seen?.kind ? null : `${seen.kind}, made up`;
}

function originText({ kind, table, column, bound }: ReadText['uses'][number]): string {
  switch (kind) {
    case 'limit':
      return 'by the rows that a call returned';
    case 'offset':
      return '0 to 100';
    case 'count':
      return '1 to 10';
    case 'unknown':
      return 'unknown';
    default:
      return `${table}.${column}${bound === null ? '' : bound === 'low' ? ', lower bound' : ', upper bound'}`;
  }
}

function notesOf(
  { uses, hasPattern, hasShortList }: ReadText,
  { rowsPerCall, values }: KeptStatement,
  hasCatalog: boolean,
): readonly string[] {
  const hasRange = hasCatalog && (['low', 'high'] as const).every((bound) => uses.some((use) => use.bound === bound));
  const isSeen = (i: number) => values?.[i]?.kind === 'integer';
  return [
    ...(hasShortList ? ['IN has one value here: the server writes lists of any length in this way.'] : []),
    ...(hasRange && (rowsPerCall ?? 0) <= 1 ? ['The width of the range is a guess.'] : []),
    ...(uses.some(({ kind }, i) => kind === 'limit' && !isSeen(i)) && !Number.isInteger(rowsPerCall)
      ? ['The limit is a guess by the rows that calls returned.']
      : []),
    ...(hasPattern && hasCatalog ? ['LIKE gets whole values of the column, without wildcards.'] : []),
    ...(uses.some(({ kind }) => kind === 'offset') ? ['The offset is a guess.'] : []),
    ...(uses.some(({ kind }) => kind === 'count') ? ['The compared count is a guess.'] : []),
    ...(uses.some(({ kind }) => kind === 'insert')
      ? ['Its new rows repeat values of other rows: give columns with unique values another source.']
      : []),
  ];
}

const mostName = 48;

/** A name such as `select-orders-by-customer`. */
function nameOf({ text, tables, columns }: ReadText, language: StatementLanguage): string {
  const first =
    language.language === 'sql'
      ? placedTokens(text, language).find(({ kind }) => kind === 'word')?.text
      : /"(\w+)"/.exec(text)?.[1];
  const by = columns.slice(0, 2);
  const [verb, ...rest] = [first === 'with' ? 'select' : (first ?? 'statement'), ...tables.slice(0, 2)];
  return [verb, ...rest, ...(by.length > 0 && first !== 'insert' ? ['by', ...by] : [])]
    .join('-')
    .replaceAll(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^[^A-Za-z]+/, '')
    .slice(0, mostName)
    .replace(/-+$/, '');
}

function freeName(name: string, taken: Set<string>): string {
  for (let i = 1; ; i++) {
    const one = i === 1 ? name : `${name}-${i}`;
    if (taken.has(one)) continue;
    taken.add(one);
    return one;
  }
}
