import type oracledb from 'oracledb';
import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';
import { dictionaryName, keyName } from '../names.ts';

export const storedBytesSql = `SELECT COALESCE(SUM(CASE WHEN segment_type LIKE 'TABLE%' OR segment_type LIKE 'LOB%' OR segment_type = 'NESTED TABLE' THEN bytes END), 0),
       COALESCE(SUM(CASE WHEN segment_type LIKE 'INDEX%' THEN bytes END), 0),
       COALESCE(SUM(CASE WHEN segment_name = :1 THEN bytes END), 0)
  FROM user_segments
 WHERE segment_name = :2
    OR segment_name IN (SELECT index_name FROM user_indexes WHERE table_name = :3)
    OR segment_name IN (SELECT segment_name FROM user_lobs WHERE table_name = :4 UNION ALL SELECT index_name FROM user_lobs WHERE table_name = :5)`;

/** The segments of each index; a partitioned index has several. */
export const indexBytesSql = `SELECT segment_name, SUM(bytes) FROM user_segments
 WHERE segment_name IN (SELECT index_name FROM user_indexes WHERE table_name = :1) GROUP BY segment_name`;

/** Allocated extents, with their free space. An index-organised table is stored in its key's index. */
export async function storedBytes(connection: oracledb.Connection, table: TablePlan): Promise<StoredBytes> {
  const name = dictionaryName(table.name);
  const { rows } = await connection.execute<[number, number, number]>(storedBytesSql, [
    dictionaryName(keyName(table)),
    ...Array<string>(4).fill(name),
  ]);
  const [tableBytes = 0, indexBytes = 0, keyBytes = 0] = rows?.[0] ?? [];
  const sizes = await connection.execute<[string, number]>(indexBytesSql, [name]);
  const each = { eachIndex: eachIndex(table, sizes.rows ?? [], { nameOf: dictionaryName }) };
  return table.options.table === 'iot'
    ? { tableBytes: keyBytes, indexBytes: indexBytes - keyBytes, ...each }
    : { tableBytes, indexBytes, ...each };
}
