import type pg from 'pg';
import type { PageUse } from '#engine-api/page-use.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { unlessDenied } from '../../shared/error-table.ts';
import { toError } from '../errors.ts';
import { quote, tableSql } from '../names.ts';

const extensionSql = `SELECT n.nspname AS schema FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
 WHERE e.extname = 'pgstattuple'`;

/** The client leaves numbers as texts. */
type HeapRow = Readonly<Record<'bytes' | 'used' | 'free', string | null>>;

interface IndexRow {
  readonly name: string;
  readonly is_key: boolean;
  readonly density: string | null;
  readonly out_of_order: string | null;
  readonly free: string | null;
}

const numberOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Number(text);

/**
 * The fill of all pages, by the extension pgstattuple, which reads the whole table and its B-trees. Rows that are dead
 * take space, but fill none.
 */
export async function pageUse(client: pg.Client, table: TablePlan): Promise<PageUse> {
  const { rows } = await client.query<{ schema: string }>(extensionSql);
  const [extension] = rows;
  if (extension === undefined)
    return {
      why: 'The extension pgstattuple is not installed in this database: CREATE EXTENSION pgstattuple, as a superuser.',
    };
  const schema = quote(extension.schema);
  const found = await unlessDenied(toError, async () => ({
    heap: await client.query<HeapRow>(heapSql(schema, table), [tableSql(table)]),
    indexes: await client.query<IndexRow>(indexSql(schema, table), [tableSql(table)]),
  }));
  if (found === null)
    return { why: 'This user may not run pgstattuple: GRANT pg_stat_scan_tables to it, as a superuser.' };
  const [heap] = found.heap.rows;
  const [bytes, used] = [numberOf(heap?.bytes) ?? 0, numberOf(heap?.used) ?? 0];
  return {
    parts: [
      ...(bytes > 0 ? [{ of: 'table', density: used / bytes, outOfOrder: null, freeBytes: numberOf(heap?.free) }] : []),
      ...found.indexes.rows.map(({ name, is_key: isKey, density, out_of_order: outOfOrder, free }) => ({
        of: isKey ? 'key' : name,
        density: numberOf(density),
        outOfOrder: numberOf(outOfOrder),
        freeBytes: numberOf(free),
      })),
    ],
  };
}

/** A partitioned table or index has no pages of its own, but its leaves have. Others are no part of a tree. */
const leavesSql = ({ partitions }: TablePlan, relation: string): string =>
  partitions ? `SELECT relid FROM pg_partition_tree(${relation}) WHERE isleaf` : `SELECT ${relation} AS relid`;

const heapSql = (schema: string, table: TablePlan): string => `
SELECT sum(s.table_len)::float8 AS bytes, sum(s.tuple_len)::float8 AS used, sum(s.free_space)::float8 AS free
  FROM (${leavesSql(table, '$1::regclass')}) AS leaf,
       LATERAL ${schema}.pgstattuple(leaf.relid::regclass) AS s`;

/** Leaves of B-trees, weighted by their number. An empty tree has a density of NaN. */
const indexSql = (schema: string, table: TablePlan): string => `
SELECT c.relname AS name, i.indisprimary AS is_key,
       sum(s.leaf_pages * s.avg_leaf_density)::float8 / nullif(sum(s.leaf_pages), 0) / 100 AS density,
       sum(s.leaf_pages * s.leaf_fragmentation)::float8 / nullif(sum(s.leaf_pages), 0) / 100 AS out_of_order,
       sum((s.empty_pages + s.deleted_pages) * current_setting('block_size')::bigint)::float8 AS free
  FROM pg_index AS i
  JOIN pg_class AS c ON c.oid = i.indexrelid
  JOIN pg_am AS a ON a.oid = c.relam AND a.amname = 'btree',
       LATERAL (${leavesSql(table, 'i.indexrelid')}) AS leaf,
       LATERAL ${schema}.pgstatindex(leaf.relid::regclass) AS s
 WHERE i.indrelid = $1::regclass AND s.leaf_pages > 0
 GROUP BY c.relname, i.indisprimary`;
