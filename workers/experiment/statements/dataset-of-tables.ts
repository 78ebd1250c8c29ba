import { many } from '#model/format/plural.ts';
import { plainIndex, type ReadColumn, type ReadDefinitions, type ReadIndex, type ReadTable } from './create-table.ts';
import { datasetColumn } from './ddl-types.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** The names that a table and its columns have in the experiment. */
interface GivenNames {
  readonly table: string;
  /** The names of columns by the written ones in lower case. */
  readonly columns: ReadonlyMap<string, string>;
}

/** The tables of an experiment that a script defines. */
export interface MadeTables {
  /** The tables as the file writes them, each after the tables to which it refers. */
  readonly tables: Readonly<Record<string, Mapping>>;
  /** The names in the experiment, by the tables' names in the script in lower case. */
  readonly names: ReadonlyMap<string, GivenNames>;
  /** Sentences about what differs from the script, each beginning with its line. */
  readonly told: readonly string[];
}

const referable: readonly unknown[] = ['uuid4', 'uuid7', 'uuidSequential', 'sequence', 'code'];
const nullShare = 0.1;

/** The choices of {@link tablesOf}. */
interface TableOptions {
  /** The rows of a table. */
  rows(table: ReadTable): number;
  /** The beginning of a sentence about a line: `Line 3`. */
  place(line: number): string;
  /** The column in place of the one that its definition alone makes. Default: the latter. */
  column?(spec: Mapping, column: ReadColumn, table: ReadTable, isKey: boolean): Mapping;
}

/** Makes tables of an experiment from definitions of tables. */
export function tablesOf({ tables, enums, told: read }: ReadDefinitions, options: TableOptions): MadeTables {
  const told = read.map((sentence) => ({ line: Number(/\d+/.exec(sentence)![0]), sentence }));
  const names = new Map<string, GivenNames>();
  const taken = new Set(['table']);
  for (const [written, table] of tables) {
    const own = new Set<string>();
    names.set(written, {
      table: identifierOf(table.name, taken),
      columns: new Map(table.columns.map(({ name }) => [name.toLowerCase(), identifierOf(name, own)])),
    });
  }
  const order = inOrder(tables);
  const made: Record<string, Mapping> = {};
  for (const [i, written] of order.entries())
    made[names.get(written)!.table] = tableOf(tables.get(written)!, names.get(written)!, {
      ...{ enums, options, names, made },
      before: new Set(order.slice(0, i)),
      tell: (line, sentence) => told.push({ line, sentence: `${options.place(line)}: ${sentence}.` }),
    });
  return { tables: made, names, told: told.toSorted((a, b) => a.line - b.line).map(({ sentence }) => sentence) };
}

interface Context {
  readonly enums: ReadDefinitions['enums'];
  readonly options: TableOptions;
  readonly names: ReadonlyMap<string, GivenNames>;
  readonly made: Readonly<Record<string, Mapping>>;
  /** The written names of the tables that stand before this one. */
  readonly before: ReadonlySet<string>;
  readonly tell: (line: number, sentence: string) => void;
}

function tableOf(table: ReadTable, given: GivenNames, context: Context): Mapping {
  const { options, tell } = context;
  const rows = options.rows(table);
  const columns: Record<string, Mapping> = {};
  const [first, ...others] = table.key?.columns ?? [];
  let key = others.length === 0 ? first : undefined;
  const indexes = table.indexes.map((index) => ({ ...index }));
  if (table.key && others.length > 0) {
    tell(
      table.key.line,
      `the primary key of ${many(table.key.columns.length, 'column')} is an index here, because a key of a table of Dyno has one column`,
    );
    indexes.unshift(plainIndex(table.key.line, table.key.columns, false));
  }
  for (const column of table.columns) {
    const lower = column.name.toLowerCase();
    const spec = specOf(column, table, lower === key, context);
    if (spec === null) {
      if (lower === key) key = undefined;
    } else columns[given.columns.get(lower)!] = options.column?.(spec, column, table, lower === key) ?? spec;
  }
  const keyName = key === undefined ? undefined : given.columns.get(key);
  const keySpec = keyName === undefined ? undefined : columns[keyName];
  const isFitting = referable.includes(keySpec?.type) || keySpec?.type === 'bytes';
  if (keyName !== undefined && !isFitting)
    tell(table.key!.line, `${keyName} is no key here, because its values may repeat themselves`);
  const kept = indexes.flatMap((index) => indexOf(index, isFitting ? key : undefined, columns, given, rows, tell));
  return {
    rows,
    ...(keyName !== undefined && isFitting && { key: keyName }),
    columns,
    ...(kept.length > 0 && { indexes: kept }),
  };
}

/** An index as the file writes it; none where a column of it was left out, or where it is the key's. */
function indexOf(
  { parts, include, where, unique, kind, visible, line }: ReadIndex,
  key: string | undefined,
  columns: Readonly<Record<string, Mapping>>,
  given: GivenNames,
  rows: number,
  tell: Context['tell'],
): readonly Mapping[] {
  const [first, ...others] = parts;
  const isPlain = first !== undefined && 'column' in first && first.path === undefined;
  if (isPlain && others.length === 0 && first.column === key && where === null) return [];
  const nameOf = (column: string) => {
    const name = given.columns.get(column);
    return name !== undefined && columns[name] !== undefined ? name : null;
  };
  const written = parts.map((part): unknown => {
    const ordered = part.desc ? { order: 'desc' } : {};
    if ('expression' in part) return { expression: part.expression, ...ordered };
    const column = nameOf(part.column);
    if (column === null) return null;
    if (part.path !== undefined) return { column, path: part.path, ...ordered };
    return part.desc ? { column, ...ordered } : column;
  });
  const included = include.map(nameOf);
  const texts = [where, ...parts.map((part) => ('expression' in part ? part.expression : null))];
  if ([...written, ...included].includes(null) || !texts.every((text) => fits(text, nameOf, given))) {
    tell(line, 'the index was left out, because one of its columns was, or has another name here');
    return [];
  }
  const hasPath = parts.some((part) => 'path' in part && part.path !== undefined);
  if (hasPath) tell(line, 'the documents of the index need the fields that it names');
  const isUnique = unique && isPlain && others.length === 0 && isDistinct(columns[nameOf(first.column)!]!, rows);
  if (unique && !isUnique) tell(line, 'the index is not unique here, because the values may repeat themselves');
  return [
    {
      columns: written,
      ...(included.length > 0 && { include: included }),
      ...(where !== null && { where }),
      ...(isUnique && { unique: true }),
      ...(kind !== 'btree' && { kind }),
      ...(!visible && { visible: false }),
    },
  ];
}

/** True if the columns that a text names have the same names here. */
const fits = (text: string | null, nameOf: (column: string) => string | null, given: GivenNames): boolean =>
  text === null ||
  (text.replaceAll(/'(?:[^']|'')*'/g, ' ').match(/\w+/g) ?? []).every((word) => {
    const column = word.toLowerCase();
    return !given.columns.has(column) || nameOf(column) === column;
  });

const isDistinct = ({ type, minLength, values, distinct }: Mapping, rows: number): boolean =>
  referable.includes(type) ||
  (type === 'text' && Number(minLength) >= 12) ||
  (type === 'frequencies' && values === undefined && Number(distinct) >= rows);

function specOf(column: ReadColumn, table: ReadTable, isKey: boolean, context: Context): Mapping | null {
  const { tell, enums, options } = context;
  const lower = column.name.toLowerCase();
  const leave = (why: string): null => {
    tell(column.line, `the column ${column.name} was left out, because ${why}`);
    return null;
  };
  if (column.isComputed) return leave('the server computes it');
  if (column.isArray) return leave('Dyno has no arrays');
  const checks = table.checks.filter((check) => check.column === lower);
  const enumerated = enums.get(column.type) ?? (/^(enum|set)\b/.test(column.type) ? column.args : undefined);
  const isUnique = table.indexes.some(({ parts: [first, ...others], unique, where }) => {
    const isPlain = first !== undefined && 'column' in first && first.path === undefined && others.length === 0;
    return unique && where === null && isPlain && first.column === lower;
  });
  const reference = referenceOf(lower, table, isKey, context);
  const bounds = (pick: 'min' | 'max') => checks.map((one) => one[pick]).filter((one) => one !== null);
  const { spec, note } = datasetColumn({
    type: column.type,
    args: column.args,
    values: checks.find(({ values }) => values)?.values ?? (enumerated?.length ? enumerated : null),
    min: bounds('min')[0] ?? null,
    max: bounds('max')[0] ?? null,
    isKey,
    isUnique,
    isCounted: column.isCounted,
    isAscending: column.isAscending,
  });
  if (spec === null) return leave(`it ${note}`);
  if (note !== null) tell(column.line, `the column ${column.name} ${note}`);
  const nulls = column.isNullable && !isKey ? { nulls: nullShare } : {};
  if (isKey || reference === null) return { ...spec, ...nulls };
  if (reference !== 'self') return { ...reference, ...nulls };
  return { ...(spec.type === 'integer' ? { type: 'integer', min: 1, max: options.rows(table) } : spec), ...nulls };
}

/** The reference of a column with a foreign key; null: it has none that Dyno can make. */
function referenceOf(
  column: string,
  table: ReadTable,
  isKey: boolean,
  { names, made, before, tell }: Context,
): Mapping | 'self' | null {
  for (const { columns, table: to, referred, line } of table.foreignKeys) {
    if (!columns.includes(column)) continue;
    const without = (why: string): null => {
      if (columns[0] === column) tell(line, `the foreign key was left out, because ${why}`);
      return null;
    };
    if (isKey) return without('Dyno makes the keys of a table by themselves');
    if (columns.length > 1) return without('Dyno makes foreign keys of one column');
    if (to === table.name.toLowerCase()) {
      without('a table of Dyno cannot refer to itself');
      return 'self';
    }
    const given = names.get(to);
    if (!given) return without(`the table ${to} is not in the script`);
    if (!before.has(to)) return without(`${to} refers to this table, too`);
    const { key, columns: there } = made[given.table]!;
    const spec = (there as Readonly<Record<string, Mapping>>)[String(key)];
    if (!referable.includes(spec?.type) || (referred.length > 0 && given.columns.get(referred[0]!) !== key))
      return without(`it does not lead to the key of ${to}`);
    return { type: 'reference', table: given.table };
  }
  return null;
}

/** The tables with those to which they refer before them. */
function inOrder(tables: ReadDefinitions['tables']): readonly string[] {
  const order: string[] = [];
  const visit = (name: string, from: ReadonlySet<string>) => {
    if (order.includes(name) || from.has(name)) return;
    const table = tables.get(name);
    if (!table) return;
    for (const { table: to } of table.foreignKeys) visit(to, new Set([...from, name]));
    order.push(name);
  };
  for (const name of tables.keys()) visit(name, new Set());
  return order;
}

/** A name that the experiment can use, from one of the server or of a file. */
export function identifierOf(name: string, taken: Set<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replace(/^_+/, '');
  const isFree = /^[a-z]/.test(plain) && !['constructor', 'prototype'].includes(plain);
  const start = (isFree ? plain : `c_${plain}`).slice(0, 30);
  let one = start;
  for (let i = 2; taken.has(one); i++) one = `${start.slice(0, 29 - String(i).length)}_${i}`;
  taken.add(one);
  return one;
}
