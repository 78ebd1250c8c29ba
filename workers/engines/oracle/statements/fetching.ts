import oracledb from 'oracledb';
import type { OperationPlan } from '#engine-api/operation.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';

/** Large values are read as text and Buffers: a LOB locator would cost round trips for every row. */
export const fetchLobsAsValues = ({ dbType }: { readonly dbType?: unknown }) =>
  dbType === oracledb.DB_TYPE_CLOB
    ? { type: oracledb.STRING }
    : dbType === oracledb.DB_TYPE_BLOB
      ? { type: oracledb.BUFFER }
      : undefined;

export const isRead = (operation: TableOperation): boolean =>
  operation === 'readByKey' || operation === 'readRange' || operation === 'scan';

/**
 * The options of an execution. A read prefetches one row more than there can be, so that the end of the rows comes with
 * them, without another round trip (driver's documentation, "Tuning Fetch Performance").
 */
export function executeOptions({ operation, method, settings, table }: OperationPlan): oracledb.ExecuteOptions {
  const keepInStmtCache = method !== 'literal' && method !== 'bind';
  if (!isRead(operation)) return { keepInStmtCache };
  const rows =
    operation === 'readRange' ? settings.rangeRows : operation === 'scan' ? settings.fetchSize : settings.rowsPerCall;
  const fetchArraySize = operation === 'readByKey' ? Math.max(1, rows) : settings.fetchSize;
  const wished = table.options.prefetchRows;
  const automatic = operation === 'scan' ? settings.fetchSize : Math.min(rows + 1, fetchArraySize + 1);
  return {
    keepInStmtCache,
    outFormat: oracledb.OUT_FORMAT_ARRAY,
    fetchArraySize,
    prefetchRows: typeof wished === 'number' && wished >= 0 ? wished : automatic,
    fetchTypeHandler: fetchLobsAsValues,
  };
}
