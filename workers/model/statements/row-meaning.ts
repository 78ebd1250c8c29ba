import { requestOf } from './json-request.ts';
import { isComment, partsOf, type StatementLanguage } from './statement-text.ts';

/** A look-up of rows by equality alone: "SELECT … FROM orders WHERE id = :id AND day = :day". */
interface LookUp {
  readonly table: string;
  /** Compared columns, in lower case, with the parameter of each comparison. */
  readonly columns: readonly string[];
  readonly parameters: readonly string[];
}

/** The meaning of the rows that a statement's calls return or change, derived from its text. */
export interface RowMeaning {
  /**
   * other: its rows have no meaning (a procedure, an upsert), and its changed tables are unknown. none: it does no
   * work.
   */
  readonly command: 'select' | 'insert' | 'update' | 'delete' | 'other' | 'none';
  /** Every call returns one row: an aggregate without GROUP BY. */
  readonly oneRow: boolean;
  /** The rows depend on the time, or on locks of other sessions. */
  readonly isMoving: boolean;
  /** The tables that it reads or searches, in lower case; null: unknown. */
  readonly reads: readonly string[] | null;
  /** The table that it changes; null: none, or unknown. */
  readonly changes: string | null;
  /** The columns that an update sets; null: unknown. */
  readonly sets: readonly string[] | null;
  /** Names that determine the rows it finds. */
  readonly conditions: ReadonlySet<string>;
  readonly lookUp: LookUp | null;
}

const nothing: RowMeaning = {
  command: 'other',
  oneRow: false,
  isMoving: false,
  reads: null,
  changes: null,
  sets: null,
  conditions: new Set(),
  lookUp: null,
};

/** Reads a statement in the engine's language. */
export function rowMeaning(text: string, language: StatementLanguage): RowMeaning {
  if (language.language === 'json') return commandMeaning(text);
  if (language.language === 'rql') {
    const request = requestOf(text);
    if (request === null) return queryMeaning(text, language);
    if (request.kind === 'load') return { ...nothing, command: 'select' };
    return request.kind === 'query' ? queryMeaning(String(request.body.Query), language) : nothing;
  }
  return queryMeaning(text, language);
}

/** True if any number of calls of one statement leaves the answers of another's calls unchanged. */
export function leavesAnswersOf({ command, changes }: RowMeaning, { reads }: RowMeaning): boolean {
  if (command === 'select' || command === 'none' || reads?.length === 0) return true;
  // A delete may cascade to other tables.
  if (command === 'delete' || command === 'other' || changes === null || reads === null) return false;
  return !reads.some((table) => sameTable(table, changes));
}

/**
 * True if any number of calls of one statement leaves the number of rows of another's calls unchanged. An insert of
 * values finds no rows, so its count never changes.
 */
export function leavesRowsOf(other: RowMeaning, statement: RowMeaning): boolean {
  if (leavesAnswersOf(other, statement)) return true;
  const { command, changes, sets } = other;
  if (command !== 'update' || changes === null || statement.reads === null) return false;
  return sets !== null && !sets.some((column) => statement.conditions.has(column));
}

/** True for two names of one table, even if one lacks the schema. */
export const sameTable = (a: string, b: string): boolean => lastOf(a) === lastOf(b);
const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

interface Token {
  readonly kind: 'word' | 'sign' | 'parameter' | 'text';
  readonly text: string;
}

function tokensOf(text: string, language: StatementLanguage): readonly Token[] {
  const quotesTexts = language.language === 'rql' || language.quoting?.includes('backslash');
  return partsOf(text, language).flatMap((part): readonly Token[] => {
    if (part.kind === 'parameter') return [{ kind: 'parameter', text: part.name }];
    if (part.kind === 'table') return [{ kind: 'word', text: `{${part.name}}` }];
    if (part.kind === 'code')
      return [...part.text.matchAll(/[\p{L}_@#][\p{L}\p{N}_@#$]*|\d[\w.]*|::|\S/gu)].map(({ 0: found }) => ({
        kind: /^[\p{L}_@#]/u.test(found) ? 'word' : 'sign',
        text: found.toLowerCase(),
      }));
    if (isComment(part.text)) return [];
    const isName = /^[`[]/.test(part.text) || (part.text.startsWith('"') && !quotesTexts);
    return [{ kind: isName ? 'word' : 'text', text: part.text.slice(1, -1).toLowerCase() }];
  });
}

const movingWords = new Set(
  (
    'now current_timestamp current_date current_time localtimestamp localtime sysdate systimestamp sysdatetime getdate ' +
    'getutcdate statement_timestamp transaction_timestamp clock_timestamp curdate curtime unix_timestamp utc_timestamp ' +
    'readpast tablesample'
  ).split(' '),
);
const idle = ['show', 'describe', 'explain', 'set', 'pragma', 'analyze', 'use', 'reset'];
const changing = ['insert', 'update', 'delete', 'merge', 'replace', 'into'];
/** Words of an insert that skips rows, or changes existing rows. */
const upserting = ['ignore', 'conflict', 'duplicate', 'replace', 'or', 'all'];
const aggregates = new Set(
  (
    'count sum min max avg any_value array_agg string_agg json_agg jsonb_agg json_arrayagg group_concat listagg ' +
    'stddev variance bool_and bool_or total median count_big'
  ).split(' '),
);
/** Words that end a condition. */
const afterWhere = new Set(
  'group order limit offset fetch for returning output option having window union select include'.split(' '),
);

function queryMeaning(text: string, language: StatementLanguage): RowMeaning {
  const tokens = tokensOf(text, language);
  const first = tokens.find(({ kind }) => kind === 'word')?.text ?? '';
  const isMoving = tokens.some(({ kind, text: word }, i) =>
    kind === 'word' ? movingWords.has(word) || (word === 'skip' && isWord(tokens[i + 1], ['locked'])) : word === 'now',
  );
  const depths = depthsOf(tokens);
  /** The first of these words outside brackets, from a position; the number of tokens without any. */
  const find = (words: readonly string[], from = 0): number => {
    const at = tokens.findIndex((token, i) => i >= from && depths[i] === 0 && isWord(token, words));
    return at === -1 ? tokens.length : at;
  };
  const has = (words: readonly string[]) => find(words) < tokens.length;
  const namesFrom = (at: number) => new Set(tokens.slice(at).flatMap((one) => (one.kind === 'word' ? [one.text] : [])));
  const common = { ...nothing, isMoving };
  if (idle.includes(first)) return { ...common, command: 'none' };
  if (language.language === 'rql') {
    if (tokens.some((token) => isWord(token, ['update']))) return common;
    return {
      ...{ ...common, command: 'select', reads: tablesIn(tokens), conditions: namesFrom(0) },
      lookUp: lookUpOf(tokens, depths),
    };
  }
  switch (first) {
    case 'select':
    case 'with':
    case 'values':
    case 'table': {
      const isChange = (token: Token, i: number) =>
        isWord(token, changing) && !isWord(tokens[i - 1], ['for', 'key']) && tokens[i + 1]?.text !== '(';
      if (tokens.some(isChange)) return common;
      const select = find(['select']);
      const from = find(['from'], select);
      const list = tokens.slice(select + 1, from);
      const sets = ['union', 'intersect', 'except', 'minus'];
      return {
        ...common,
        command: 'select',
        oneRow: from < tokens.length && isAggregate(list) && !has(['group', 'having', ...sets]),
        reads: tablesIn(tokens),
        conditions: namesFrom(first === 'with' || has(sets) ? 0 : from),
        lookUp: first === 'select' ? lookUpOf(tokens, depths) : null,
      };
    }
    case 'insert': {
      const values = find(['values', 'select', 'with', 'default']);
      const target = tablesIn(tokens)[0];
      if (
        target === undefined ||
        tokens.some((token) => isWord(token, upserting.slice(0, 4))) ||
        (first === tokens[0]?.text && isWord(tokens[1], upserting))
      )
        return common;
      const source = tokens.slice(values);
      return {
        ...{ ...common, command: 'insert', changes: target },
        ...{ reads: tablesIn(source), conditions: namesFrom(values) },
      };
    }
    case 'update': {
      const set = find(['set']);
      const end = find(['where', 'from', 'output', 'returning'], set);
      const target = tablesIn(tokens.slice(0, set))[0];
      if (target === undefined || set === tokens.length) return common;
      return {
        ...{ ...common, command: 'update', changes: target, sets: columnsSet(tokens, depths, set, end) },
        ...{ reads: tablesIn(tokens), conditions: namesFrom(end), lookUp: lookUpOf(tokens, depths) },
      };
    }
    case 'delete':
      return { ...common, command: 'delete', reads: tablesIn(tokens), conditions: namesFrom(0) };
    default:
      return common;
  }
}

const isWord = (token: Token | undefined, words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.text);

/** The number of open brackets before each token; a bracket itself counts as outside. */
function depthsOf(tokens: readonly Token[]): readonly number[] {
  let depth = 0;
  return tokens.map(({ kind, text }) => {
    if (kind === 'sign' && text === ')') depth--;
    const own = depth;
    if (kind === 'sign' && text === '(') depth++;
    return own;
  });
}

/** The end of a name with its schemas that begins here, and the name. */
function nameAt(tokens: readonly Token[], at: number): { readonly name: string; readonly end: number } | null {
  if (tokens[at]?.kind !== 'word') return null;
  let end = at + 1;
  let name = tokens[at].text;
  while (tokens[end]?.text === '.' && tokens[end + 1]?.kind === 'word') {
    name += `.${tokens[end + 1]!.text}`;
    end += 2;
  }
  return { name, end };
}

/** Words before the name of a table, and words that may come in between. */
const beforeTables = ['from', 'join', 'into', 'update', 'using'];
const notTables = ['only', 'lateral', 'set', 'of', 'skip', 'nowait', 'select', 'index', 'ignore', 'low_priority'];
const afterTables = ['where', 'join', 'on', 'group', 'order', 'set', 'select', 'left', 'inner', 'cross', 'values'];

function tablesIn(tokens: readonly Token[]): readonly string[] {
  const found = new Set<string>();
  for (let at = 0; at < tokens.length; at++) {
    if (!isWord(tokens[at], beforeTables)) continue;
    for (let next = at + 1; ; ) {
      while (isWord(tokens[next], notTables)) next++;
      const named = nameAt(tokens, next);
      // A table function has none of these words.
      if (named === null || (tokens[named.end]?.text === '(' && !isWord(tokens[at], ['into']))) break;
      found.add(named.name);
      next = named.end;
      if (isWord(tokens[next], ['as'])) next++;
      if (tokens[next]?.kind === 'word' && !isWord(tokens[next], afterTables)) next++;
      if (tokens[next]?.text !== ',' || !isWord(tokens[at], ['from', 'update'])) break;
      next++;
    }
  }
  return [...found];
}

/** The select list has an aggregate at its own level, and no window. */
function isAggregate(list: readonly Token[]): boolean {
  if (list.some((token) => isWord(token, ['over']))) return false;
  const depths = depthsOf(list);
  let within: number | null = null;
  return list.some((token, i) => {
    if (within !== null && depths[i]! < within) within = null;
    if (within === null && isWord(token, ['select'])) within = depths[i]!;
    return within === null && token.kind === 'word' && aggregates.has(token.text) && list[i + 1]?.text === '(';
  });
}

function columnsSet(
  tokens: readonly Token[],
  depths: readonly number[],
  set: number,
  end: number,
): readonly string[] | null {
  const columns: string[] = [];
  for (let at = set + 1; at < end; at++) {
    const isStart = at === set + 1 || (depths[at - 1] === 0 && tokens[at - 1]!.text === ',');
    if (!isStart) continue;
    const named = nameAt(tokens, at);
    if (named === null || tokens[named.end]?.text !== '=') return null;
    columns.push(lastOf(named.name));
  }
  return columns;
}

/** The condition on one table that compares each column with a parameter; null: another condition, or none. */
function lookUpOf(tokens: readonly Token[], depths: readonly number[]): LookUp | null {
  const [table, ...others] = tablesIn(tokens);
  const where = tokens.findIndex((token, i) => depths[i] === 0 && isWord(token, ['where']));
  if (table === undefined || others.length > 0 || where === -1) return null;
  if (tokens.some((token) => isWord(token, ['join', 'having', 'union', 'offset']))) return null;
  const end = tokens.findIndex((token, i) => i > where && depths[i] === 0 && isWord(token, [...afterWhere]));
  const condition = tokens
    .slice(where + 1, end === -1 ? tokens.length : end)
    .filter(({ kind, text }) => !(kind === 'sign' && (text === ';' || text === '(' || text === ')')));
  const parameters: string[] = [];
  const columns: string[] = [];
  for (let at = 0; at < condition.length; at++) {
    if (at > 0) {
      if (!isWord(condition[at], ['and'])) return null;
      at++;
    }
    const isTurned = condition[at]?.kind === 'parameter';
    const parameter = (i: number): number | null => {
      if (condition[i]?.kind !== 'parameter') return null;
      parameters.push(condition[i].text);
      return condition[i + 1]?.text === '::' ? i + 3 : i + 1;
    };
    const column = (i: number): number | null => {
      const quoted = condition[i]?.kind === 'text' ? { name: condition[i].text, end: i + 1 } : null;
      const named = quoted ?? nameAt(condition, i);
      if (named !== null) columns.push(lastOf(named.name));
      return named?.end ?? null;
    };
    const behind = isTurned ? parameter(at) : column(at);
    if (behind === null || condition[behind]?.text !== '=') return null;
    const next = isTurned ? column(behind + 1) : parameter(behind + 1);
    if (next === null) return null;
    at = next - 1;
  }
  return parameters.length === 0 ? null : { table, columns, parameters };
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A command of MongoDB. */
function commandMeaning(text: string): RowMeaning {
  const command = parsed(text);
  if (command === null) return nothing;
  const [name = ''] = Object.keys(command);
  const table = String(command[name]).toLowerCase();
  const isMoving = /\$\$NOW|\$sample|\$rand\b/.test(text);
  const names = new Set(text.match(/[\p{L}_]\w*/gu));
  const common = { ...nothing, isMoving, reads: [table], conditions: names };
  switch (name) {
    case 'find':
      return { ...common, command: 'select', lookUp: lookUpBy(table, command.filter) };
    case 'distinct':
      return { ...common, command: 'select' };
    case 'count':
      return { ...common, command: 'select', oneRow: true };
    case 'aggregate': {
      if (/"\$(out|merge)"/.test(text)) return nothing;
      const joined = [...text.matchAll(/"(?:from|coll|\$unionWith)"\s*:\s*"([^"]+)"/g)].map(([, from]) =>
        from!.toLowerCase(),
      );
      return { ...common, command: 'select', reads: [...new Set([table, ...joined])] };
    }
    case 'insert':
      return { ...common, command: 'insert', changes: table, reads: [] };
    case 'update': {
      const updates = Array.isArray(command.updates) ? command.updates.filter(isFields) : [];
      if (updates.some(({ upsert }) => upsert !== undefined)) return nothing;
      const { q, u } = updates.length === 1 ? updates[0]! : {};
      return {
        ...{ ...common, command: 'update', changes: table, sets: fieldsSet(u) },
        ...{ conditions: new Set(JSON.stringify(q ?? null).match(/[\p{L}_]\w*/gu)), lookUp: lookUpBy(table, q) },
      };
    }
    case 'delete':
      return { ...common, command: 'delete' };
    case 'ping':
      return { ...nothing, command: 'none' };
    default:
      return nothing;
  }
}

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** The fields in an update's operators; null: it replaces documents, or is a pipeline. */
function fieldsSet(update: unknown): readonly string[] | null {
  if (!isFields(update) || Object.keys(update).some((one) => !one.startsWith('$'))) return null;
  return Object.values(update).flatMap((fields) =>
    isFields(fields) ? Object.keys(fields).map((one) => one.split('.')[0]!) : [],
  );
}

/** A filter that compares each field with a parameter. */
function lookUpBy(table: string, filter: unknown): LookUp | null {
  if (!isFields(filter)) return null;
  const columns = Object.keys(filter);
  const parameters = columns.map((field) => (field.startsWith('$') ? null : parameterIn(filter[field])));
  return parameters.length === 0 || parameters.includes(null)
    ? null
    : {
        table,
        columns: columns.map((one) => one.toLowerCase()),
        parameters: parameters.filter((one) => one !== null),
      };
}

/** Operators whose value is the compared value itself. */
const wrapping = new Set(['$eq', '$oid', '$date', '$numberDecimal', '$numberLong', '$uuid', '$param']);

/** "$code", {"$eq": "$code"}, {"$param": "code"}: the name; null: another value. */
function parameterIn(value: unknown): string | null {
  if (typeof value === 'string') return value.startsWith('$') ? value.slice(1) : null;
  if (!isFields(value)) return null;
  const [[operator, inner] = ['', null], ...others] = Object.entries(value);
  if (others.length > 0 || !wrapping.has(operator)) return null;
  return operator === '$param' ? String(inner) : parameterIn(inner);
}
