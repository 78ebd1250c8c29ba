import { formatCount } from '#model/format/format.ts';
import {
  behindBracket,
  betweenCommas,
  isOneOf,
  isSign,
  type PlacedToken,
  placedTokens,
} from '#model/statements/placed-tokens.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { type CheckedColumn, checkOf } from './check-condition.ts';

/** A column as a script defines it. */
export interface ReadColumn {
  /** As written, without quotes. */
  readonly name: string;
  readonly line: number;
  readonly type: string;
  readonly args: readonly string[];
  readonly isNullable: boolean;
  readonly isCounted: boolean;
  readonly isAscending: boolean;
  /** The server computes the value; the text names the reason. */
  readonly isComputed: boolean;
  readonly isArray: boolean;
}

/** A foreign key of one column or more. */
interface ReadForeignKey {
  readonly line: number;
  readonly columns: readonly string[];
  /** In lower case, without its schema. */
  readonly table: string;
  /** Empty: the primary key. */
  readonly referred: readonly string[];
}

/** An index of a script. */
interface ReadIndex {
  readonly line: number;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly kind: 'default' | 'hash' | 'brin' | 'fulltext';
}

/** A table as the statements of a script define it together. Names of columns are in lower case. */
export interface ReadTable {
  /** As written, without quotes and schema. */
  readonly name: string;
  readonly line: number;
  readonly columns: ReadColumn[];
  key: { readonly line: number; readonly columns: readonly string[] } | null;
  readonly indexes: ReadIndex[];
  readonly foreignKeys: ReadForeignKey[];
  readonly checks: (CheckedColumn & { readonly line: number })[];
}

/** The tables of a script. */
export interface ReadDefinitions {
  /** The tables by their names in lower case. */
  readonly tables: ReadonlyMap<string, ReadTable>;
  /** The values of types that are lists (CREATE TYPE … AS ENUM), by their names in lower case. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** Sentences about the parts that were not read, each beginning with its line. */
  readonly told: readonly string[];
}

/** A statement of a script. */
interface ScriptStatement {
  readonly text: string;
  /** The line of its first character, counted from 1. */
  readonly line: number;
}

/** True if a statement defines tables, indexes or types, or belongs to such definitions (COMMENT ON, GRANT). */
export function isDefinition(text: string, language: StatementLanguage): boolean {
  const [first, second, third] = placedTokens(text, language);
  if (isOneOf(first, 'comment', 'grant', 'revoke')) return true;
  if (isOneOf(first, 'alter', 'drop')) return isOneOf(second, 'table', 'sequence', 'type', 'schema', 'index', 'view');
  if (!isOneOf(first, 'create')) return false;
  const kinds = ['table', 'index', 'type', 'sequence', 'schema', 'unique', 'clustered', 'nonclustered', 'fulltext'];
  return isOneOf(second, ...kinds, 'unlogged', 'temporary', 'temp', 'bitmap') || isOneOf(third, 'table', 'index');
}

/** Reads the definitions of a script: CREATE TABLE, CREATE INDEX, ALTER TABLE … ADD, and CREATE TYPE … AS ENUM. */
export function readDefinitions(statements: readonly ScriptStatement[], language: StatementLanguage): ReadDefinitions {
  const tables = new Map<string, ReadTable>();
  const enums = new Map<string, readonly string[]>();
  const told: string[] = [];
  for (const { text, line } of statements) {
    const tokens = placedTokens(text, language);
    const reader = new DefinitionReader(text, line, tokens, told);
    const kind = tokens.findIndex((token) => isOneOf(token, 'table', 'index', 'type'));
    if (isOneOf(tokens[0], 'create') && isOneOf(tokens[kind], 'type')) reader.readType(kind, enums);
    else if (isOneOf(tokens[0], 'create') && isOneOf(tokens[kind], 'index')) reader.readIndex(kind, tables);
    else if (isOneOf(tokens[0], 'create') && isOneOf(tokens[kind], 'table')) reader.readTable(kind, tables);
    else if (isOneOf(tokens[0], 'alter') && kind === 1) reader.readAlter(tables);
    else reader.leave(0, 'Dyno makes only tables, keys and indexes');
  }
  return { tables, enums, told };
}

/** The most columns, keys, indexes and conditions of a table. A table on a server has fewer. */
const mostParts = 1_000;
/** Words that end the type of a column. */
const behindTypes = (
  'not null default primary unique references check constraint generated identity auto_increment autoincrement collate ' +
  'comment as charset encode enable disable visible invisible sparse rowguidcol persisted on key storage compression hidden'
).split(' ');
const elementWords = [
  'constraint',
  'primary',
  'unique',
  'foreign',
  'check',
  'exclude',
  'like',
  'period',
  'fulltext',
  'spatial',
];

class DefinitionReader {
  readonly #text: string;
  readonly #line: number;
  readonly #tokens: readonly PlacedToken[];
  readonly #told: string[];

  constructor(text: string, line: number, tokens: readonly PlacedToken[], told: string[]) {
    this.#text = text;
    this.#line = line;
    this.#tokens = tokens;
    this.#told = told;
  }

  #lineOf = (token: PlacedToken | undefined): number =>
    this.#line + this.#text.slice(0, token?.start ?? 0).split('\n').length - 1;

  #tell(token: PlacedToken | undefined, sentence: string): void {
    this.#told.push(`Line ${this.#lineOf(token)}: ${sentence}.`);
  }

  /** Tells that the statement from a token on was left out. */
  leave(at: number, why: string): void {
    const token = this.#tokens[at];
    const words = this.#text
      .slice(token?.start ?? 0)
      .replaceAll(/\s+/g, ' ')
      .trim();
    this.#tell(token, `“${words.length > 50 ? `${words.slice(0, 50)}…` : words}” was left out, because ${why}`);
  }

  /** The name that begins at a token, without its schema, and the token behind it. */
  #nameAt(at: number): { readonly name: string; readonly end: number } | null {
    let end = at;
    while (isSign(this.#tokens[end + 1], '.')) end += 2;
    const token = this.#tokens[end];
    return token?.kind === 'word' || token?.kind === 'name'
      ? { name: this.#text.slice(token.start, token.end).replace(/^["`[]|["`\]]$/g, ''), end: end + 1 }
      : null;
  }

  /** The position behind IF NOT EXISTS and ONLY. */
  #behindOptions(at: number): number {
    while (isOneOf(this.#tokens[at], 'if', 'not', 'exists', 'only', 'concurrently')) at++;
    return at;
  }

  readType(kind: number, enums: Map<string, readonly string[]>): void {
    const named = this.#nameAt(kind + 1);
    const values = this.#tokens.filter((token) => token.kind === 'text').map(({ text }) => text);
    if (named && this.#tokens.some((token) => isOneOf(token, 'enum')) && values.length > 0)
      enums.set(named.name.toLowerCase(), values);
    else this.leave(0, 'Dyno takes only types that are lists of values');
  }

  readTable(kind: number, tables: Map<string, ReadTable>): void {
    const named = this.#nameAt(this.#behindOptions(kind + 1));
    if (!named || !isSign(this.#tokens[named.end], '(')) {
      this.leave(0, 'it has no list of columns');
      return;
    }
    const table: ReadTable = {
      name: named.name,
      line: this.#lineOf(this.#tokens[0]),
      columns: [],
      key: null,
      indexes: [],
      foreignKeys: [],
      checks: [],
    };
    const end = behindBracket(this.#tokens, named.end);
    this.#elements(betweenCommas(this.#tokens.slice(named.end + 1, end - 1)), table);
    tables.set(named.name.toLowerCase(), table);
  }

  #elements(parts: readonly (readonly PlacedToken[])[], table: ReadTable): void {
    const { columns, indexes, foreignKeys, checks } = table;
    const room = Math.max(0, mostParts - columns.length - indexes.length - foreignKeys.length - checks.length);
    for (const part of parts.slice(0, room)) this.#element(part, table);
    const more = parts[room];
    if (more) this.#tell(more[0], `the parts of the table behind the first ${formatCount(mostParts)} were left out`);
  }

  #element(tokens: readonly PlacedToken[], table: ReadTable): void {
    const [first, second] = tokens;
    const isIndex = isOneOf(first, 'key', 'index') && !this.#isType(tokens, 1);
    const isElement =
      isOneOf(first, ...elementWords) && (isSign(second, '(') || second?.kind === 'word' || second?.kind === 'name');
    if (isIndex) this.#indexOf(tokens, table, false, 'default');
    else if (isElement) this.#constraint(tokens, table);
    else this.#column(tokens, table);
  }

  /** True if a column's type follows: a word, with numbers in its brackets if it has any. */
  #isType(tokens: readonly PlacedToken[], at: number): boolean {
    const open = tokens.findIndex((token) => isSign(token, '('));
    return tokens[at]?.kind === 'word' && (open === -1 || tokens[open + 1]?.kind === 'number');
  }

  #columnsIn(tokens: readonly PlacedToken[], open: number): readonly string[] | null {
    const parts = betweenCommas(tokens.slice(open + 1, behindBracket(tokens, open) - 1));
    const names = parts.map((part) => {
      const [name, ...rest] = part;
      const isPlain =
        (name?.kind === 'word' || name?.kind === 'name') &&
        (!isSign(rest[0], '(') || rest[1]?.kind === 'number') &&
        !isSign(rest[0], '.');
      return isPlain ? name.text.toLowerCase() : null;
    });
    return names.length === 0 || names.includes(null) ? null : (names as readonly string[]);
  }

  #constraint(tokens: readonly PlacedToken[], table: ReadTable): void {
    let at = 0;
    if (isOneOf(tokens[0], 'constraint')) at = isOneOf(tokens[1], 'primary', 'unique', 'foreign', 'check') ? 1 : 2;
    const own = tokens.slice(at);
    const line = this.#lineOf(own[0] ?? tokens[0]);
    const open = own.findIndex((token) => isSign(token, '('));
    const columns = open === -1 ? null : this.#columnsIn(own, open);
    if (isOneOf(own[0], 'primary') && columns) table.key = { line, columns };
    else if (isOneOf(own[0], 'unique')) this.#indexOf(own, table, true, 'default');
    else if (isOneOf(own[0], 'fulltext')) this.#indexOf(own, table, false, 'fulltext');
    else if (isOneOf(own[0], 'foreign') && columns) {
      const references = own.findIndex((token) => isOneOf(token, 'references'));
      this.#references(own, references, columns, table);
    } else if (isOneOf(own[0], 'check') && open !== -1) this.#check(own, open, table);
    else this.#tell(tokens[0], `“${this.#words(tokens)}” was left out, because Dyno has no such part of a table`);
  }

  #words(tokens: readonly PlacedToken[]): string {
    const text = this.#text.slice(tokens[0]?.start, tokens.at(-1)?.end).replaceAll(/\s+/g, ' ');
    return text.length > 50 ? `${text.slice(0, 50)}…` : text;
  }

  #check(tokens: readonly PlacedToken[], open: number, table: ReadTable): void {
    const found = checkOf(tokens.slice(open + 1, behindBracket(tokens, open) - 1));
    const line = this.#lineOf(tokens[open]);
    if (found) table.checks.push({ ...found, line });
    else
      this.#tell(
        tokens[open],
        `“${this.#words(tokens)}” was left out, because it is no list of values and no bound of one column`,
      );
  }

  #references(tokens: readonly PlacedToken[], at: number, columns: readonly string[], table: ReadTable): void {
    let end = at + 1;
    while (isSign(tokens[end + 1], '.')) end += 2;
    const name = tokens[end];
    if (at === -1 || !name) return;
    const referred = isSign(tokens[end + 1], '(') ? (this.#columnsIn(tokens, end + 1) ?? []) : [];
    table.foreignKeys.push({ line: this.#lineOf(tokens[at]), columns, table: name.text.toLowerCase(), referred });
  }

  #indexOf(
    tokens: readonly PlacedToken[],
    table: ReadTable,
    unique: boolean,
    kind: ReadIndex['kind'],
    first: PlacedToken | undefined = tokens[0],
  ): void {
    const open = tokens.findIndex((token) => isSign(token, '('));
    const columns = open === -1 ? null : this.#columnsIn(tokens, open);
    const using = tokens.findIndex((token) => isOneOf(token, 'using'));
    const method = using === -1 ? '' : (tokens[using + 1]?.text ?? '');
    if (!columns || !['', 'btree', 'hash', 'brin'].includes(method)) {
      this.#tell(
        first,
        `“${this.#words(tokens)}” was left out, because ${columns ? `Dyno makes no ${method} index` : 'it is an index of expressions'}`,
      );
      return;
    }
    const own = method === 'hash' || method === 'brin' ? method : kind;
    table.indexes.push({ line: this.#lineOf(first), columns, unique, kind: own });
    const rest = tokens.slice(behindBracket(tokens, open));
    if (rest.some((token) => isOneOf(token, 'where')))
      this.#tell(first, 'the index covers all rows here, because Dyno makes no partial index');
    if (rest.some((token) => isOneOf(token, 'include')))
      this.#tell(first, 'the included columns of the index were left out');
  }

  readIndex(kind: number, tables: ReadonlyMap<string, ReadTable>): void {
    const on = this.#tokens.findIndex((token) => isOneOf(token, 'on'));
    const named = on === -1 ? null : this.#nameAt(this.#behindOptions(on + 1));
    const table = named ? tables.get(named.name.toLowerCase()) : undefined;
    if (!named || !table) {
      this.leave(0, 'its table is not in the script');
      return;
    }
    const has = (word: string) => this.#tokens.slice(0, kind).some((token) => isOneOf(token, word));
    const rest = this.#tokens.slice(named.end);
    this.#indexOf(rest, table, has('unique'), has('fulltext') ? 'fulltext' : 'default', this.#tokens[0]);
  }

  readAlter(tables: ReadonlyMap<string, ReadTable>): void {
    const named = this.#nameAt(this.#behindOptions(2));
    const table = named ? tables.get(named.name.toLowerCase()) : undefined;
    const add = this.#tokens.findIndex((token, i) => i >= (named?.end ?? 0) && isOneOf(token, 'add'));
    if (!named || !table || add === -1) {
      const isHarmless = this.#tokens.some((token) => isOneOf(token, 'owner', 'enable'));
      // pg_dump numbers the rows of a table by a sequence of its own.
      if (table && this.#countedBy(table)) return;
      if (!isHarmless)
        this.leave(0, table ? 'Dyno adds only keys, constraints and columns' : 'its table is not in the script');
      return;
    }
    const parts = betweenCommas(this.#tokens.slice(add + 1));
    this.#elements(
      parts.map((part) => part.filter((token, i) => !(i === 0 && isOneOf(token, 'add', 'column')))),
      table,
    );
  }

  #countedBy(table: ReadTable): boolean {
    const alter = this.#tokens.findIndex((token, i) => i > 2 && isOneOf(token, 'alter'));
    const isCounted = this.#tokens.some((token) => isOneOf(token, 'nextval', 'identity'));
    const named = this.#nameAt(isOneOf(this.#tokens[alter + 1], 'column') ? alter + 2 : alter + 1);
    const at = table.columns.findIndex(({ name }) => name.toLowerCase() === named?.name.toLowerCase());
    if (alter === -1 || at === -1) return false;
    if (isCounted) table.columns[at] = { ...table.columns[at]!, isCounted: true };
    return true;
  }

  #column(tokens: readonly PlacedToken[], table: ReadTable): void {
    const [first] = tokens;
    if (first?.kind !== 'word' && first?.kind !== 'name') {
      this.#tell(first ?? this.#tokens[0], `“${this.#words(tokens)}” was left out, because it is no column`);
      return;
    }
    const name = this.#text.slice(first.start, first.end).replace(/^["`[]|["`\]]$/g, '');
    const end = tokens.findIndex(
      (token, i) =>
        i > 0 &&
        (isOneOf(token, ...behindTypes) ||
          (isOneOf(token, 'with') && isOneOf(tokens[i + 1], 'default')) ||
          (isOneOf(token, 'character') && isOneOf(tokens[i + 1], 'set'))),
    );
    const typed = tokens.slice(1, end === -1 ? undefined : end);
    const rest = end === -1 ? [] : tokens.slice(end);
    const open = typed.findIndex((token) => isSign(token, '('));
    const close = open === -1 ? -1 : behindBracket(typed, open);
    const outside = typed.filter((_, i) => open === -1 || i < open || i >= close);
    const dot = outside.findLastIndex((token) => isSign(token, '.'));
    const words = outside.slice(dot + 1).flatMap((token) => (token.kind === 'sign' ? [] : [token.text.toLowerCase()]));
    const has = (...words: readonly string[]) =>
      rest.some((token, i) => words.every((word, offset) => isOneOf(rest[i + offset], word)) && token.kind === 'word');
    const lower = name.toLowerCase();
    const line = this.#lineOf(first);
    const as = rest.findIndex((token) => isOneOf(token, 'as'));
    const type = words.join(' ');
    table.columns.push({
      name,
      line,
      type,
      args:
        open === -1
          ? []
          : typed.slice(open + 1, close - 1).flatMap(({ kind, text }) => (kind === 'sign' ? [] : [text])),
      isNullable: !has('not', 'null') && !has('primary', 'key') && !/serial/.test(type),
      isCounted:
        has('identity') || has('auto_increment') || has('autoincrement') || has('nextval') || /serial/.test(type),
      isAscending: has('newsequentialid') || has('uuidv7') || has('uuid_generate_v7'),
      isComputed: as !== -1 && isSign(rest[as + 1], '('),
      isArray: outside.some((token) => isSign(token, '[')) || words.includes('array'),
    });
    if (has('primary', 'key')) table.key = { line, columns: [lower] };
    if (has('unique')) table.indexes.push({ line, columns: [lower], unique: true, kind: 'default' });
    const check = rest.findIndex((token, i) => isOneOf(token, 'check') && isSign(rest[i + 1], '('));
    if (check !== -1) this.#check(rest, check + 1, table);
    const references = rest.findIndex((token) => isOneOf(token, 'references'));
    if (references !== -1) this.#references(rest, references, [lower], table);
  }
}
