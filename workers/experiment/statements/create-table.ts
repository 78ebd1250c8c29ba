import type { IndexKind } from '#model/dataset/indexes.ts';
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

/** A part of an index: a column, a field of its documents, or an expression as written. */
type ReadPart = { readonly desc?: true } & (
  | { readonly column: string; readonly path?: string }
  | { readonly expression: string }
);

/** An index of a script. */
export interface ReadIndex {
  readonly line: number;
  readonly parts: readonly ReadPart[];
  readonly include: readonly string[];
  /** The condition as written; null: the index has all rows. */
  readonly where: string | null;
  readonly unique: boolean;
  readonly kind: IndexKind;
  readonly visible: boolean;
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

/** True if a statement of the script creates a table. */
export function makesTable(script: string, language: StatementLanguage): boolean {
  const tokens = placedTokens(script, language);
  // The words between CREATE and TABLE: GLOBAL TEMPORARY, UNLOGGED.
  return tokens.some(
    (token, i) => isOneOf(token, 'create') && tokens.slice(i + 1, i + 4).some((next) => isOneOf(next, 'table')),
  );
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

/** The kinds of indexes by the words behind USING. */
const methodKinds: Readonly<Record<string, IndexKind>> = {
  btree: 'btree',
  hash: 'hash',
  gin: 'gin',
  gist: 'gist',
  brin: 'brin',
};

/** An index of columns without further options. */
export const plainIndex = (line: number, columns: readonly string[], unique: boolean): ReadIndex => ({
  ...{ line, unique, kind: 'btree', visible: true, where: null, include: [] },
  parts: columns.map((column) => ({ column })),
});

/** The tokens without brackets around all of them. */
function unbracketed(tokens: readonly PlacedToken[]): readonly PlacedToken[] {
  const isAround = isSign(tokens[0], '(') && behindBracket(tokens, 0) === tokens.length;
  return isAround && tokens.length > 2 ? unbracketed(tokens.slice(1, -1)) : tokens;
}

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
    if (isIndex) this.#indexOf(tokens, table, false, 'btree');
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
    else if (isOneOf(own[0], 'unique')) this.#indexOf(own, table, true, 'btree');
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

  /** Reads an index from the words behind its table, or from an element of CREATE TABLE. */
  #indexOf(
    tokens: readonly PlacedToken[],
    table: ReadTable,
    unique: boolean,
    kind: IndexKind,
    first: PlacedToken | undefined = tokens[0],
  ): void {
    const open = tokens.findIndex((token) => isSign(token, '('));
    const close = open === -1 ? -1 : behindBracket(tokens, open);
    const outside = tokens.filter((_, i) => open === -1 || i < open || i >= close);
    const method = outside[outside.findIndex((token) => isOneOf(token, 'using')) + 1];
    const named = outside.some((token) => isOneOf(token, 'using')) ? (method?.text.toLowerCase() ?? '') : '';
    const own = named === '' ? kind : methodKinds[named];
    const parts = open === -1 ? [] : betweenCommas(tokens.slice(open + 1, close - 1)).map((part) => this.#partOf(part));
    if (own === undefined || parts.length === 0) {
      this.#tell(
        first,
        `“${this.#words(tokens)}” was left out, because ${own === undefined ? `Dyno makes no ${named} index` : 'it has no columns'}`,
      );
      return;
    }
    const rest = close === -1 ? [] : tokens.slice(close);
    const fullText = parts.length === 1 && own === 'gin' ? this.#fullText(parts[0]!) : null;
    table.indexes.push({
      line: this.#lineOf(first),
      parts: fullText ? [fullText] : parts,
      include: this.#included(rest),
      where: this.#condition(rest),
      unique,
      kind: fullText ? 'fulltext' : own,
      visible: !rest.some((token) => isOneOf(token, 'invisible', 'ignored')) && !this.#isHiddenIn(tokens[close - 1]),
    });
  }

  /** True if mysqldump has INVISIBLE behind a token, in a comment that MySQL executes. */
  #isHiddenIn = (token: PlacedToken | undefined): boolean =>
    token !== undefined && /^\s*\/\*!\d+\s+INVISIBLE/i.test(this.#text.slice(token.end, token.end + 40));

  #partOf(tokens: readonly PlacedToken[]): ReadPart {
    const isEnd = (token: PlacedToken) => isOneOf(token, 'asc', 'desc', 'nulls', 'collate');
    // MySQL writes the length of a prefix behind a column: name(20).
    const end = tokens.findIndex((token, i) => i > 0 && isEnd(token));
    const whole = end === -1 ? tokens : tokens.slice(0, end);
    const desc = tokens.slice(whole.length).some((token) => isOneOf(token, 'desc')) ? { desc: true as const } : {};
    const [name, bracket, number] = whole;
    const isColumn = name?.kind === 'word' || name?.kind === 'name';
    // A word behind the column is the operator class of PostgreSQL.
    const isPlain = !bracket || (bracket.kind === 'word' && whole.length === 2);
    const isPrefix = isSign(bracket, '(') && number?.kind === 'number' && whole.length === 4;
    if (isColumn && (isPlain || isPrefix)) {
      if (isPrefix)
        this.#tell(name, `the index has the whole column ${name.text}, because Dyno makes no index of a prefix`);
      if (bracket?.kind === 'word') this.#tell(bracket, `the operator class ${bracket.text} of the index was left out`);
      return { column: name.text.toLowerCase(), ...desc };
    }
    return { ...(this.#fieldOf(whole) ?? { expression: this.#textOf(unbracketed(whole)) }), ...desc };
  }

  /** A field of a document: (doc ->> 'a'), json_extract(doc, '$.a.b'), JSON_VALUE(doc, '$.a.b'); null: none. */
  #fieldOf(tokens: readonly PlacedToken[]): ReadPart | null {
    const own = unbracketed(tokens);
    const isCall = isOneOf(own[0], 'json_extract', 'json_value') && isSign(own[1], '(');
    const [column, ...steps] = isCall ? own.slice(2, -1).filter((token) => !isSign(token, ',')) : own;
    if (column?.kind !== 'word' && column?.kind !== 'name') return null;
    const signs = steps.filter((_, i) => i % 2 === 0);
    const texts = isCall ? steps : steps.filter((_, i) => i % 2 === 1);
    const isArrows = signs.length > 0 && signs.every((token) => isSign(token, '->') || isSign(token, '->>'));
    if ((!isCall && !isArrows) || texts.length === 0 || texts.some(({ kind }) => kind !== 'text')) return null;
    const path = texts.map(({ text }) => text.replace(/^\$\.?/, '')).join('.');
    return /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/.test(path) ? { column: column.text.toLowerCase(), path } : null;
  }

  /** The column of to_tsvector('simple', column); null: the part is another one. */
  #fullText(part: ReadPart): ReadPart | null {
    const found =
      'expression' in part
        ? /^to_tsvector\((?:'\w+'(?:::regconfig)?\s*,\s*)?"?(\w+)"?\)$/i.exec(part.expression)
        : null;
    return found ? { column: found[1]!.toLowerCase() } : null;
  }

  #included(tokens: readonly PlacedToken[]): readonly string[] {
    const at = tokens.findIndex((token) => isOneOf(token, 'include'));
    return at === -1 ? [] : (this.#columnsIn(tokens, at + 1) ?? []);
  }

  /** The text behind WHERE, up to the options that SQL Server has there. */
  #condition(tokens: readonly PlacedToken[]): string | null {
    const at = tokens.findIndex((token) => isOneOf(token, 'where'));
    if (at === -1) return null;
    const end = tokens.findIndex(
      (token, i) => i > at && (isOneOf(token, 'with', 'on', 'tablespace') || isSign(token, ';')),
    );
    const own = unbracketed(tokens.slice(at + 1, end === -1 ? undefined : end));
    return own.length === 0 ? null : this.#textOf(own);
  }

  /** The text of tokens, with quoted names in lower case, as the columns have them here. */
  #textOf(tokens: readonly PlacedToken[]): string {
    const written = tokens.map(({ kind, text, start, end }, i) => {
      const before = i === 0 ? '' : this.#text.slice(tokens[i - 1]!.end, start).replaceAll(/\s+/g, ' ');
      const isOther = kind === 'name' && text !== text.toLowerCase();
      return `${before}${isOther ? text.toLowerCase() : this.#text.slice(start, end)}`;
    });
    return written.join('');
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
    const own = (['fulltext', 'columnstore', 'bitmap'] as const).find(has);
    // MySQL writes USING BTREE in front of ON.
    const before = this.#tokens.slice(kind, on);
    const using = before.findIndex((token) => isOneOf(token, 'using'));
    const rest = [...(using === -1 ? [] : before.slice(using, using + 2)), ...this.#tokens.slice(named.end)];
    if (has('columnstore') && has('clustered'))
      this.#tell(this.#tokens[0], 'the index was left out, because Dyno makes no clustered columnstore');
    else this.#indexOf(rest, table, has('unique'), own ?? 'btree', this.#tokens[0]);
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
          (isOneOf(token, 'with') && isOneOf(tokens[i + 1], 'btree')) ||
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
    if (has('unique')) table.indexes.push(plainIndex(line, [lower], true));
    const check = rest.findIndex((token, i) => isOneOf(token, 'check') && isSign(rest[i + 1], '('));
    if (check !== -1) this.#check(rest, check + 1, table);
    const references = rest.findIndex((token) => isOneOf(token, 'references'));
    if (references !== -1) this.#references(rest, references, [lower], table);
  }
}
