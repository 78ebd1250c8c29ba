import { behindBracket, betweenCommas, isOneOf, isSign, type PlacedToken } from './placed-tokens.ts';

/** The use of a parameter in a statement. */
export interface ParameterUse {
  /**
   * insert: a value of a new row; set: a new value of a column; compare: a condition on a column; limit: a number of
   * rows.
   */
  readonly role: 'insert' | 'set' | 'compare' | 'limit';
  /** The table as the text has it, with its schema; null if it is unknown. */
  readonly table: WrittenTable | null;
  /** In lower case; null if the text names none. */
  readonly column: string | null;
  /** The column as in the text; null if the text names none. */
  readonly writtenColumn: string | null;
  /** For a value of a new row: its position, from 0. */
  readonly position: number | null;
}

/** A table in a text. */
interface WrittenTable {
  /** In lower case, without its schema. */
  readonly name: string;
  /** As in the text. */
  readonly written: string;
  /** True for a placeholder {name}. */
  readonly isPlace: boolean;
  /** The positions of the tokens of its name: the first, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** In lower case. */
  readonly alias: string | null;
}

const beforeTables = ['from', 'join', 'into', 'update', 'using', 'table'];
const notTables = ['only', 'lateral', 'ignore', 'low_priority', 'straight_join'];
const behindTables = (
  'where join on group order set select left right inner cross full natural values default limit offset fetch for union ' +
  'except intersect using having returning output when with window as'
).split(' ');

/** The tables in a statement, in the order of the text. */
export function tablesOfTokens(text: string, tokens: readonly PlacedToken[]): readonly WrittenTable[] {
  const found: WrittenTable[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isOneOf(tokens[at], ...beforeTables)) continue;
    for (let next = at + 1; ; ) {
      while (isOneOf(tokens[next], ...notTables)) next++;
      const from = next;
      if (!isNamed(tokens[next]) || isOneOf(tokens[next], 'select', 'set', 'values')) break;
      while (isSign(tokens[next + 1], '.') && isNamed(tokens[next + 2])) next += 2;
      const last = tokens[next]!;
      next++;
      // A function in FROM has a bracket behind its name, and an INSERT its columns.
      if (isSign(tokens[next], '(') && !isOneOf(tokens[at], 'into')) break;
      const to = next;
      if (isOneOf(tokens[next], 'as')) next++;
      const hasAlias =
        (tokens[next]?.kind === 'word' && !isOneOf(tokens[next], ...behindTables)) || tokens[next]?.kind === 'name';
      const alias = hasAlias ? tokens[next]!.text.toLowerCase() : null;
      if (hasAlias) next++;
      found.push({
        name: last.text.toLowerCase(),
        written: text.slice(tokens[from]!.start, last.end),
        isPlace: last.kind === 'table',
        from,
        to,
        alias,
      });
      if (!isSign(tokens[next], ',') || !isOneOf(tokens[at], 'from', 'update')) break;
      next++;
    }
  }
  return found;
}

const isNamed = (token: PlacedToken | undefined): boolean =>
  token?.kind === 'word' || token?.kind === 'name' || token?.kind === 'table';

/** An INSERT of values: its table, its columns, and its rows with the tokens of each value. */
interface InsertOfValues {
  readonly table: WrittenTable;
  /** Empty: the text names none. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (readonly PlacedToken[])[])[];
  /** Positions in the text, behind the last column and behind the last value of each row. Null: no columns. */
  readonly columnsEnd: number | null;
  readonly rowEnds: readonly number[];
}

/** Reads an INSERT of values; null for another statement. */
export function insertOf(text: string, tokens: readonly PlacedToken[]): InsertOfValues | null {
  const into = tokens.findIndex((token) => isOneOf(token, 'into'));
  const [table] = tablesOfTokens(text, tokens);
  if (
    into === -1 ||
    !table ||
    table.from < into ||
    !tokens.slice(0, into).some((one) => isOneOf(one, 'insert', 'replace'))
  )
    return null;
  const values = tokens.findIndex((token, i) => i > into && isOneOf(token, 'values', 'value'));
  if (values === -1) return null;
  const open = table.to;
  const hasColumns = isSign(tokens[open], '(') && open < values;
  const close = hasColumns ? behindBracket(tokens, open) - 1 : open;
  const columns = hasColumns ? tokens.slice(open + 1, close).filter(isNamed) : [];
  const rows: (readonly (readonly PlacedToken[])[])[] = [];
  const rowEnds: number[] = [];
  for (let at = values + 1; isSign(tokens[at], '('); ) {
    const end = behindBracket(tokens, at);
    rows.push(betweenCommas(tokens.slice(at + 1, end - 1)));
    rowEnds.push(tokens[end - 1]!.start);
    at = isSign(tokens[end], ',') ? end + 1 : end;
    if (at === end) break;
  }
  return {
    table,
    columns: columns.map(({ text: name }) => name.toLowerCase()),
    rows,
    columnsEnd: hasColumns ? tokens[close]!.start : null,
    rowEnds,
  };
}

const comparisons = ['=', '<>', '!=', '<', '>', '<=', '>=', '<=>', '~', '@>', '+', '-', '*', '/'];
const limits = ['limit', 'offset', 'top', 'first', 'next'];
/** Words behind which a value follows. */
const keywords = new Set(
  (
    'select from where and or not in like ilike similar between is null on when then else case end values set returning ' +
    'having by limit offset top first next fetch rows row only interval any all some exists distinct as join left right ' +
    'inner outer cross union group order asc desc update insert delete into using with escape call'
  ).split(' '),
);

/** True if a value ends at this token, so that an operator follows it. */
export const isOperand = (token: PlacedToken | undefined): boolean =>
  token !== undefined &&
  (token.kind === 'word'
    ? !keywords.has(token.text)
    : token.kind !== 'sign' || token.text === ')' || token.text === ']');

/** The uses of the parameters of a statement by their names; of several uses of one parameter the first counts. */
export function parameterUses(text: string, tokens: readonly PlacedToken[]): ReadonlyMap<string, ParameterUse> {
  const tables = tablesOfTokens(text, tokens);
  const uses = new Map<string, ParameterUse>();
  const add = (name: string, use: ParameterUse | null) => {
    if (use && !uses.has(name)) uses.set(name, use);
  };
  const insert = insertOf(text, tokens);
  for (const row of insert?.rows ?? [])
    for (const [position, value] of row.entries())
      for (const token of value)
        if (token.kind === 'parameter')
          add(token.text, {
            role: 'insert',
            table: insert!.table,
            column: insert!.columns[position] ?? null,
            writtenColumn: insert!.columns[position] ?? null,
            position,
          });
  const set = tokens.findIndex((token) => isOneOf(token, 'set'));
  const where = tokens.findIndex((token, i) => i > set && isOneOf(token, 'where', 'from'));
  const columnUse = (index: number, found: Found | null): ParameterUse | null => {
    if (found === null) return null;
    const isSet = set !== -1 && index > set && (where === -1 || index < where);
    const table =
      found.qualifier === null
        ? tables.length === 1 || isSet
          ? (tables[0] ?? null)
          : null
        : (tables.find(({ alias, name }) => alias === found.qualifier || name === found.qualifier) ?? null);
    const { start, end, text: column } = found.token;
    return {
      role: isSet ? 'set' : 'compare',
      table,
      column: column.toLowerCase(),
      writtenColumn: text.slice(start, end),
      position: null,
    };
  };
  for (const [i, token] of tokens.entries()) {
    if (token.kind !== 'parameter') continue;
    if (isLimit(tokens, i)) add(token.text, limit);
    else add(token.text, columnUse(i, leftOf(tokens, i) ?? rightOf(tokens, i)));
  }
  return uses;
}

const limit: ParameterUse = { role: 'limit', table: null, column: null, writtenColumn: null, position: null };

interface Found {
  readonly qualifier: string | null;
  /** The name of the column. */
  readonly token: PlacedToken;
}

function isLimit(tokens: readonly PlacedToken[], i: number): boolean {
  const before = tokens[i - 1];
  if (isOneOf(before, ...limits)) return true;
  if (isSign(before, '(')) return isOneOf(tokens[i - 2], ...limits);
  return isSign(before, ',') && isOneOf(tokens[i - 3], 'limit');
}

/** The column that the text before a value compares it with. */
function leftOf(tokens: readonly PlacedToken[], i: number): Found | null {
  const before = tokens[i - 1];
  if (before === undefined) return null;
  if (isSign(before, '(')) {
    const word = tokens[i - 2];
    if (isOneOf(word, 'in')) return columnBefore(tokens, i - 2);
    if (isOneOf(word, 'any', 'all')) return leftOf(tokens, i - 2);
    return leftOf(tokens, word?.kind === 'word' && !keywords.has(word.text) ? i - 2 : i - 1);
  }
  if (isSign(before, ',')) {
    let depth = 0;
    for (let at = i - 1; at >= 0; at--) {
      if (isSign(tokens[at], ')')) depth++;
      if (isSign(tokens[at], '(') && depth-- === 0)
        return isOneOf(tokens[at - 1], 'in') ? columnBefore(tokens, at - 1) : null;
    }
    return null;
  }
  if (before.kind === 'sign' && comparisons.includes(before.text)) return columnBefore(tokens, i - 1);
  if (isOneOf(before, 'like', 'ilike', 'between')) return columnBefore(tokens, i - 1);
  if (isOneOf(before, 'and') && isOneOf(tokens[i - 3], 'between')) return columnBefore(tokens, i - 3);
  return null;
}

function rightOf(tokens: readonly PlacedToken[], i: number): Found | null {
  const at = isSign(tokens[i + 1], '::') ? i + 3 : i + 1;
  const sign = tokens[at];
  if (sign?.kind !== 'sign' || !comparisons.includes(sign.text)) return null;
  const isQualified = isSign(tokens[at + 2], '.');
  const column = tokens[isQualified ? at + 3 : at + 1];
  if (!isNamed(column) || !isOperand(column)) return null;
  return { qualifier: isQualified ? tokens[at + 1]!.text.toLowerCase() : null, token: column! };
}

/** The column whose name ends before a token, also within a function: lower(email). */
function columnBefore(tokens: readonly PlacedToken[], index: number): Found | null {
  let at = index - 1;
  if (isOneOf(tokens[at], 'not')) at--;
  if (isSign(tokens[at], ')')) {
    let depth = 0;
    let open = at;
    for (; open >= 0; open--) {
      if (isSign(tokens[open], ')')) depth++;
      if (isSign(tokens[open], '(') && --depth === 0) break;
    }
    const inside = tokens.findIndex((token, i) => i > open && i < at && isNamed(token) && !isSign(tokens[i + 1], '('));
    if (inside === -1) return null;
    at = isSign(tokens[inside + 1], '.') ? inside + 2 : inside;
  }
  const column = tokens[at];
  if ((column?.kind !== 'word' && column?.kind !== 'name') || !isOperand(column)) return null;
  const qualifier = isSign(tokens[at - 1], '.') ? (tokens[at - 2]?.text.toLowerCase() ?? null) : null;
  return { qualifier, token: column };
}
