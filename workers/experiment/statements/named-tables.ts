import { isMapping } from '#model/is-mapping.ts';
import { insertOf, tablesOfTokens } from '#model/statements/parameter-uses.ts';
import { isSign, placedTokens } from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { MadeTables } from './dataset-of-tables.ts';

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function changed(text: string, changes: readonly Change[]): string {
  let written = '';
  let at = 0;
  for (const { start, end, text: own } of changes.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    written += text.slice(at, start) + own;
    at = end;
  }
  return written + text.slice(at);
}

/** Names that servers take for keywords unless they stand in quotes. */
const reserved = new Set(
  (
    'order group user key select from to index table desc asc check default end limit primary references values where ' +
    'when option row rows rank date time timestamp level comment current column constraint all and any as case create'
  ).split(' '),
);

/** A statement in which the tables of a script have their names in the experiment: {name} instead of schema.Name. */
export function withGivenNames(text: string, language: StatementLanguage, names: MadeTables['names']): string {
  const tokens = placedTokens(text, language);
  const tables = tablesOfTokens(text, tokens).filter(({ name, isPlace }) => !isPlace && names.has(name));
  if (tables.length === 0) return text;
  const changes: Change[] = tables.map(({ name, from, to }) => ({
    start: tokens[from]!.start,
    end: tokens[to - 1]!.end,
    text: `{${names.get(name)!.table}}`,
  }));
  const aliases = new Set(tables.flatMap(({ alias }) => (alias === null ? [] : [alias])));
  const used = new Set(tables.map(({ name }) => name));
  // If tables share a name of a column, the first table decides.
  const columns = new Map([...used].reverse().flatMap((name) => [...names.get(name)!.columns]));
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    const lower = token.text.toLowerCase();
    if (used.has(lower) && isSign(tokens[i + 1], '.') && !aliases.has(lower)) {
      let start = i;
      while (isSign(tokens[start - 1], '.')) start -= 2;
      changes.push({ start: tokens[start]!.start, end: token.end, text: `{${names.get(lower)!.table}}` });
      continue;
    }
    const column = columns.get(lower);
    const isChanged = token.kind === 'name' ? !reserved.has(lower) || column !== lower : column !== lower;
    if (column !== undefined && isChanged && !isSign(tokens[i + 1], '('))
      changes.push({ start: token.start, end: token.end, text: column });
  }
  return changed(text, changes);
}

/** An INSERT that gives every row its key. */
interface WholeInsert {
  readonly text: string;
  /** The name of the key that was added; null: the text has it. */
  readonly key: string | null;
  /** Columns that the INSERT leaves out. */
  readonly missing: readonly string[];
}

/**
 * Adds the key to an INSERT that leaves it to the server, because a server does not number the rows of Dyno's tables.
 * Null: the statement is no INSERT into one of the tables.
 */
export function withKey(
  text: string,
  language: StatementLanguage,
  tables: MadeTables['tables'],
): (WholeInsert & { readonly table: string }) | null {
  const insert = insertOf(text, placedTokens(text, language));
  const table = insert?.table.isPlace ? tables[insert.table.name] : undefined;
  if (!insert || !table || insert.columnsEnd === null || !isMapping(table.columns)) return null;
  const missing = Object.keys(table.columns).filter((name) => !insert.columns.includes(name));
  const own = { table: insert.table.name, missing: missing.filter((one) => one !== table.key) };
  const key = typeof table.key === 'string' && missing.includes(table.key) ? table.key : null;
  if (key === null) return { ...own, text, key };
  const nameOf = (row: number) => (row === 0 ? key : `${key.slice(0, 27)}_${row + 1}`);
  return {
    ...own,
    text: changed(text, [
      { start: insert.columnsEnd, end: insert.columnsEnd, text: `, ${key}` },
      ...insert.rowEnds.map((end, row) => ({ start: end, end, text: `, :${nameOf(row)}` })),
    ]),
    key,
  };
}
