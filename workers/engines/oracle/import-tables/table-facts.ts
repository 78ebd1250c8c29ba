import oracledb from 'oracledb';
import type {
  AskedTable,
  ColumnFacts,
  ColumnStatistics,
  IndexFacts,
  StatisticsValue,
  TableFacts,
} from '#engine-api/table-facts.ts';
import { typeWords } from '#engine-api/table-facts.ts';
import { DynoError } from '#model/error.ts';
import { fromBounds } from '../../shared/import-tables/statistics.ts';
import { fromSteps, type HistogramStep } from '../../shared/import-tables/steps.ts';
import type { Dialect } from '../connection/dialect.ts';
import { dateOfJulian, dateOfRaw, numberOfRaw } from './raw-values.ts';

type Row = Readonly<Record<string, unknown>>;

/** Tables of the schema, without those of Dyno, of materialized views and in the recycle bin. */
export const tablesSql = `SELECT table_name, num_rows, blocks, last_analyzed, partitioned
  FROM user_tables
 WHERE table_name NOT LIKE 'DYNO\\_%' ESCAPE '\\' AND nested = 'NO' AND secondary = 'N' AND dropped = 'NO'
   AND table_name NOT IN (SELECT mview_name FROM user_mviews)
 ORDER BY table_name`;

export const columnsSql = `SELECT c.table_name, c.column_name, c.data_type, c.data_length, c.char_length, c.data_precision, c.data_scale,
       c.nullable, c.virtual_column, c.identity_column, s.num_distinct, s.num_nulls, s.avg_col_len, s.histogram,
       RAWTOHEX(s.low_value) AS low_value, RAWTOHEX(s.high_value) AS high_value
  FROM user_tab_cols c
  LEFT JOIN user_tab_col_statistics s ON s.table_name = c.table_name AND s.column_name = c.column_name
 WHERE c.hidden_column = 'NO'
 ORDER BY c.table_name, c.column_id`;

/** Without histograms a column has two endpoints, its lowest and highest value (Reference, "ALL_TAB_HISTOGRAMS"). */
export const histogramsSql = `SELECT h.table_name, h.column_name, h.endpoint_number, h.endpoint_value, h.endpoint_actual_value,
       h.endpoint_repeat_count
  FROM user_tab_histograms h
  JOIN user_tab_col_statistics s ON s.table_name = h.table_name AND s.column_name = h.column_name
 WHERE s.histogram <> 'NONE'
 ORDER BY h.table_name, h.column_name, h.endpoint_number`;

export const keysSql = `SELECT c.table_name, c.constraint_name, c.constraint_type, k.column_name, r.table_name AS referred_table,
       d.column_name AS referred_column
  FROM user_constraints c
  JOIN user_cons_columns k ON k.constraint_name = c.constraint_name
  LEFT JOIN user_constraints r ON r.constraint_name = c.r_constraint_name
  LEFT JOIN user_cons_columns d ON d.constraint_name = r.constraint_name AND d.position = k.position
 WHERE c.constraint_type IN ('P', 'R') AND (c.constraint_type = 'P' OR r.table_name IS NOT NULL)
 ORDER BY c.table_name, c.constraint_name, k.position`;

/** The clustering factor is near the number of blocks if the rows lie in the order of the index. */
export const indexesSql = `SELECT i.table_name, i.index_name, i.index_type, i.uniqueness, i.visibility, i.clustering_factor, k.column_name,
       k.descend, e.column_expression, c.constraint_name AS key_name
  FROM user_indexes i
  JOIN user_ind_columns k ON k.index_name = i.index_name
  LEFT JOIN user_ind_expressions e ON e.index_name = k.index_name AND e.column_position = k.column_position
  LEFT JOIN user_constraints c ON c.index_name = i.index_name AND c.constraint_type = 'P'
 WHERE i.index_type <> 'LOB'
 ORDER BY i.table_name, i.index_name, k.column_position`;

/** Definitions and statistics of the tables of the user's schema, from the dictionary alone. */
export async function readTableFacts(
  connection: Pick<oracledb.Connection, 'execute'>,
  { emulator }: Pick<Dialect, 'emulator'>,
  asked: readonly AskedTable[],
): Promise<readonly TableFacts[]> {
  if (emulator !== null)
    throw new DynoError('unsupported', `${emulator} has no USER_TAB_HISTOGRAMS.`, {
      hint: 'Write the tables as a script, and use dyno draft.',
    });
  const read = async (sql: string): Promise<readonly Row[]> => {
    const { rows = [] } = await connection.execute<Row>(sql, [], { outFormat: oracledb.OUT_FORMAT_OBJECT });
    return rows;
  };
  const tables = (await read(tablesSql)).filter(
    ({ TABLE_NAME }) => asked.length === 0 || asked.some(({ name }) => isName(name, String(TABLE_NAME))),
  );
  if (tables.length === 0) return [];
  const byTable = async (sql: string) => Map.groupBy(await read(sql), ({ TABLE_NAME }) => String(TABLE_NAME));
  const columns = await byTable(columnsSql);
  const histograms = await byTable(histogramsSql);
  const keys = await byTable(keysSql);
  const indexes = await byTable(indexesSql);
  return tables.map((table) => {
    const of = (rows: ReadonlyMap<string, readonly Row[]>) => rows.get(String(table.TABLE_NAME)) ?? [];
    return factsOf(table, of(columns), of(histograms), of(keys), of(indexes));
  });
}

/** A name without quotes is in upper case in the dictionary. */
const isName = (given: string, name: string): boolean => given === name || given.toUpperCase() === name;

function factsOf(
  { TABLE_NAME, NUM_ROWS, BLOCKS, PARTITIONED }: Row,
  columns: readonly Row[],
  histograms: readonly Row[],
  keys: readonly Row[],
  indexes: readonly Row[],
): TableFacts {
  const name = String(TABLE_NAME);
  const rows = Number(NUM_ROWS ?? 0);
  const stepsOf = Map.groupBy(histograms, ({ COLUMN_NAME }) => String(COLUMN_NAME));
  const byIndex = [...Map.groupBy(indexes, ({ INDEX_NAME }) => String(INDEX_NAME))];
  const facts = columns.map((column): ColumnFacts => {
    const statistics = statisticsOf(column, stepsOf.get(String(column.COLUMN_NAME)) ?? [], rows);
    const rowOrder = orderOf(column, byIndex, rows, Number(BLOCKS ?? 0));
    return {
      name: String(column.COLUMN_NAME),
      ...typeOf(column),
      isNullable: column.NULLABLE === 'Y',
      isCounted: column.IDENTITY_COLUMN === 'YES',
      isComputed: column.VIRTUAL_COLUMN === 'YES',
      isArray: false,
      labels: null,
      statistics: statistics && { ...statistics, rowOrder },
    };
  });
  const key = keys.filter(({ CONSTRAINT_TYPE }) => CONSTRAINT_TYPE === 'P');
  const references = keys.filter(({ CONSTRAINT_TYPE }) => CONSTRAINT_TYPE === 'R');
  const without = facts.filter(({ statistics, isComputed }) => statistics === null && !isComputed);
  return {
    schema: null,
    name,
    rows,
    columns: facts,
    key: key.map(({ COLUMN_NAME }) => String(COLUMN_NAME)),
    foreignKeys: [...Map.groupBy(references, (one) => String(one.CONSTRAINT_NAME)).values()].map((parts) => ({
      columns: parts.map(({ COLUMN_NAME }) => String(COLUMN_NAME)),
      schema: null,
      table: String(parts[0]!.REFERRED_TABLE),
      referred: parts.map(({ REFERRED_COLUMN }) => String(REFERRED_COLUMN)),
    })),
    indexes: byIndex.flatMap(([index, parts]) => (parts[0]!.KEY_NAME === null ? [indexOf(index, parts)] : [])),
    joint: [],
    notes: [
      ...(NUM_ROWS === null || NUM_ROWS === undefined
        ? [`The server has never analysed ${name}: run DBMS_STATS.GATHER_TABLE_STATS(USER, '${name}').`]
        : without.length > 0
          ? [
              `There are no statistics of ${without.map((one) => one.name).join(', ')} in ${name}: run DBMS_STATS.GATHER_TABLE_STATS(USER, '${name}').`,
            ]
          : []),
      ...(PARTITIONED === 'YES' ? [`${name} is partitioned; the table of the experiment is not.`] : []),
    ],
  };
}

/** NUMBER without digits has any. Lengths of texts are in characters. */
function typeOf({ DATA_TYPE, CHAR_LENGTH, DATA_LENGTH, DATA_PRECISION, DATA_SCALE }: Row) {
  const { type, args } = typeWords(String(DATA_TYPE));
  if (/char/.test(type)) return { type, args: [String(CHAR_LENGTH)] };
  if (type === 'raw') return { type, args: [String(DATA_LENGTH)] };
  if (type !== 'number') return { type, args };
  // An INTEGER has a scale and no precision.
  if (DATA_PRECISION === null) return { type, args: Number(DATA_SCALE ?? 1) === 0 ? ['38', '0'] : [] };
  return { type, args: [String(DATA_PRECISION), String(DATA_SCALE ?? 0)] };
}

type Kind = 'number' | 'time' | 'text' | null;

function kindOf({ DATA_TYPE }: Row): Kind {
  const type = String(DATA_TYPE).toLowerCase();
  if (/^(number|float|binary_float|binary_double)$/.test(type)) return 'number';
  if (/^(date|timestamp)/.test(type)) return 'time';
  return /char/.test(type) ? 'text' : null;
}

/** Null: DBMS_STATS has gathered none. */
function statisticsOf(column: Row, endpoints: readonly Row[], rows: number): ColumnStatistics | null {
  if (column.NUM_DISTINCT === null || column.NUM_DISTINCT === undefined) return null;
  const kind = kindOf(column);
  const nulls = Number(column.NUM_NULLS ?? 0);
  const base = {
    nullShare: rows === 0 ? null : Math.min(1, nulls / rows),
    distinct: Number(column.NUM_DISTINCT),
    meanBytes: column.AVG_COL_LEN === null ? null : Math.max(0, Number(column.AVG_COL_LEN) - 1),
    rowOrder: null,
  };
  const present = Math.max(0, rows - nulls);
  const found = endpoints.flatMap((endpoint) => {
    const value = endpointOf(endpoint, kind);
    return value === null ? [] : [{ value, endpoint }];
  });
  if (found.length === 0) return { ...base, common: [], bounds: rangeOf(column, kind) };
  const counts = found.map(({ endpoint }) => Number(endpoint.ENDPOINT_NUMBER));
  if (column.HISTOGRAM === 'HEIGHT BALANCED') {
    // Endpoints that repeat themselves are written once, with the number of the last one.
    const bounds = found.flatMap(({ value }, i) =>
      Array.from({ length: i === 0 ? 1 : counts[i]! - counts[i - 1]! }, () => value),
    );
    return { ...base, ...fromBounds(bounds, rows === 0 ? 1 : present / rows) };
  }
  const isHybrid = column.HISTOGRAM === 'HYBRID';
  const sampled = Math.max(1, counts.at(-1)!);
  const scale = present / sampled;
  const steps = found.map(({ value, endpoint }, i): HistogramStep => {
    const inBucket = counts[i]! - (counts[i - 1] ?? 0);
    const equal = isHybrid ? Number(endpoint.ENDPOINT_REPEAT_COUNT ?? 0) : inBucket;
    const between = Math.max(0, inBucket - equal);
    return { value, equal: equal * scale, between: between * scale, betweenDistinct: between > 0 ? 1 : 0 };
  });
  return { ...base, ...fromSteps(steps, Math.max(1, rows), base.distinct) };
}

/** The value of an endpoint: texts have it beside the number that orders them, from 12.1 on. */
function endpointOf({ ENDPOINT_VALUE, ENDPOINT_ACTUAL_VALUE }: Row, kind: Kind): StatisticsValue | null {
  if (kind === 'number') return ENDPOINT_VALUE === null ? null : Number(ENDPOINT_VALUE);
  if (kind === 'time') return ENDPOINT_VALUE === null ? null : dateOfJulian(Number(ENDPOINT_VALUE));
  return kind === 'text' && ENDPOINT_ACTUAL_VALUE !== null && ENDPOINT_ACTUAL_VALUE !== undefined
    ? String(ENDPOINT_ACTUAL_VALUE)
    : null;
}

/** The lowest and the highest value, which every column with statistics has. */
function rangeOf({ LOW_VALUE, HIGH_VALUE }: Row, kind: Kind): readonly StatisticsValue[] {
  if (LOW_VALUE === null || HIGH_VALUE === null || kind === null) return [];
  const read = { number: numberOfRaw, time: dateOfRaw, text: (hex: string) => Buffer.from(hex, 'hex').toString() }[
    kind
  ];
  const [low, high] = [read(String(LOW_VALUE)), read(String(HIGH_VALUE))];
  return low === null || high === null ? [] : [low, high];
}

/** 1: the rows lie in the order of the column, 0: in none. Null: no index begins with it. */
function orderOf(
  { COLUMN_NAME }: Row,
  indexes: readonly (readonly [string, readonly Row[]])[],
  rows: number,
  blocks: number,
): number | null {
  const own = indexes.find(
    ([, [first]]) => first!.COLUMN_NAME === COLUMN_NAME && first!.INDEX_TYPE === 'NORMAL' && first!.DESCEND === 'ASC',
  )?.[1][0];
  if (!own || own.CLUSTERING_FACTOR === null || rows <= blocks || rows === 0) return null;
  return Math.min(1, Math.max(0, (rows - Number(own.CLUSTERING_FACTOR)) / (rows - blocks)));
}

const kinds: Readonly<Record<string, IndexFacts['kind']>> = {
  NORMAL: 'btree',
  'NORMAL/REV': 'btree',
  'FUNCTION-BASED NORMAL': 'btree',
  BITMAP: 'bitmap',
};

function indexOf(name: string, parts: readonly Row[]): IndexFacts {
  const [first] = parts;
  const type = String(first!.INDEX_TYPE);
  return {
    name,
    parts: parts.map(({ COLUMN_NAME, COLUMN_EXPRESSION, DESCEND }) => {
      const expression = COLUMN_EXPRESSION === null ? null : String(COLUMN_EXPRESSION);
      // A descending column is an expression of a column in quotes.
      const plain = expression === null ? String(COLUMN_NAME) : /^"([^"]+)"$/.exec(expression)?.[1];
      return {
        ...(plain === undefined ? { expression: expression! } : { column: plain }),
        ...(DESCEND === 'DESC' && { desc: true as const }),
      };
    }),
    include: [],
    where: null,
    unique: first!.UNIQUENESS === 'UNIQUE',
    kind: kinds[type] ?? null,
    method: type.toLowerCase(),
    visible: first!.VISIBILITY !== 'INVISIBLE',
  };
}
