import type { Tables } from '#model/dataset/tables.ts';
import {
  behindBracket,
  betweenCommas,
  isOneOf,
  isSign,
  type PlacedToken,
  placedTokens,
} from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { ColumnUse, Condition, StatementShape, WrappedCondition } from './statement-shape.ts';

type Tokens = readonly PlacedToken[];

/** A table of Dyno's in a statement, with the name before its columns. */
interface Source {
  readonly table: string;
  readonly alias: string;
}

const clauses = 'select from where group having order limit offset fetch for returning set values window'.split(' ');
const afterTable = 'on using join inner left right full cross natural straight_join as force use ignore'.split(' ');

/** Reads one SELECT, UPDATE, DELETE or INSERT without WITH, set operations and derived tables. */
export function sqlShape(text: string, language: StatementLanguage, tables: Tables): StatementShape | null {
  const tokens = placedTokens(text, language);
  const verb = tokens[0]?.text;
  if (verb !== 'select' && verb !== 'update' && verb !== 'delete' && verb !== 'insert') return null;
  const outer = depthZero(tokens);
  if (outer.some(({ token }) => isOneOf(token, 'union', 'intersect', 'except', 'minus', 'into') && verb === 'select'))
    return null;
  if (verb === 'insert') {
    const inserted = tokens[tokens.findIndex((token) => isOneOf(token, 'into')) + 1];
    const own = inserted?.kind === 'table' ? [inserted.text] : [];
    return { verb, tables: own, conditions: [], wrapped: [], order: [], reads: null };
  }
  const partAt = (...words: readonly string[]): Tokens => clauseOf(tokens, outer, words);
  const from = verb === 'update' ? partAt('update') : partAt('from');
  const found = sourcesOf(from, tables);
  if (found === null) return null;
  const { sources, joined } = found;
  const reader = { text, sources, tables };
  const where = [...conjuncts(partAt('where')), ...joined.flatMap(conjuncts)];
  const read = where.map((one) => readCondition(one, reader));
  const order = orderOf(partAt('order'), reader) ?? orderOf(partAt('group'), reader) ?? [];
  return {
    verb,
    tables: sources.map(({ table }) => table),
    conditions: read.flatMap((one) => one?.conditions ?? []),
    wrapped: read.flatMap((one) => one?.wrapped ?? []),
    order,
    reads: readsOf(tokens, partAt('select'), reader),
  };
}

interface Outer {
  readonly token: PlacedToken;
  readonly at: number;
}

/** The tokens outside of brackets, with their positions. */
function depthZero(tokens: Tokens): readonly Outer[] {
  let depth = 0;
  return tokens.flatMap((token, at) => {
    if (isSign(token, ')')) depth--;
    const own = depth === 0 ? [{ token, at }] : [];
    if (isSign(token, '(')) depth++;
    return own;
  });
}

/** The tokens behind one of these words up to the next clause. */
function clauseOf(tokens: Tokens, outer: readonly Outer[], words: readonly string[]): Tokens {
  const begin = outer.findIndex(({ token }) => isOneOf(token, ...words));
  if (begin === -1) return [];
  const next = outer.slice(begin + 1).find(({ token }) => isOneOf(token, ...clauses));
  const own = tokens.slice(outer[begin]!.at + 1, next?.at ?? tokens.length);
  const isBy = isOneOf(own[0], 'by');
  const ended = own.at(-1);
  return own.slice(isBy ? 1 : 0, isSign(ended, ';') ? -1 : undefined);
}

/** The tables of a FROM, and the conditions of its joins; null: it has a derived table. */
function sourcesOf(from: Tokens, tables: Tables): { sources: readonly Source[]; joined: readonly Tokens[] } | null {
  const sources: Source[] = [];
  const joined: PlacedToken[][] = [];
  let isOn = false;
  for (let i = 0; i < from.length; i++) {
    const token = from[i]!;
    if (isSign(token, '(') && isOneOf(from[i + 1], 'select')) return null;
    if (token.kind === 'table') {
      isOn = false;
      if (tables[token.text] === undefined) return null;
      const next = isOneOf(from[i + 1], 'as') ? from[i + 2] : from[i + 1];
      const hasAlias = (next?.kind === 'word' && !afterTable.includes(next.text)) || next?.kind === 'name';
      sources.push({ table: token.text, alias: hasAlias ? next.text : '' });
    } else if (isOneOf(token, 'on')) {
      isOn = true;
      joined.push([]);
    } else if (isOneOf(token, ...afterTable) || isSign(token, ',')) isOn = false;
    else if (isOn) joined.at(-1)!.push(token);
  }
  return { sources, joined };
}

/** The conditions that must all hold. Empty: there are none, or one of several suffices (OR). */
function conjuncts(condition: Tokens): readonly Tokens[] {
  const outer = depthZero(condition);
  if (outer.some(({ token }) => isOneOf(token, 'or'))) return [];
  const parts: PlacedToken[][] = [[]];
  let isBetween = false;
  let last = 0;
  for (const { token, at } of outer) {
    if (isOneOf(token, 'between')) isBetween = true;
    else if (isOneOf(token, 'and')) {
      if (isBetween) isBetween = false;
      else {
        parts.at(-1)!.push(...condition.slice(last, at));
        parts.push([]);
        last = at + 1;
      }
    }
  }
  parts.at(-1)!.push(...condition.slice(last));
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part) =>
      isSign(part[0], '(') && behindBracket(part, 0) === part.length ? conjuncts(part.slice(1, -1)) : [part],
    );
}

interface Reader {
  readonly text: string;
  readonly sources: readonly Source[];
  readonly tables: Tables;
}

interface FoundColumn extends Pick<ColumnUse, 'table' | 'column'> {
  /** The number of tokens: 3 for "o.sold". */
  readonly length: number;
}

/** The column that begins at a token; null: the token begins none. */
function columnAt(tokens: Tokens, at: number, { sources, tables }: Reader): FoundColumn | null {
  const token = tokens[at];
  const isName = (one: PlacedToken | undefined) => one?.kind === 'word' || one?.kind === 'name';
  if (token === undefined || (!isName(token) && token.kind !== 'table')) return null;
  if (at > 0 && isSign(tokens[at - 1], '.')) return null;
  if (isSign(tokens[at + 1], '.') && isName(tokens[at + 2])) {
    const source = sources.find(({ alias, table }) => alias === token.text || (alias === '' && table === token.text));
    const column = tokens[at + 2]!.text;
    return source && tables[source.table]?.columns[column] ? { table: source.table, column, length: 3 } : null;
  }
  if (isSign(tokens[at + 1], '(')) return null;
  const own = sources.filter(({ table }) => tables[table]?.columns[token.text]);
  return own.length === 1 ? { table: own[0]!.table, column: token.text, length: 1 } : null;
}

const columnsIn = (tokens: Tokens, reader: Reader): readonly FoundColumn[] =>
  tokens.flatMap((_, at) => columnAt(tokens, at, reader) ?? []);

interface ReadCondition {
  readonly conditions: readonly Condition[];
  readonly wrapped: readonly WrappedCondition[];
}

const ranges = ['<', '>', '<=', '>='];

function readCondition(tokens: Tokens, reader: Reader): ReadCondition | null {
  const outer = depthZero(tokens);
  const operator = outer.find(
    ({ token }) =>
      ['=', ...ranges].some((sign) => isSign(token, sign)) || isOneOf(token, 'in', 'between', 'like', 'is'),
  );
  if (operator === undefined) return null;
  const { at, token } = operator;
  if (outer.some(({ token: one }) => isOneOf(one, 'not'))) return null;
  const [left, right] = [tokens.slice(0, at), tokens.slice(at + 1)];
  const isPlain = (side: Tokens) => columnAt(side, 0, reader)?.length === side.length && side.length > 0;
  if (isPlain(left) && isPlain(right)) {
    const [a, b] = [columnAt(left, 0, reader)!, columnAt(right, 0, reader)!];
    if (token.text !== '=' || a.table === b.table) return null;
    return {
      conditions: [a, b].map(({ table, column }) => ({ table, column, kind: 'join', constant: null })),
      wrapped: [],
    };
  }
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (columnsIn(other, reader).length > 0 || other.length === 0) continue;
    if (isPlain(side)) {
      const { table, column } = columnAt(side, 0, reader)!;
      const kind = kindOf(token, other);
      if (kind === null) return null;
      const isFixed = other.every((one) => one.kind !== 'parameter') && side === left;
      const constant = isFixed ? `${column} ${reader.text.slice(token.start, tokens.at(-1)!.end)}` : null;
      return { conditions: [{ table, column, kind, constant }], wrapped: [] };
    }
    const wrapped = token.text === '=' ? wrappedIn(side, other, tokens, reader) : null;
    if (wrapped) return { conditions: [], wrapped: [wrapped] };
  }
  return null;
}

function kindOf(token: PlacedToken, other: Tokens): Condition['kind'] | null {
  if (other.some((one) => isOneOf(one, 'select'))) return null;
  if (token.text === '=') return 'equal';
  if (token.text === 'in') return 'in';
  if (token.text === 'is') return isOneOf(other[0], 'null') ? 'isNull' : null;
  if (token.text === 'like') return other[0]?.kind === 'text' && !/^[%_]/.test(other[0].text) ? 'prefix' : null;
  return 'range';
}

const textOf = (tokens: Tokens, text: string): string => text.slice(tokens[0]!.start, tokens.at(-1)!.end);

function wrappedIn(side: Tokens, other: Tokens, whole: Tokens, reader: Reader): WrappedCondition | null {
  const { text } = reader;
  const found = side.flatMap((_, at) => {
    const column = columnAt(side, at, reader);
    return column ? [{ ...column, written: textOf(side.slice(at, at + column.length), text) }] : [];
  });
  const [only, ...more] = found;
  // A table of the user's own has columns that nobody knows: the last name that is no function is one.
  const known = only ?? (reader.sources.length === 0 ? unknownColumn(side, text) : null);
  if (known === null || more.length > 0) return null;
  return {
    ...{ table: only?.table ?? null, column: known.column, written: known.written },
    ...{ expression: textOf(side, text), value: textOf(other, text) },
    ...{ start: whole[0]!.start, end: whole.at(-1)!.end },
  };
}

const typeWords = ['as', 'date', 'from', 'year', 'interval', 'day'];

function unknownColumn(side: Tokens, text: string): { readonly column: string; readonly written: string } | null {
  const names = side.flatMap((token, at) =>
    (token.kind === 'word' || token.kind === 'name') &&
    !isSign(side[at + 1], '(') &&
    !isSign(side[at + 1], '.') &&
    !typeWords.includes(token.text)
      ? [at]
      : [],
  );
  const [at, ...more] = names;
  if (at === undefined || more.length > 0) return null;
  const from = isSign(side[at - 1], '.') ? at - 2 : at;
  return { column: side[at]!.text, written: textOf(side.slice(from, at + 1), text) };
}

function orderOf(clause: Tokens, reader: Reader): StatementShape['order'] | null {
  const keys = betweenCommas(clause);
  if (keys.length === 0) return null;
  const read = keys.map((key) => {
    const column = columnAt(key, 0, reader);
    const behind = key.slice(column?.length ?? 0);
    if (column === null || !behind.every((token) => isOneOf(token, 'asc', 'desc'))) return null;
    return { table: column.table, column: column.column, descending: behind.some((token) => isOneOf(token, 'desc')) };
  });
  return read.includes(null) ? [] : read.map((one) => one!);
}

function readsOf(tokens: Tokens, selected: Tokens, reader: Reader): StatementShape['reads'] {
  const hasStar = selected.some(
    (token, at) => isSign(token, '*') && !(isSign(selected[at - 1], '(') && isSign(selected[at + 1], ')')),
  );
  if (hasStar || selected.length === 0) return null;
  const found = new Map<string, string[]>(reader.sources.map(({ table }) => [table, []]));
  for (const { table, column } of columnsIn(tokens, reader)) {
    const own = found.get(table)!;
    if (!own.includes(column)) own.push(column);
  }
  return found;
}
