import type { ColumnFacts, StatisticsValue, TableFacts } from '#engine-api/table-facts.ts';
import { tablesOf } from '../statements/dataset-of-tables.ts';
import { type ColumnTwin, columnTwin } from './column-twin.ts';
import { drawTogether } from './draw-together.ts';
import { definitionsOf, tableName } from './read-facts.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** The choices of a twin. */
interface TwinOptions {
  /** Rows of the experiment for a row at the server. */
  readonly scale: number;
  /** True: frequent texts are those of the server. False: they are made up. */
  readonly keepValues: boolean;
}

/** A column at the server, and the column that has its place in the experiment. */
export interface MappedColumn {
  readonly column: string;
  /** Its name in the experiment. */
  readonly name: string;
  /** Its type at the server, with arguments. */
  readonly type: string;
  /** Null: the experiment has no column for it. */
  readonly as: Mapping | null;
  readonly hasStatistics: boolean;
}

/** A table at the server, and its twin. */
export interface MappedTable {
  /** The table at the server. */
  readonly table: string;
  readonly rows: number;
  /** The name in the experiment. */
  readonly name: string;
  readonly twinRows: number;
  readonly columns: readonly MappedColumn[];
}

/** Tables of an experiment with the statistics of tables at a server. */
export interface Twin {
  /** The tables as a file writes them, each after those to which it refers. */
  readonly tables: Readonly<Record<string, Mapping>>;
  readonly mapping: readonly MappedTable[];
  /** Statements of `setup` for the engine of the server, by their names: they collect the statistics that it has. */
  readonly setup: Readonly<Record<string, string>>;
  /** Sentences about what differs and why. */
  readonly told: readonly string[];
}

/** The most tables of an experiment. */
const mostTables = 50;

/** Makes tables whose columns have the statistics of the facts. It draws nothing and needs no row of the server. */
export const twinOf = (all: readonly TableFacts[], options: TwinOptions): Twin => twinWithValues(all, options).twin;

/** A twin, and the values that its columns have in the place of those of the server. */
export interface TwinWithValues {
  readonly twin: Twin;
  /** The facts of the tables of `twin.mapping`, in its order. */
  readonly facts: readonly TableFacts[];
  /** The value of a column, by the facts of its table and its name at the server; undefined: it has none. */
  valueOf(table: TableFacts, column: string, value: StatisticsValue): string | number | undefined;
}

/** Makes a twin that tells its values, for a comparison with the original. */
export function twinWithValues(all: readonly TableFacts[], { scale, keepValues }: TwinOptions): TwinWithValues {
  const facts = all.slice(0, mostTables);
  const { definitions, places, facts: factsOf, told } = definitionsOf(facts);
  const rowsOf = ({ rows }: TableFacts) => Math.max(1, Math.round(rows * scale));
  const twins = new Map<TableFacts, Map<string, ColumnTwin>>(facts.map((table) => [table, new Map()]));
  const made = tablesOf(definitions, {
    rows: ({ name }) => rowsOf(factsOf.get(name.toLowerCase())!),
    place: (line) => places[line]!,
    column(spec, { name }, table, isKey) {
      const own = factsOf.get(table.name.toLowerCase())!;
      const column = own.columns.find((one) => one.name === name)!;
      const twin = columnTwin(spec, column, { rows: own.rows, twinRows: rowsOf(own), keepValues }, isKey);
      twins.get(own)!.set(name, twin);
      return twin.spec;
    },
  });
  const tables: Record<string, Mapping> = {};
  const mapping: MappedTable[] = [];
  const setup: Record<string, string> = {};
  for (const [written, { table: name, columns: given }] of made.names) {
    const own = factsOf.get(written)!;
    const together = drawTogether(own, twins.get(own)!);
    const table = made.tables[name]!;
    const columns = { ...(table.columns as Readonly<Record<string, Mapping>>) };
    for (const [column, spec] of together) columns[given.get(column.toLowerCase())!] = spec;
    tables[name] = { ...table, columns };
    for (const { text, columns: of, separator } of own.collected ?? []) {
      const names = of.flatMap((column) => given.get(column.toLowerCase()) ?? []);
      const statement = `statistics_${Object.keys(setup).length + 1}`;
      if (names.length === of.length && names.every((column) => Object.hasOwn(columns, column)))
        setup[statement] = text
          .replace('{own}', `{${statement}}`)
          .replace('{columns}', names.join(separator))
          .replace('{}', `{${name}}`);
    }
    mapping.push({
      ...{ table: tableName(own), rows: own.rows, name, twinRows: rowsOf(own) },
      columns: own.columns.map((column) => ({
        ...{ column: column.name, type: typeText(column), hasStatistics: column.statistics !== null },
        name: given.get(column.name.toLowerCase())!,
        as: columns[given.get(column.name.toLowerCase())!] ?? null,
      })),
    });
  }
  const twin: Twin = {
    // Tables to which others refer come first.
    tables: Object.fromEntries(Object.keys(made.tables).map((name) => [name, tables[name]!])),
    mapping,
    setup,
    told: [
      ...(all.length > mostTables ? [`The first ${mostTables} of ${all.length} tables were taken.`] : []),
      ...facts.flatMap(({ notes }) => notes),
      ...told,
      ...made.told,
    ],
  };
  return {
    twin,
    facts: [...made.names.keys()].map((written) => factsOf.get(written)!),
    valueOf: (table, column, value) => twins.get(table)?.get(column)?.valueOf(value),
  };
}

const typeText = ({ type, args }: ColumnFacts): string => (args.length === 0 ? type : `${type}(${args.join(',')})`);

/** A column of the experiment in words, for a table of the mapping: "integer by 40 frequent values and a histogram". */
export function columnText({ type, as: kind, values, bounds, distinct, table, row }: Mapping): string {
  if (type === 'reference') return `reference to ${String(table ?? 'a key')}`;
  if (type !== 'frequencies') return String(type);
  const parts = [
    ...(Array.isArray(values) ? [`${values.length} frequent values`] : []),
    ...(Array.isArray(bounds) ? [`a histogram of ${bounds.length} bounds`] : []),
    ...(distinct === undefined || Array.isArray(bounds) ? [] : [`${String(distinct)} made-up values`]),
    ...(row === undefined ? [] : ['drawn together with other columns']),
  ];
  return `${String(kind ?? 'integer')}: ${parts.join(', ')}`;
}
