import type { Connection } from 'tedious';
import type { AskedTable, ColumnFacts, ColumnStatistics, IndexFacts, TableFacts } from '#engine-api/table-facts.ts';
import { DynoError } from '#model/error.ts';
import { distinctAlone } from '../../shared/import-tables/statistics.ts';
import { fromSteps, type HistogramStep } from '../../shared/import-tables/steps.ts';
import type { Server } from '../connection/server.ts';
import { toError } from '../errors.ts';
import { schemaName } from '../names.ts';
import { query } from '../wire/request.ts';

type Row = Readonly<Record<string, unknown>>;

/** Index 0 is a heap and 1 the clustered index: one of them has the rows. */
export const tablesSql = `SELECT t.object_id AS id, s.name AS schema_name, t.name AS table_name, SUM(p.rows) AS row_count,
       COUNT(DISTINCT p.partition_number) AS partitions
  FROM sys.tables AS t JOIN sys.schemas AS s ON s.schema_id = t.schema_id
  JOIN sys.partitions AS p ON p.object_id = t.object_id AND p.index_id IN (0, 1)
 WHERE t.is_ms_shipped = 0 AND s.name <> N'${schemaName}'
 GROUP BY t.object_id, s.name, t.name ORDER BY s.name, t.name`;

export const columnsSql = `SELECT c.object_id AS id, c.name AS name, TYPE_NAME(c.system_type_id) AS type_name, c.max_length AS max_length,
       c.[precision] AS digits, c.scale AS scale, c.is_nullable AS is_nullable, c.is_identity AS is_identity,
       c.is_computed AS is_computed
  FROM sys.columns AS c JOIN sys.tables AS t ON t.object_id = c.object_id WHERE t.is_ms_shipped = 0
 ORDER BY c.object_id, c.column_id`;

export const indexesSql = `SELECT i.object_id AS id, i.name AS name, i.type_desc AS kind, i.is_unique AS is_unique, i.is_primary_key AS is_key,
       i.is_disabled AS is_disabled, i.filter_definition AS condition, c.name AS column_name,
       k.is_descending_key AS is_descending, k.is_included_column AS is_included
  FROM sys.indexes AS i JOIN sys.tables AS t ON t.object_id = i.object_id
  JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
  JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
 WHERE t.is_ms_shipped = 0 AND i.is_hypothetical = 0
 ORDER BY i.object_id, i.index_id, k.is_included_column, k.key_ordinal, k.index_column_id`;

export const referencesSql = `SELECT f.parent_object_id AS id, f.name AS name, s.name AS schema_name, r.name AS table_name, c.name AS column_name,
       d.name AS referred
  FROM sys.foreign_keys AS f JOIN sys.foreign_key_columns AS k ON k.constraint_object_id = f.object_id
  JOIN sys.tables AS r ON r.object_id = f.referenced_object_id JOIN sys.schemas AS s ON s.schema_id = r.schema_id
  JOIN sys.columns AS c ON c.object_id = k.parent_object_id AND c.column_id = k.parent_column_id
  JOIN sys.columns AS d ON d.object_id = k.referenced_object_id AND d.column_id = k.referenced_column_id
 ORDER BY f.parent_object_id, f.name, k.constraint_column_id`;

/**
 * The steps of the newest histogram of each column, which is that of the first column of its statistics. A sql_variant
 * becomes text: style 121 writes times in the order of ISO 8601.
 */
export const histogramsSql = `SELECT n.id AS id, n.column_name AS column_name, n.sampled AS sampled, n.changes AS changes,
       CONVERT(nvarchar(400), h.range_high_key,
         CASE WHEN CAST(SQL_VARIANT_PROPERTY(h.range_high_key, 'BaseType') AS nvarchar(128)) LIKE N'%date%' THEN 121 ELSE 0 END) AS high_key,
       h.range_rows AS range_rows, h.equal_rows AS equal_rows, h.distinct_range_rows AS distinct_rows
  FROM (SELECT a.object_id AS id, a.stats_id AS stats_id, c.name AS column_name, p.rows_sampled AS sampled,
               p.modification_counter AS changes,
               ROW_NUMBER() OVER (PARTITION BY a.object_id, c.column_id ORDER BY p.last_updated DESC) AS place
          FROM sys.stats AS a JOIN sys.tables AS t ON t.object_id = a.object_id
          JOIN sys.stats_columns AS k ON k.object_id = a.object_id AND k.stats_id = a.stats_id AND k.stats_column_id = 1
          JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
         CROSS APPLY sys.dm_db_stats_properties(a.object_id, a.stats_id) AS p
         WHERE t.is_ms_shipped = 0 AND a.has_filter = 0) AS n
 CROSS APPLY sys.dm_db_stats_histogram(n.id, n.stats_id) AS h
 WHERE n.place = 1
 ORDER BY n.id, n.column_name, h.step_number`;

/** Definitions and statistics of the user's tables, from the catalog alone. Empty `asked`: all tables. */
export async function readTableFacts(
  connection: Connection,
  { emulator }: Pick<Server, 'emulator'>,
  asked: readonly AskedTable[],
): Promise<readonly TableFacts[]> {
  if (emulator !== null)
    throw new DynoError(
      'unsupported',
      `${emulator} has no histograms that Dyno could read (sys.dm_db_stats_histogram).`,
      {
        hint: 'Connect to its PostgreSQL port, whose pg_stats has them, or write the tables as a script, and use dyno draft.',
      },
    );
  const tables = (await query<Row>(connection, tablesSql)).filter(
    ({ schema_name, table_name }) =>
      asked.length === 0 || asked.some(({ schema, name }) => name === table_name && (schema ?? 'dbo') === schema_name),
  );
  if (tables.length === 0) return [];
  const byTable = (rows: readonly Row[]) => Map.groupBy(rows, ({ id }) => String(id));
  const columns = byTable(await query<Row>(connection, columnsSql));
  const indexes = byTable(await query<Row>(connection, indexesSql));
  const references = byTable(await query<Row>(connection, referencesSql));
  const { rows: found, why } = await histograms(connection);
  const steps = byTable(found);
  return tables.map((table) => {
    const id = String(table.id);
    const of = (rows: ReadonlyMap<string, readonly Row[]>) => rows.get(id) ?? [];
    return factsOf(table, of(columns), of(indexes), of(references), of(steps), why);
  });
}

/** The reason why there are none is told with the tables: definitions and counts are of use without histograms. */
async function histograms(
  connection: Connection,
): Promise<{ readonly rows: readonly Row[]; readonly why: string | null }> {
  try {
    return { rows: await query<Row>(connection, histogramsSql), why: null };
  } catch (thrown) {
    const { kind, message } = toError(thrown);
    if (kind === 'serverGone' || kind === 'cancelled' || kind === 'timeout') throw thrown;
    return {
      rows: [],
      why: `Histograms could not be read (${message}): SQL Server has sys.dm_db_stats_histogram from 2016 SP1 CU2 on, for users who may SELECT the columns.`,
    };
  }
}

const isSet = (value: unknown): boolean => value === true || Number(value) === 1;
const shown = (schema: unknown): string | null => (schema === 'dbo' ? null : String(schema));

function factsOf(
  { schema_name, table_name, row_count, partitions }: Row,
  columns: readonly Row[],
  indexes: readonly Row[],
  references: readonly Row[],
  steps: readonly Row[],
  why: string | null,
): TableFacts {
  const name = String(table_name);
  const rows = Number(row_count);
  const histogramOf = Map.groupBy(steps, ({ column_name }) => String(column_name));
  const byIndex = [...Map.groupBy(indexes, ({ name: index }) => String(index))];
  const keyParts = byIndex.find(([, parts]) => isSet(parts[0]!.is_key))?.[1] ?? [];
  const clustered = byIndex.find(([, [first]]) => first!.kind === 'CLUSTERED')?.[1][0]?.column_name;
  const facts = columns.map((column): ColumnFacts => {
    const own = histogramOf.get(String(column.name)) ?? [];
    const statistics = own.length === 0 ? uniqueOf(column, byIndex, rows) : statisticsOf(String(column.type_name), own);
    return {
      name: String(column.name),
      ...typeOf(column),
      isNullable: isSet(column.is_nullable),
      isCounted: isSet(column.is_identity),
      isComputed: isSet(column.is_computed),
      isArray: false,
      labels: null,
      // A clustered index has the rows in its order.
      statistics: statistics && column.name === clustered ? { ...statistics, rowOrder: 1 } : statistics,
    };
  });
  const without = facts.filter(({ statistics, isComputed }) => statistics === null && !isComputed);
  const [{ changes } = {}] = steps;
  return {
    schema: shown(schema_name),
    name,
    rows,
    columns: facts,
    key: keyParts.map((part) => String(part.column_name)),
    foreignKeys: [...Map.groupBy(references, ({ name: key }) => String(key)).values()].map((parts) => ({
      columns: parts.map(({ column_name }) => String(column_name)),
      schema: shown(parts[0]!.schema_name),
      table: String(parts[0]!.table_name),
      referred: parts.map(({ referred }) => String(referred)),
    })),
    indexes: byIndex.flatMap(([index, parts]) => (isSet(parts[0]!.is_key) ? [] : [indexOf(index, parts)])),
    joint: [],
    notes: [
      ...(why === null ? [] : [why]),
      ...(why === null && without.length > 0
        ? [
            `There are no statistics of ${without.map((one) => one.name).join(', ')} in ${name}: run CREATE STATISTICS … ON ${name} (…), or a query with a condition on the column where AUTO_CREATE_STATISTICS is on.`,
          ]
        : []),
      ...(steps.length > 0
        ? [
            `The server tells no lengths of values of ${name}, and of columns together only how many different values they have.`,
          ]
        : []),
      ...(Number(changes ?? 0) > 0.2 * Math.max(1, rows)
        ? [`${String(changes)} changes of ${name} are not in its statistics: run UPDATE STATISTICS ${name}.`]
        : []),
      ...(Number(partitions) > 1
        ? [`${name} has ${String(partitions)} partitions; the table of the experiment has none.`]
        : []),
    ],
  };
}

/** A column with a unique index of its own has as many values as rows, whatever its histogram. */
function uniqueOf(
  { name }: Row,
  indexes: readonly (readonly [string, readonly Row[]])[],
  rows: number,
): ColumnStatistics | null {
  const own = indexes.some(
    ([, parts]) => parts.length === 1 && isSet(parts[0]!.is_unique) && parts[0]!.column_name === name,
  );
  return own ? distinctAlone(rows) : null;
}

/** The first step of a column with nulls has no key, and their rows. */
function statisticsOf(type: string, steps: readonly Row[]): ColumnStatistics {
  const isNumber = /int$|^(decimal|numeric|float|real|money|smallmoney|bit)$/.test(type);
  const rows = steps.reduce((sum, step) => sum + Number(step.equal_rows) + Number(step.range_rows), 0);
  const nulls = steps.find(({ high_key }) => high_key === null);
  const own = steps.flatMap((step): HistogramStep[] => {
    if (step.high_key === null) return [];
    const key = String(step.high_key);
    const value = type === 'bit' ? key === '1' : isNumber ? Number(key) : key;
    return [
      {
        value,
        equal: Number(step.equal_rows),
        between: Number(step.range_rows),
        betweenDistinct: Number(step.distinct_rows),
      },
    ];
  });
  return {
    ...fromSteps(own, rows),
    nullShare: rows === 0 ? null : Number(nulls?.equal_rows ?? 0) / rows,
    meanBytes: null,
    rowOrder: null,
  };
}

/** Lengths are in bytes, those of nchar and nvarchar in two bytes a character; −1 is max. */
function typeOf({ type_name, max_length, digits, scale }: Row): {
  readonly type: string;
  readonly args: readonly string[];
} {
  const type = String(type_name ?? 'clr').toLowerCase();
  const length = Number(max_length);
  if (/^(n?char|n?varchar|binary|varbinary)$/.test(type))
    return { type, args: length < 0 ? [] : [String(type.startsWith('n') ? length / 2 : length)] };
  if (/^(decimal|numeric)$/.test(type)) return { type, args: [String(digits), String(scale)] };
  return { type, args: [] };
}

const kinds: Readonly<Record<string, IndexFacts['kind']>> = {
  CLUSTERED: 'btree',
  NONCLUSTERED: 'btree',
  'NONCLUSTERED COLUMNSTORE': 'columnstore',
  'CLUSTERED COLUMNSTORE': 'columnstore',
};

function indexOf(name: string, parts: readonly Row[]): IndexFacts {
  const [first] = parts;
  const columns = (isIncluded: boolean) => parts.filter(({ is_included }) => isSet(is_included) === isIncluded);
  const kind = kinds[String(first!.kind)] ?? null;
  // All columns of a columnstore are included ones.
  const keys = kind === 'columnstore' ? parts : columns(false);
  return {
    name,
    parts: keys.map(({ column_name, is_descending }) => ({
      column: String(column_name),
      ...(isSet(is_descending) && { desc: true as const }),
    })),
    include: kind === 'columnstore' ? [] : columns(true).map(({ column_name }) => String(column_name)),
    where: first!.condition === null ? null : String(first!.condition),
    unique: isSet(first!.is_unique),
    kind,
    method: String(first!.kind).toLowerCase(),
    visible: !isSet(first!.is_disabled),
  };
}
