import { isMapping } from '#model/is-mapping.ts';
import { insertOf, type ParameterUse, tablesOfTokens } from '#model/statements/parameter-uses.ts';
import { isOneOf, isSign, type PlacedToken, placedTokens } from '#model/statements/placed-tokens.ts';
import { namedParameters } from '#model/statements/program-parameters.ts';
import { parametersIn, type StatementLanguage } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';

/** The use of a parameter, with its column looked up in the catalog. */
export interface KnownUse {
  readonly parameter: string;
  /** values and insert: a value of the column; limit and offset: numbers of rows; count: the rows of a group. */
  readonly kind: 'values' | 'insert' | 'limit' | 'offset' | 'count' | 'unknown';
  /** The table and the column as a query writes them. Null: the kind has none. */
  readonly table: string | null;
  readonly column: string | null;
  /** The bound of a range that the parameter is. Null: it is none. */
  readonly bound: 'low' | 'high' | null;
}

/** A counted text with named parameters. */
export interface ReadText {
  readonly text: string;
  /** The tables that it names, as the catalog has them, each once. */
  readonly tables: readonly string[];
  /** The names of tables that the catalog does not have. */
  readonly unseen: readonly string[];
  readonly uses: readonly KnownUse[];
  /** The columns that its conditions and new values name. */
  readonly columns: readonly string[];
  /** True if the rows of a group depend on a parameter, which the server takes for two different ones. */
  readonly groupsByParameter: boolean;
  /** True if the text compares with LIKE. */
  readonly hasPattern: boolean;
  /** True if IN has a list of one value, as servers write lists of any length. */
  readonly hasShortList: boolean;
}

/** A catalog; null: it is unknown, and a text's own names are taken. */
type Catalog = readonly UserTable[] | null;

/** Reads a counted text with the catalog of its server. Pure. */
export const readText = (text: string, language: StatementLanguage, catalog: Catalog): ReadText =>
  language.language === 'sql' ? readSql(text, language, catalog) : readCommand(text, language, catalog);

const bare = (written: string): readonly string[] =>
  written
    .replaceAll(/["`[\]\s]/g, '')
    .toLowerCase()
    .split('.');

/** The entry of the catalog for a table as a text writes it. */
function tableIn(catalog: Catalog, written: string): UserTable | null {
  if (catalog === null) return null;
  const parts = bare(written);
  const [name, schema] = [parts.at(-1), parts.at(-2)];
  const named = catalog.filter((one) => one.name.toLowerCase() === name);
  if (schema !== undefined)
    return (
      named.find((one) => one.schema?.toLowerCase() === schema) ?? named.find((one) => one.schema === null) ?? null
    );
  const hasOwn = catalog.some((one) => one.schema === null);
  return named.find((one) => one.schema === null) ?? (hasOwn ? null : (named[0] ?? null));
}

const columnIn = (table: UserTable | null, column: string): string | null =>
  table?.columns.find((one) => one.toLowerCase() === column.toLowerCase()) ?? null;

function readSql(given: string, language: StatementLanguage, catalog: Catalog): ReadText {
  const { text, uses } = namedParameters(asProgram(withAllValues(given, language, catalog)), language);
  const tokens = placedTokens(text, language);
  const own = namesOfWith(tokens);
  const written = tablesOfTokens(text, tokens).filter(({ name }) => !own.has(name));
  const known = written.map((one) => ({ ...one, entry: tableIn(catalog, one.written) }));
  const found: KnownUse[] = [...uses].map(([parameter, use]) => {
    const none = { parameter, table: null, column: null, bound: null };
    const at = tokens.findIndex((token) => token.kind === 'parameter' && token.text === parameter);
    if (use?.role === 'limit') return { ...none, kind: isOffset(tokens, at) ? 'offset' : 'limit' };
    const place = use && (catalog === null ? writtenPlace(use) : placeOf(use, known));
    if (place)
      return { ...none, ...place, kind: use.role === 'insert' ? 'insert' : 'values', bound: boundAt(tokens, at) };
    return { ...none, kind: isCount(tokens, at) ? 'count' : 'unknown' };
  });
  const grouped = tokens.findIndex((token, i) => isOneOf(token, 'group') && isOneOf(tokens[i + 1], 'by'));
  const behind = tokens.findIndex((token, i) => i > grouped && isOneOf(token, 'having', 'order', 'limit', 'window'));
  return {
    text,
    tables: [...new Set(known.flatMap(({ entry, name }) => (entry ? [entry.name] : catalog === null ? [name] : [])))],
    unseen: catalog === null ? [] : [...new Set(known.flatMap(({ entry, written: name }) => (entry ? [] : [name])))],
    uses: found,
    columns: [...new Set(found.flatMap(({ column }) => (column === null ? [] : (bare(column).at(-1) ?? []))))],
    groupsByParameter:
      grouped !== -1 &&
      tokens.slice(grouped, behind === -1 ? undefined : behind).some((token) => token.kind === 'parameter'),
    hasPattern: tokens.some((token) => isOneOf(token, 'like', 'ilike')),
    hasShortList: tokens.some(
      (token, i) =>
        isOneOf(token, 'in') &&
        isSign(tokens[i + 1], '(') &&
        tokens[i + 2]?.kind === 'parameter' &&
        isSign(tokens[i + 3], ')'),
    ),
  };
}

/**
 * The text as a program would send it. DATE $1: only a literal may stand behind the name of its type. The server has
 * left spaces where it had comments.
 */
const asProgram = (text: string): string =>
  text.replaceAll(/\b(?:date|timestamp|timestamptz|time)\s+(?=\$\d)/gi, '').replaceAll(/(\$\d+|\?)\s+\)/g, '$1)');

/** The table and the column of a use, as a query writes them. */
function placeOf(
  { table, column, writtenColumn, position, role }: ParameterUse,
  known: readonly { readonly written: string; readonly entry: UserTable | null }[],
): { readonly table: string; readonly column: string } | null {
  const candidates = table ? known.filter(({ written }) => written === table.written) : known;
  for (const { written, entry } of candidates) {
    const name = column ?? (position === null ? null : (entry?.columns[position] ?? null));
    const found = name === null ? null : columnIn(entry, name);
    if (found === null) continue;
    // The columns of an INSERT are read without their quotes.
    const isAsWritten = writtenColumn !== null && role !== 'insert';
    return { table: written, column: isAsWritten ? writtenColumn : found };
  }
  return null;
}

/** The same without a catalog: the names that the text has. */
function writtenPlace({ table, column, writtenColumn, position }: ParameterUse): ReturnType<typeof placeOf> {
  const name = writtenColumn ?? column ?? (position === null ? null : `value ${position + 1}`);
  return table && name !== null ? { table: table.written, column: name } : null;
}

/**
 * An INSERT with a value for each column. A digest writes the values of a row as (?), or some of them as `?, ...`, and
 * may name further rows, which are left out.
 */
function withAllValues(text: string, language: StatementLanguage, catalog: Catalog): string {
  const tokens = placedTokens(text, language);
  const insert = insertOf(text, tokens);
  if (insert === null || !/\(\s*\?\s*\)|\?\s*,\s*\.\.\./.test(text)) return text;
  const [row = [], second] = insert.rows;
  const columns = insert.columns.length > 0 ? insert.columns : (tableIn(catalog, insert.table.written)?.columns ?? []);
  const isMore = (value: readonly PlacedToken[]) => value.every((token) => isSign(token, '.'));
  const written = row.flatMap((value) => (isMore(value) ? [] : [text.slice(value[0]!.start, value.at(-1)!.end)]));
  const lacks = row.some(isMore) || written.length === 1 ? Math.max(0, columns.length - written.length) : 0;
  const [first, end] = [row[0]?.[0]?.start, insert.rowEnds[0]];
  if (first === undefined || end === undefined || (lacks === 0 && second === undefined)) return text;
  const all = [...Array.from({ length: lacks }, () => '?'), ...written];
  const rest = second === undefined ? text.slice(end) : `)${text.slice(insert.rowEnds.at(-1)! + 1)}`;
  return `${text.slice(0, first)}${all.join(', ')}${rest.replace(/^\)\s*(?:,\s*\.\.\.)/, ')')}`;
}

/** The names that WITH defines. */
function namesOfWith(tokens: readonly PlacedToken[]): ReadonlySet<string> {
  const found = new Set<string>();
  if (!tokens.some((token) => isOneOf(token, 'with'))) return found;
  for (const [i, token] of tokens.entries()) {
    if (!isOneOf(token, 'as')) continue;
    const next = tokens.slice(i + 1, i + 4).find((one) => !isOneOf(one, 'not', 'materialized'));
    if (!isSign(next, '(')) continue;
    let at = i - 1;
    if (isSign(tokens[at], ')')) {
      while (at >= 0 && !isSign(tokens[at], '(')) at--;
      at--;
    }
    const name = tokens[at];
    if (name?.kind === 'word' || name?.kind === 'name') found.add(name.text.toLowerCase());
  }
  return found;
}

function isOffset(tokens: readonly PlacedToken[], at: number): boolean {
  if (isOneOf(tokens[at - 1], 'offset')) return true;
  // LIMIT 20, 10
  return isOneOf(tokens[at - 1], 'limit') && isSign(tokens[at + 1], ',');
}

/** True if the parameter is compared with count(…). */
function isCount(tokens: readonly PlacedToken[], at: number): boolean {
  const before = tokens[at - 1];
  if (before?.kind !== 'sign' || !['=', '<>', '<', '>', '<=', '>='].includes(before.text)) return false;
  let open = at - 2;
  if (!isSign(tokens[open], ')')) return false;
  for (let depth = 0; open >= 0; open--) {
    if (isSign(tokens[open], ')')) depth++;
    if (isSign(tokens[open], '(') && --depth === 0) break;
  }
  return isOneOf(tokens[open - 1], 'count');
}

function boundAt(tokens: readonly PlacedToken[], at: number): KnownUse['bound'] {
  const before = tokens[at - 1];
  if (isSign(before, '>') || isSign(before, '>=') || isOneOf(before, 'between')) return 'low';
  if (isSign(before, '<') || isSign(before, '<=')) return 'high';
  for (let i = at - 2; isOneOf(before, 'and') && i >= Math.max(0, at - 12); i--) {
    if (isOneOf(tokens[i], 'between')) return 'high';
    if (isOneOf(tokens[i], 'and', 'or', 'where')) return null;
  }
  return null;
}

/** Members of a command that hold conditions or new values; a field's name stands below them. */
const numbers: Readonly<Record<string, KnownUse['kind']>> = {
  limit: 'limit',
  skip: 'offset',
  $limit: 'limit',
  $skip: 'offset',
};
/** Members of commands and stages that are no fields. */
const members = new Set(
  'filter query q u update updates deletes documents pipeline key sort projection fields arrayFilters new'.split(' '),
);

function readCommand(text: string, language: StatementLanguage, catalog: Catalog): ReadText {
  const command: unknown = JSON.parse(text);
  const [verb = '', collection] = isMapping(command) ? (Object.entries(command)[0] ?? []) : [];
  const entry = typeof collection === 'string' ? tableIn(catalog, collection) : null;
  const uses: KnownUse[] = [];
  const walk = (value: unknown, path: readonly string[]): void => {
    if (Array.isArray(value)) for (const one of value) walk(one, path);
    else if (isMapping(value)) {
      if (typeof value.$param === 'string') uses.push(findUse(value.$param, path));
      else for (const [name, one] of Object.entries(value)) walk(one, [...path, name]);
    }
  };
  const findUse = (parameter: string, path: readonly string[]): KnownUse => {
    const none = { parameter, table: null, column: null, bound: null };
    const kind = numbers[path.at(-1) ?? ''];
    if (kind) return { ...none, kind };
    const column = path.filter((one) => !one.startsWith('$') && !members.has(one)).join('.');
    const isSeen = catalog === null || (entry !== null && columnIn(entry, column.split('.')[0] ?? '') !== null);
    if (!isSeen || column === '' || path.includes('$group')) return { ...none, kind: 'unknown' };
    const last = path.at(-1) ?? '';
    const bound = /^\$gte?$/.test(last) ? 'low' : /^\$lte?$/.test(last) ? 'high' : null;
    return {
      ...none,
      kind: verb === 'insert' ? 'insert' : 'values',
      table: entry?.name ?? String(collection),
      column,
      bound,
    };
  };
  walk(command, []);
  const named = typeof collection === 'string' ? [collection] : [];
  return {
    text,
    tables: entry ? [entry.name] : catalog === null ? named : [],
    unseen: entry || catalog === null ? [] : named,
    uses: parametersIn(text, language, []).map((name) => uses.find(({ parameter }) => parameter === name)!),
    columns: [...new Set(uses.flatMap(({ column }) => (column === null ? [] : [column])))],
    groupsByParameter: false,
    hasPattern: text.includes('"$regex"'),
    hasShortList: /"\$n?in":\[[^\],]*\]/.test(text),
  };
}
