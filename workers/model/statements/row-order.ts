import { requestOf } from './json-request.ts';
import { type ReadToken, readTokens } from './read-tokens.ts';
import { rowMeaning } from './row-meaning.ts';
import type { StatementLanguage } from './statement-text.ts';

/** The order of a reading statement's rows, and the reasons why equal data may give other rows, from its text. */
export interface RowOrder {
  /**
   * The sort keys of the outermost query: the name of a column in lower case, its position from 1, or null for an
   * expression. Empty: the rows have no order.
   */
  readonly keys: readonly (string | number | null)[];
  /** The outermost query returns only the first of its rows (LIMIT). */
  readonly isLimited: boolean;
  /** The outermost query leaves out its first rows (OFFSET). */
  readonly skips: boolean;
  /** The text has groups, whose texts a collation may take as equal (DISTINCT, GROUP BY, UNION, min, max). */
  readonly groups: boolean;
  /** The part of the text by which two calls may have other answers, such as "random()"; null: none. */
  readonly moving: string | null;
  /** The part of the text whose rows depend on the plan, such as "row_number()"; null: none. */
  readonly unsettled: string | null;
}

const settled: RowOrder = { keys: [], isLimited: false, skips: false, groups: false, moving: null, unsettled: null };

/** Reads a statement in the engine's language. The text only reads (reads-only.ts). */
export function rowOrder(text: string, language: StatementLanguage): RowOrder {
  const order = orderOf(text, language);
  return order.moving === null && rowMeaning(text, language).isMoving
    ? { ...order, moving: 'the current time, a random sample, or rows that other sessions lock' }
    : order;
}

function orderOf(text: string, language: StatementLanguage): RowOrder {
  if (language.language === 'json') return commandOrder(text);
  const request = language.language === 'rql' ? requestOf(text) : null;
  if (request !== null && request.kind !== 'query') return settled;
  const tokens = readTokens(request === null ? text : String(request.body.Query), language);
  return typeof tokens === 'string' ? { ...settled, unsettled: tokens } : queryOrder(tokens);
}

const wordsOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const movingFunctions = wordsOf(
  'rand random dbms_random newid newsequentialid uuid uuid_short gen_random_uuid uuidv4 uuidv7 uuid_generate_v1 ' +
    'uuid_generate_v4 sys_guid random_bytes randomblob random_normal generate_unique connection_id pg_backend_pid ' +
    'txid_current pg_current_xact_id last_insert_id changes total_changes',
);
const unsettledFunctions = wordsOf(
  'row_number ntile first_value last_value nth_value lag lead group_concat string_agg array_agg json_agg jsonb_agg ' +
    'json_arrayagg json_objectagg json_group_array json_group_object listagg xmlagg xml_agg any_value arbitrary',
);
const grouping = wordsOf('distinct group union intersect except minus min max');
const limits = wordsOf('limit top fetch');
/** Words behind an ORDER BY, outside of brackets. */
const afterOrder = wordsOf('limit offset fetch for option rows include select with union');
const afterKey = wordsOf('asc desc nulls first last collate as double long alphanumeric');

const isWord = (token: ReadToken | undefined, word: string): boolean => token?.kind === 'word' && token.text === word;
const isSign = (token: ReadToken | undefined, sign: string): boolean => token?.kind === 'sign' && token.text === sign;

function queryOrder(tokens: readonly ReadToken[]): RowOrder {
  const depths = depthsOf(tokens);
  const isOuter = (at: number) => depths[at] === 0;
  const words = tokens.flatMap((token, at) => (token.kind === 'word' ? [{ text: token.text, at }] : []));
  const isCall = (at: number) => isSign(tokens[at + 1], '(');
  const moving = words.find(({ text, at }) => movingFunctions.has(text) && (isCall(at) || text === 'dbms_random'));
  const called = words.find(({ text, at }) => unsettledFunctions.has(text) && isCall(at));
  const inner = words.find(({ text, at }) => limits.has(text) && !isOuter(at));
  const rownum = words.find(({ text }) => text === 'rownum');
  const distinctOn = words.find(({ text, at }) => text === 'distinct' && isWord(tokens[at + 1], 'on'));
  const bare = bareColumn(tokens, depths);
  const order = words.findLast(({ text, at }) => text === 'order' && isOuter(at))?.at;
  return {
    keys: order === undefined ? [] : keysFrom(tokens, depths, order),
    isLimited: words.some(({ text, at }) => limits.has(text) && isOuter(at)),
    skips: words.some(({ text, at }) => text === 'offset' && isOuter(at)) || hasCommaInLimit(tokens, depths),
    groups: words.some(({ text }) => grouping.has(text)),
    moving: moving ? `${moving.text}()` : null,
    unsettled: called
      ? `${called.text}()`
      : inner
        ? `${inner.text.toUpperCase()} in a subquery`
        : rownum
          ? 'ROWNUM'
          : distinctOn
            ? 'DISTINCT ON'
            : bare === null
              ? null
              : `the column ${bare}, which GROUP BY does not name`,
  };
}

/** The number of open brackets before each token; a bracket itself counts as outside. */
function depthsOf(tokens: readonly ReadToken[]): readonly number[] {
  let depth = 0;
  return tokens.map((token) => {
    if (isSign(token, ')')) depth--;
    const own = depth;
    if (isSign(token, '(')) depth++;
    return own;
  });
}

/** LIMIT 10, 20 leaves out ten rows. */
function hasCommaInLimit(tokens: readonly ReadToken[], depths: readonly number[]): boolean {
  const limit = tokens.findIndex((token, at) => isWord(token, 'limit') && depths[at] === 0);
  return limit !== -1 && tokens.slice(limit).some((token) => isSign(token, ','));
}

function keysFrom(
  tokens: readonly ReadToken[],
  depths: readonly number[],
  order: number,
): readonly (string | number | null)[] {
  const from = order + (isWord(tokens[order + 1], 'siblings') ? 3 : 2);
  const ends = (token: ReadToken, at: number) =>
    at >= from &&
    depths[at] === 0 &&
    (isSign(token, ';') || (token.kind === 'word' && afterOrder.has(token.text) && !isSign(tokens[at - 1], '.')));
  const end = tokens.findIndex(ends);
  const list = tokens.slice(from, end === -1 ? tokens.length : end);
  const answered = answeredColumns(tokens, depths);
  return listed(list, depths.slice(from)).map((item) => {
    const key = item.filter(({ kind, text }) => kind !== 'word' || !afterKey.has(text));
    const [only] = key;
    if (key.length === 1 && only?.kind === 'number') return Number(only.text);
    if (key.length === 1) return columnOf(key);
    // "s.city" may be another column than the answer's "city".
    const place = answered.findIndex((column) => textOf(column) === textOf(key));
    return place === -1 ? null : place + 1;
  });
}

const textOf = (tokens: readonly ReadToken[]): string => tokens.map(({ text }) => text).join(' ');

/** The columns that the outermost query returns, without their new names; empty where the text does not list them. */
function answeredColumns(tokens: readonly ReadToken[], depths: readonly number[]): readonly (readonly ReadToken[])[] {
  const [select, from] = selectOf(tokens, depths);
  if (select === -1 || from === -1) return [];
  const start = isWord(tokens[select + 1], 'distinct') || isWord(tokens[select + 1], 'all') ? select + 2 : select + 1;
  const items = listed(tokens.slice(start, from), depths.slice(start));
  if (items.some((item) => isSign(item.at(-1), '*'))) return [];
  return items.map((item) => {
    const as = item.findIndex((token) => isWord(token, 'as'));
    return as === -1 ? item : item.slice(0, as);
  });
}

const outerWord = (tokens: readonly ReadToken[], depths: readonly number[], word: string, from = 0): number =>
  tokens.findIndex((token, at) => at >= from && depths[at] === 0 && isWord(token, word));

/** The places of SELECT and FROM of the outermost query; −1: there is none. */
function selectOf(tokens: readonly ReadToken[], depths: readonly number[]): readonly [number, number] {
  const select = outerWord(tokens, depths, 'select');
  return [select, select === -1 ? -1 : outerWord(tokens, depths, 'from', select)];
}

/** The parts of a list between its commas outside of brackets. */
function listed(list: readonly ReadToken[], depths: readonly number[]): readonly (readonly ReadToken[])[] {
  const items: ReadToken[][] = [[]];
  for (const [at, token] of list.entries())
    if (isSign(token, ',') && depths[at] === depths[0]) items.push([]);
    else items.at(-1)!.push(token);
  return items.filter((item) => item.length > 0);
}

const isName = ({ kind }: ReadToken): boolean => kind === 'word' || kind === 'name' || kind === 'table';
const nameOf = ({ kind, text }: ReadToken): string => (kind === 'name' ? text.slice(1, -1).toLowerCase() : text);

/** The column of "city", "s.city" or "{stores}.city"; null for anything else. */
function columnOf(tokens: readonly ReadToken[]): string | null {
  const isColumn = tokens.length % 2 === 1 && tokens.every((one, i) => (i % 2 === 0 ? isName(one) : isSign(one, '.')));
  return isColumn ? nameOf(tokens.at(-1)!) : null;
}

/**
 * A column in the list of an outermost query with GROUP BY that is no group: MySQL, MariaDB and SQLite take its value
 * from any row of the group.
 */
function bareColumn(tokens: readonly ReadToken[], depths: readonly number[]): string | null {
  const [select, from] = selectOf(tokens, depths);
  const group = from === -1 ? -1 : outerWord(tokens, depths, 'group', from);
  if (group === -1) return null;
  const groups = new Set(tokens.slice(group).map(nameOf));
  for (const item of listed(tokens.slice(select + 1, from), depths.slice(select + 1))) {
    const as = item.findIndex((token) => isWord(token, 'as'));
    const column = columnOf(as === -1 ? item : item.slice(0, as));
    const isGroup = column !== null && (groups.has(column) || (as !== -1 && groups.has(nameOf(item.at(-1)!))));
    if (column !== null && !isGroup) return column;
  }
  return null;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Operators whose values depend on the order of the documents before them. */
const orderedOperator = /"(\$(?:first|last|firstN|lastN|push|addToSet|setWindowFields|bucketAuto))"/;
/** Stages of a pipeline behind which documents have the same order and number. */
const keepsOrder = wordsOf('$project $set $addFields $unset $limit $skip');

/** A command of MongoDB. */
function commandOrder(text: string): RowOrder {
  let command: unknown;
  try {
    command = JSON.parse(text);
  } catch {
    return { ...settled, unsettled: 'a text that is no JSON' };
  }
  if (!isFields(command)) return settled;
  const operator = orderedOperator.exec(text)?.[1] ?? null;
  const groups = 'distinct' in command || /"\$(?:group|min|max|sortByCount|setUnion)"/.test(text);
  const common = { ...settled, groups, unsettled: operator };
  if ('find' in command)
    return {
      ...common,
      keys: keysOfSort(command.sort),
      isLimited: command.limit !== undefined && command.limit !== 0,
      skips: command.skip !== undefined && command.skip !== 0,
    };
  if (!Array.isArray(command.pipeline)) return common;
  let order = common;
  for (const stage of command.pipeline) {
    const [name = '', value] = Object.entries(isFields(stage) ? stage : {})[0] ?? [];
    if (order.isLimited && !keepsOrder.has(name))
      order = { ...order, unsettled: order.unsettled ?? '$limit before a stage' };
    if (name === '$sort') order = { ...order, keys: keysOfSort(value) };
    else if (name === '$sortByCount') order = { ...order, keys: ['count'] };
    else if (name === '$limit') order = { ...order, isLimited: true };
    else if (name === '$skip') order = { ...order, skips: true };
    else if (!keepsOrder.has(name) && name !== '$match') order = { ...order, keys: [] };
  }
  return order;
}

const keysOfSort = (sort: unknown): RowOrder['keys'] =>
  isFields(sort) ? Object.keys(sort).map((name) => (name.includes('.') ? null : name.toLowerCase())) : [];
