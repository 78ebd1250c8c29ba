import type {
  AskedTable,
  CollectedStatistics,
  ColumnFacts,
  ColumnStatistics,
  IndexFacts,
  TableFacts,
} from '#engine-api/table-facts.ts';
import { typeWords } from '#engine-api/table-facts.ts';
import { distinctAlone } from '../../shared/import-tables/statistics.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { literal } from '../values/values.ts';
import { mariadbHistogram, mysqlHistogram } from './histograms.ts';

type Cells = readonly unknown[];

/** Definitions and statistics of the user's tables, from the catalog. Empty `asked`: all tables of the database. */
export async function readTableFacts(
  connection: MysqlConnection,
  database: string,
  asked: readonly AskedTable[],
): Promise<readonly TableFacts[]> {
  const wanted =
    asked.length === 0
      ? `table_schema = ${literal(database)}`
      : `(${asked.map(({ schema, name }) => `(table_schema = ${literal(schema ?? database)} AND table_name = ${literal(name)})`).join(' OR ')})`;
  const rows = await read(
    connection,
    `SELECT table_schema, table_name, table_rows, create_options LIKE '%partitioned%' FROM information_schema.tables
      WHERE ${wanted} AND table_type = 'BASE TABLE' AND NOT (table_schema = ${literal(database)} AND table_name LIKE 'dyno|_%' ESCAPE '|')
      ORDER BY table_schema, table_name`,
  );
  const isMariadb = String((await read(connection, 'SELECT VERSION()'))[0]?.[0]).includes('MariaDB');
  const found: TableFacts[] = [];
  for (const [schema, name, estimated, isPartitioned] of rows) {
    const table = { schema: String(schema), name: String(name) };
    const kept = await (isMariadb ? mariadbStatistics : mysqlStatistics)(connection, table);
    const rowCount = kept.rows ?? Number(estimated ?? 0);
    found.push(await factsOf(connection, table, database, rowCount, kept, Number(isPartitioned) === 1));
  }
  return found;
}

const read = async (connection: MysqlConnection, text: string): Promise<readonly Cells[]> =>
  ((await connection.query(text)).rows ?? []) as readonly Cells[];

interface Table {
  readonly schema: string;
  readonly name: string;
}

interface Kept {
  /** Null: the estimate of the storage engine is all that there is. */
  readonly rows: number | null;
  /** A function of a column's type and the number of rows, by the names of columns. */
  readonly columns: ReadonlyMap<string, (type: string, rows: number) => ColumnStatistics>;
  readonly collected: readonly CollectedStatistics[];
  readonly notes: readonly string[];
}

const where = ({ schema, name }: Table, db = 'table_schema') =>
  `${db} = ${literal(schema)} AND table_name = ${literal(name)}`;

/** Engine-independent statistics, which ANALYZE TABLE … PERSISTENT collects. */
async function mariadbStatistics(connection: MysqlConnection, table: Table): Promise<Kept> {
  const how = `run ANALYZE TABLE ${table.name} PERSISTENT FOR ALL, with SET histogram_type = 'JSON_HB' before it from MariaDB 10.8 on`;
  try {
    const [[cardinality] = []] = await read(
      connection,
      `SELECT cardinality FROM mysql.table_stats WHERE ${where(table, 'db_name')}`,
    );
    const rows = await read(
      connection,
      `SELECT column_name, min_value, max_value, nulls_ratio, avg_length, avg_frequency, hist_type,
              CONVERT(DECODE_HISTOGRAM(hist_type, histogram) USING utf8mb4)
         FROM mysql.column_stats WHERE ${where(table, 'db_name')}`,
    );
    const columns = new Map(
      rows.map(([column, min, max, nulls, length, frequency, kind, histogram]) => [
        String(column),
        (type: string, all: number): ColumnStatistics => {
          const nullShare = Number(nulls ?? 0);
          const text = (cell: unknown) => (cell === null ? null : String(cell));
          const found = mariadbHistogram(
            type,
            { min: text(min), max: text(max), kind: text(kind), histogram: text(histogram) },
            1 - nullShare,
          );
          const each = Number(frequency ?? 0);
          return {
            nullShare,
            ...found,
            distinct: each > 0 ? Math.max(1, Math.round((all * (1 - nullShare)) / each)) : found.distinct,
            meanBytes: length === null ? null : Number(length),
            rowOrder: null,
          };
        },
      ]),
    );
    const histogram = rows.map((row) => row[6]).find((kind) => kind !== null);
    const withKind = histogram === undefined ? '' : `SET STATEMENT histogram_type = '${String(histogram)}' FOR `;
    const withoutValues = rows.some(([, , , , , , kind]) => kind !== null && kind !== 'JSON_HB');
    return {
      rows: cardinality === undefined || cardinality === null ? null : Number(cardinality),
      columns,
      collected:
        rows.length === 0
          ? []
          : [{ text: `${withKind}ANALYZE TABLE {} PERSISTENT FOR ALL`, columns: [], separator: '' }],
      notes:
        rows.length === 0
          ? [`There are no statistics of the columns of ${table.name}, only of its indexes: ${how}.`]
          : withoutValues
            ? [`The histograms of ${table.name} do not tell frequent texts and times: ${how}.`]
            : [],
    };
  } catch (thrown) {
    return {
      rows: null,
      columns: new Map(),
      collected: [],
      notes: [
        `The statistics of ${table.name} could not be read (${reasonOf(thrown)}): the user needs SELECT on mysql.table_stats and mysql.column_stats.`,
      ],
    };
  }
}

/** Histograms, which ANALYZE TABLE … UPDATE HISTOGRAM collects since MySQL 8.0. */
async function mysqlStatistics(connection: MysqlConnection, table: Table): Promise<Kept> {
  const estimated = `The number of rows of ${table.name} is an estimate of the storage engine.`;
  let found: readonly Cells[];
  try {
    found = await read(
      connection,
      `SELECT column_name, histogram FROM information_schema.column_statistics WHERE ${where(table, 'schema_name')}`,
    );
  } catch (thrown) {
    const unread = `The histograms of ${table.name} could not be read (${reasonOf(thrown)}): MySQL keeps them from 8.0 on.`;
    return { rows: null, columns: new Map(), collected: [], notes: [unread, estimated] };
  }
  const columns = new Map(
    found.map(([column, histogram]) => [
      String(column),
      (type: string): ColumnStatistics => ({
        ...mysqlHistogram(type, typeof histogram === 'string' ? histogram : JSON.stringify(histogram)),
        meanBytes: null,
        rowOrder: null,
      }),
    ]),
  );
  const how = `ANALYZE TABLE ${table.name} UPDATE HISTOGRAM ON … WITH 254 BUCKETS`;
  return {
    rows: null,
    columns,
    collected:
      found.length === 0
        ? []
        : [
            {
              text: 'ANALYZE TABLE {} UPDATE HISTOGRAM ON `{columns}` WITH 254 BUCKETS',
              columns: found.map(([column]) => String(column)),
              separator: '`, `',
            },
          ],
    notes: [
      ...(found.length === 0 ? [`${table.name} has no histograms, only statistics of its indexes: run ${how}.`] : []),
      estimated,
    ],
  };
}

const reasonOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

async function factsOf(
  connection: MysqlConnection,
  table: Table,
  database: string,
  rows: number,
  { columns: kept, collected, notes }: Kept,
  isPartitioned: boolean,
): Promise<TableFacts> {
  const columns = await read(
    connection,
    `SELECT column_name, data_type, column_type, is_nullable, extra, generation_expression
       FROM information_schema.columns WHERE ${where(table)} ORDER BY ordinal_position`,
  );
  const entries = await read(
    connection,
    `SELECT index_name, non_unique, column_name, collation, index_type, cardinality
       FROM information_schema.statistics WHERE ${where(table)} ORDER BY index_name, seq_in_index`,
  );
  const references = await read(
    connection,
    `SELECT constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name
       FROM information_schema.key_column_usage WHERE ${where(table)} AND referenced_table_name IS NOT NULL
       ORDER BY constraint_name, ordinal_position`,
  );
  const byIndex = Map.groupBy(entries, ([name]) => String(name));
  const key = (byIndex.get('PRIMARY') ?? []).map(([, , column]) => String(column));
  const facts = columns.map((cells): ColumnFacts => {
    const [name, dataType, columnType, nullable, extra, expression] = cells.map((cell) => String(cell ?? ''));
    const statistics = kept.get(name!)?.(dataType!, rows) ?? fromIndexes(name!, entries);
    const { args } = typeWords(columnType!);
    const isList = /^(enum|set)$/.test(dataType!);
    return {
      name: name!,
      type: dataType!,
      args: isList ? [] : args,
      isNullable: nullable === 'YES',
      isCounted: /auto_increment/i.test(extra!),
      isComputed: expression !== '',
      isArray: false,
      labels: isList
        ? [...columnType!.matchAll(/'((?:[^']|'')*)'/g)].map(([, label]) => label!.replaceAll("''", "'"))
        : null,
      // Rows lie in the order of the primary key.
      statistics: statistics && name === key[0] ? { ...statistics, rowOrder: 1 } : statistics,
    };
  });
  return {
    schema: table.schema === database ? null : table.schema,
    name: table.name,
    rows,
    columns: facts,
    key,
    foreignKeys: [...Map.groupBy(references, ([name]) => String(name)).values()].map((parts) => ({
      columns: parts.map(([, column]) => String(column)),
      schema: parts[0]![2] === database ? null : String(parts[0]![2]),
      table: String(parts[0]![3]),
      referred: parts.map((part) => String(part[4])),
    })),
    indexes: [...byIndex].flatMap(([name, parts]) => (name === 'PRIMARY' ? [] : [indexOf(name, parts)])),
    joint: [],
    collected,
    notes: [
      ...notes,
      ...(isPartitioned ? [`${table.name} is partitioned; the table of the experiment is not.`] : []),
      ...(kept.size > 0
        ? [
            `The server keeps no statistics of several columns of ${table.name} together, and none of the order of rows beside the primary key.`,
          ]
        : []),
    ],
  };
}

/** Without statistics of columns: the number of different values of the first column of an index. */
function fromIndexes(column: string, entries: readonly Cells[]): ColumnStatistics | null {
  const own = entries.find((entry, i) => entry[2] === column && entry[5] !== null && entries[i - 1]?.[0] !== entry[0]);
  return own === undefined ? null : distinctAlone(Number(own[5]));
}

function indexOf(name: string, parts: readonly Cells[]): IndexFacts {
  const method = String(parts[0]![4]).toLowerCase();
  const kinds = { btree: 'btree', fulltext: 'fulltext', hash: 'hash' } as const;
  return {
    name,
    parts: parts.map(([, , column, collation]) => ({
      ...(column === null ? { expression: '' } : { column: String(column) }),
      ...(collation === 'D' && { desc: true as const }),
    })),
    include: [],
    where: null,
    unique: Number(parts[0]![1]) === 0,
    // An index of an expression has no column.
    kind: parts.some(([, , column]) => column === null) ? null : (kinds[method as keyof typeof kinds] ?? null),
    method: parts.some(([, , column]) => column === null) ? 'expression' : method,
    visible: true,
  };
}
