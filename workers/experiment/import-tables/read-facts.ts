import type { ColumnFacts, IndexFacts, TableFacts } from '#engine-api/table-facts.ts';
import type { ReadColumn, ReadDefinitions, ReadIndex, ReadTable } from '../statements/create-table.ts';

/** Definitions of tables at a server in the form of those of a script. A line is an index of `places`. */
interface FactDefinitions {
  readonly definitions: ReadDefinitions;
  /** Tables, columns, keys and indexes as sentences name them. */
  readonly places: readonly string[];
  /** The facts by the names of the tables in the definitions, in lower case. */
  readonly facts: ReadonlyMap<string, TableFacts>;
  /** Sentences about the parts that have no counterpart. */
  readonly told: readonly string[];
}

/** A table as sentences name it. */
export const tableName = ({ schema, name }: Pick<TableFacts, 'schema' | 'name'>): string =>
  schema === null ? name : `${schema}.${name}`;

/** Reads the facts of tables as definitions. */
export function definitionsOf(all: readonly TableFacts[]): FactDefinitions {
  const places: string[] = [];
  const told: string[] = [];
  const place = (text: string) => places.push(text) - 1;
  const enums = new Map<string, readonly string[]>();
  const names = new Map<TableFacts, string>();
  const taken = new Set<string>();
  for (const table of all) {
    const plain = table.name.toLowerCase();
    const name = taken.has(plain) ? `${table.schema ?? ''}_${table.name}` : table.name;
    taken.add(name.toLowerCase());
    names.set(table, name);
  }
  const tables = new Map<string, ReadTable>();
  const facts = new Map<string, TableFacts>();
  for (const table of all) {
    const shown = tableName(table);
    for (const { labels, type } of table.columns) if (labels !== null) enums.set(enumName(type), labels);
    const read: ReadTable = {
      name: names.get(table)!,
      line: place(shown),
      columns: table.columns.map((column) => columnOf(column, place(`${shown}.${column.name}`))),
      key: table.key.length === 0 ? null : { line: place(`${shown}, primary key`), columns: lower(table.key) },
      indexes: table.indexes.flatMap((index) => {
        if (index.kind === null)
          told.push(
            `${shown}, index ${index.name}: it was left out, because Dyno has no index of the kind ${index.method}.`,
          );
        return index.kind === null ? [] : [indexOf(index, index.kind, place(`${shown}, index ${index.name}`))];
      }),
      foreignKeys: table.foreignKeys.map(({ columns, schema, table: to, referred }) => ({
        line: place(`${shown}, foreign key of ${columns.join(', ')}`),
        columns: lower(columns),
        table: (nameOf(schema, to) ?? to).toLowerCase(),
        referred: lower(referred),
      })),
      checks: [],
    };
    tables.set(read.name.toLowerCase(), read);
    facts.set(read.name.toLowerCase(), table);
  }
  return { definitions: { tables, enums, told: [] }, places, facts, told };

  function nameOf(schema: string | null, name: string): string | undefined {
    const found = all.find((one) => one.name === name && one.schema === schema) ?? all.find((one) => one.name === name);
    return found && names.get(found);
  }
}

const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());

/** Types that are lists have names of their own, which may be those of other types. */
const enumName = (type: string): string => `enum ${type}`;

function columnOf(column: ColumnFacts, line: number): ReadColumn {
  const { name, type, args, labels, isNullable, isCounted, isComputed, isArray, statistics } = column;
  const isText = /char|text|clob|string/.test(type);
  const longest = isText && args.length === 0 ? longestOf(statistics?.bounds, statistics?.common) : null;
  return {
    ...{ name, line, isNullable, isCounted, isArray, isAscending: false },
    type: labels === null ? type : enumName(type),
    // A text without a declared length has the length of its values.
    args: longest === null ? args : [String(longest)],
    isComputed,
  };
}

/** Length of the longest text in statistics; null: they have none. */
function longestOf(
  bounds: readonly unknown[] = [],
  common: readonly { readonly value: unknown }[] = [],
): number | null {
  const texts = [...bounds, ...common.map(({ value }) => value)].filter((value) => typeof value === 'string');
  return texts.length === 0 ? null : Math.max(1, ...texts.map((text) => text.length));
}

function indexOf({ parts, include, where, unique, visible }: IndexFacts, kind: ReadIndex['kind'], line: number) {
  return {
    ...{ line, where, unique, kind, visible },
    include: lower(include),
    parts: parts.map((part) => ('column' in part ? { ...part, column: part.column.toLowerCase() } : part)),
  };
}
