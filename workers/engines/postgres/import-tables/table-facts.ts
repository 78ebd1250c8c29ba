import type pg from 'pg';
import type {
  AskedTable,
  CollectedStatistics,
  ColumnFacts,
  ColumnStatistics,
  IndexFacts,
  JointStatistics,
  StatisticsValue,
  TableFacts,
} from '#engine-api/table-facts.ts';
import { typeWords } from '#engine-api/table-facts.ts';
import { type IndexKind, indexKinds } from '#model/dataset/indexes.ts';
import { schemaName } from '../names.ts';

/** Partitions belong to their table; its own statistics are those with all partitions (inherited). */
const tablesSql = `
  SELECT c.oid::int8::text AS oid, n.nspname AS schema, c.relname AS name, pg_table_is_visible(c.oid) AS is_visible,
         c.reltuples AS tuples, c.relkind = 'p' AS is_partitioned,
         (SELECT count(*) FROM pg_inherits WHERE inhparent = c.oid)::int AS partitions
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relpersistence <> 't'
     AND n.nspname NOT IN ('pg_catalog', 'information_schema', $1) AND n.nspname !~ '^pg_'
     AND has_table_privilege(c.oid, 'SELECT')
   ORDER BY n.nspname, c.relname`;

const columnsSql = `
  SELECT a.attname AS name, format_type(COALESCE(NULLIF(t.typbasetype, 0), a.atttypid),
                                        CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END) AS type,
         NOT a.attnotnull AS is_nullable,
         a.attidentity <> '' OR COALESCE(pg_get_expr(d.adbin, d.adrelid), '') ~ '^nextval' AS is_counted,
         a.attgenerated <> '' AS is_computed, t.typcategory = 'A' AS is_array,
         CASE WHEN t.typtype = 'e' THEN (SELECT to_jsonb(array_agg(e.enumlabel ORDER BY e.enumsortorder))
                                           FROM pg_enum e WHERE e.enumtypid = t.oid) END AS labels,
         s.null_frac AS nulls, s.n_distinct AS distinct_values, s.avg_width AS bytes, s.correlation,
         to_jsonb(s.most_common_vals) AS common, to_jsonb(s.most_common_freqs) AS shares,
         to_jsonb(s.histogram_bounds) AS bounds
    FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
    JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    LEFT JOIN pg_stats s ON s.schemaname = n.nspname AND s.tablename = c.relname AND s.attname = a.attname
                        AND s.inherited = $2
   WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

const keysSql = `
  SELECT con.contype AS kind, rn.nspname AS schema, r.relname AS referred_table,
         (SELECT to_jsonb(array_agg(a.attname ORDER BY k.i)) FROM unnest(con.conkey) WITH ORDINALITY k(n, i)
            JOIN pg_attribute a ON a.attrelid = con.conrelid AND a.attnum = k.n) AS columns,
         (SELECT to_jsonb(array_agg(a.attname ORDER BY k.i)) FROM unnest(con.confkey) WITH ORDINALITY k(n, i)
            JOIN pg_attribute a ON a.attrelid = con.confrelid AND a.attnum = k.n) AS referred
    FROM pg_constraint con LEFT JOIN pg_class r ON r.oid = con.confrelid
    LEFT JOIN pg_namespace rn ON rn.oid = r.relnamespace
   WHERE con.conrelid = $1::oid AND con.contype IN ('p', 'f') AND con.conparentid = 0 ORDER BY con.oid`;

const indexesSql = `
  SELECT i.relname AS name, am.amname AS method, x.indisunique AS is_unique, x.indnkeyatts::int AS keys,
         pg_get_expr(x.indpred, x.indrelid) AS condition,
         (SELECT to_jsonb(array_agg(jsonb_build_object(
                   'column', (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = x.indrelid AND a.attnum = k.n AND k.n > 0),
                   'text', pg_get_indexdef(x.indexrelid, k.i::int, true),
                   'desc', (COALESCE(x.indoption[k.i - 1], 0) & 1) = 1) ORDER BY k.i))
            FROM unnest(x.indkey) WITH ORDINALITY k(n, i)) AS parts
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_am am ON am.oid = i.relam
   WHERE x.indrelid = $1::oid AND NOT x.indisprimary AND x.indisvalid ORDER BY i.relname`;

/** The names of columns in dependencies are attribute numbers. The view is there since PostgreSQL 12. */
const jointSql = `
  SELECT to_jsonb(s.attnames) AS columns, to_jsonb(s.kinds) AS kinds, s.dependencies::text AS dependencies,
         to_jsonb(s.most_common_vals) AS common, to_jsonb(s.most_common_freqs) AS shares,
         (SELECT jsonb_object_agg(a.attnum::text, a.attname) FROM pg_attribute a
           WHERE a.attrelid = $3::oid AND a.attnum > 0) AS numbers
    FROM pg_stats_ext s WHERE s.schemaname = $1 AND s.tablename = $2 AND s.attnames IS NOT NULL`;

/** Definitions and statistics of the user's tables, from the catalog alone. Empty `asked`: all tables. */
export async function readTableFacts(
  client: pg.Client,
  version: number,
  asked: readonly AskedTable[],
): Promise<readonly TableFacts[]> {
  const rows = await read<TableRow>(client, tablesSql, [schemaName]);
  const wanted = rows.filter(
    (row) =>
      asked.length === 0 ||
      asked.some(({ schema, name }) => name === row.name && (schema === null ? row.is_visible : schema === row.schema)),
  );
  const found: TableFacts[] = [];
  for (const table of wanted) found.push(await factsOf(client, table, version));
  return found;
}

interface TableRow {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly is_visible: boolean;
  readonly tuples: number;
  readonly is_partitioned: boolean;
  readonly partitions: number;
}

/** Rows as JSON, because Dyno's connections leave the values of answers as text. */
async function read<R>(client: pg.Client, text: string, values: readonly unknown[]): Promise<readonly R[]> {
  const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(q)::text AS row FROM (${text}) q`, [...values]);
  return rows.map(({ row }) => (typeof row === 'string' ? JSON.parse(row) : row) as R);
}

async function factsOf(client: pg.Client, table: TableRow, version: number): Promise<TableFacts> {
  const { oid, schema, name, tuples } = table;
  const isKnown = tuples >= 0;
  const columns = await read<ColumnRow>(client, columnsSql, [oid, table.is_partitioned]);
  const keys = await read<KeyRow>(client, keysSql, [oid]);
  const indexes = await read<IndexRow>(client, indexesSql, [oid]);
  const joint = version >= 12 ? await read<JointRow>(client, jointSql, [schema, name, oid]) : [];
  const rows = Math.max(0, Math.round(tuples));
  const facts = columns.map((column) => columnOf(column, rows));
  const without = facts.filter(({ statistics, isComputed }) => statistics === null && !isComputed);
  return {
    schema: table.is_visible ? null : schema,
    name,
    rows,
    columns: facts,
    key: keys.find(({ kind }) => kind === 'p')?.columns ?? [],
    foreignKeys: keys.flatMap(({ kind, columns, schema, referred_table, referred }) =>
      kind === 'f' ? [{ columns, schema, table: referred_table ?? '', referred: referred ?? [] }] : [],
    ),
    indexes: indexes.map(indexOf),
    joint: joint.map(jointOf),
    collected: joint.map(collectedOf),
    notes: [
      ...(isKnown ? [] : [`The server has never analysed ${name}: run ANALYZE ${name}.`]),
      ...(isKnown && without.length > 0
        ? [
            `There are no statistics of ${without.map((one) => one.name).join(', ')} in ${name}: run ANALYZE ${name}, and look if the user may read the columns.`,
          ]
        : []),
      ...joint.map(
        ({ columns: together }) =>
          `${name} has extended statistics of ${together.join(', ')}: the columns draw together, and on PostgreSQL a statement of setup creates the statistics.`,
      ),
      ...(table.is_partitioned
        ? [`${name} has ${table.partitions} partitions; the table of the experiment has none.`]
        : []),
    ],
  };
}

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly is_nullable: boolean;
  readonly is_counted: boolean;
  readonly is_computed: boolean;
  readonly is_array: boolean;
  readonly labels: readonly string[] | null;
  readonly nulls: number | null;
  readonly distinct_values: number | null;
  readonly bytes: number | null;
  readonly correlation: number | null;
  readonly common: readonly StatisticsValue[] | null;
  readonly shares: readonly number[] | null;
  readonly bounds: readonly StatisticsValue[] | null;
}

function columnOf(row: ColumnRow, rows: number): ColumnFacts {
  const { name, is_nullable, is_counted, is_computed, is_array, labels } = row;
  return {
    name,
    ...typeWords(row.type),
    isNullable: is_nullable,
    isCounted: is_counted,
    isComputed: is_computed,
    isArray: is_array,
    labels,
    statistics: row.nulls === null ? null : statisticsOf(row, row.nulls, rows),
  };
}

/** A negative number of different values is a share of the rows. */
function statisticsOf(
  { distinct_values, bytes, correlation, common, shares, bounds }: ColumnRow,
  nullShare: number,
  rows: number,
): ColumnStatistics {
  const distinct = distinct_values ?? 0;
  return {
    nullShare,
    distinct: distinct === 0 ? null : Math.round(distinct < 0 ? -distinct * rows : distinct),
    common: (common ?? []).map((value, i) => ({ value, share: shares?.[i] ?? 0 })),
    bounds: bounds ?? [],
    meanBytes: bytes,
    rowOrder: correlation,
  };
}

interface KeyRow {
  readonly kind: 'p' | 'f';
  readonly schema: string | null;
  readonly referred_table: string | null;
  readonly columns: readonly string[];
  readonly referred: readonly string[] | null;
}

interface IndexRow {
  readonly name: string;
  readonly method: string;
  readonly is_unique: boolean;
  readonly keys: number;
  readonly condition: string | null;
  readonly parts: readonly { readonly column: string | null; readonly text: string; readonly desc: boolean }[];
}

function indexOf({ name, method, is_unique, keys, condition, parts }: IndexRow): IndexFacts {
  return {
    name,
    parts: parts.slice(0, keys).map(({ column, text, desc }) => ({
      ...(column === null ? { expression: text } : { column }),
      ...(desc && { desc }),
    })),
    include: parts.slice(keys).flatMap(({ column }) => column ?? []),
    where: condition,
    unique: is_unique,
    kind: (indexKinds as readonly string[]).includes(method) ? (method as IndexKind) : null,
    method,
    visible: true,
  };
}

/** The kinds of CREATE STATISTICS by their letters (pg_statistic_ext.stxkind); e: expressions, which need no name. */
const statisticsKinds: Readonly<Record<string, string>> = { d: 'ndistinct', f: 'dependencies', m: 'mcv' };

const collectedOf = ({ columns, kinds }: JointRow): CollectedStatistics => {
  const own = (kinds ?? []).flatMap((kind) => statisticsKinds[kind] ?? []);
  const which = own.length === 0 ? '' : ` (${own.join(', ')})`;
  return { text: `CREATE STATISTICS {own}${which} ON "{columns}" FROM {}`, columns, separator: '", "' };
};

interface JointRow {
  readonly kinds: readonly string[] | null;
  readonly columns: readonly string[];
  readonly dependencies: string | null;
  readonly common: readonly (readonly (string | null)[])[] | null;
  readonly shares: readonly number[] | null;
  readonly numbers: Readonly<Record<string, string>>;
}

function jointOf({ columns, dependencies, common, shares, numbers }: JointRow): JointStatistics {
  // {"3 => 4": 1.000000, "3, 5 => 4": 1.000000}; PostgreSQL 18 has the same text.
  const found = [...(dependencies ?? '').matchAll(/"([\d, -]+) => (-?\d+)": ([\d.]+)/g)];
  return {
    columns,
    common: (common ?? []).map((values, i) => ({ values, share: shares?.[i] ?? 0 })),
    dependencies: found.map(([, from = '', to = '', degree]) => ({
      from: from.split(',').map((one) => numbers[one.trim()] ?? ''),
      to: numbers[to] ?? '',
      degree: Number(degree),
    })),
  };
}
