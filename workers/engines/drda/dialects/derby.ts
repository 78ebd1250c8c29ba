import type { DrdaConnection } from '#drda/index.ts';
import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';
import { unlessDenied } from '../../shared/error-table.ts';
import { query } from '../connection/query.ts';
import type { Dialect } from '../dialect.ts';
import { toError } from '../errors.ts';
import { catalogName, schemaName } from '../names.ts';
import { options as tableOptions } from '../options.ts';
import { derbyFingerprint } from '../probe/derby-fingerprint.ts';
import { createDerbyProbe, derbyProbeInfo } from '../probe/derby-probe.ts';

/** Apache Derby. */
export const derby: Dialect = {
  id: 'derby',
  booleanSql: 'BOOLEAN',
  defaultIsolation: 'CS',
  loadsInTransaction: true,
  async refusal(_connection, { options, partitions }) {
    if (partitions) return 'partitions: Derby keeps every table whole; SQLFire’s family has this.';
    const odd = tableOptions.find(({ name, defaultValue }) => (options[name] ?? defaultValue) !== defaultValue);
    return odd
      ? `drda.${odd.name}: ${options[odd.name]} — Derby keeps every table whole, on disk, in one place; SQLFire’s family has this.`
      : null;
  },
  tableClauses: () => '',
  noIsolation: {},
  settle,
  fingerprint: derbyFingerprint,
  createProbe: createDerbyProbe,
  probeInfo: derbyProbeInfo,
  storedBytes,
};

/** Derby's reference manual: SYSCS_UPDATE_STATISTICS, which a table's owner may call, and SYSCS_CHECKPOINT_DATABASE. */
async function settle(connection: DrdaConnection, table: TablePlan): Promise<void> {
  const name = catalogName(table.name);
  await connection.execute(`CALL SYSCS_UTIL.SYSCS_UPDATE_STATISTICS('${schemaName}', '${name}', NULL)`, {
    commit: true,
  });
  await unlessDenied(toError, () =>
    connection.execute('CALL SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE()', { commit: true }),
  );
}

/** Counts the pages of the table and its indexes, free pages within their files included. */
async function storedBytes(connection: DrdaConnection, table: TablePlan): Promise<StoredBytes> {
  const rows = await query(
    connection,
    `SELECT ISINDEX, CONGLOMERATENAME, (NUMALLOCATEDPAGES + NUMFREEPAGES) * PAGESIZE
       FROM TABLE(SYSCS_DIAG.SPACE_TABLE('${schemaName}', '${catalogName(table.name)}')) AS pages`,
  );
  const sum = (isIndex: number) =>
    rows.filter(([index]) => Number(index) === isIndex).reduce((bytes, [, , own]) => bytes + Number(own), 0);
  return {
    tableBytes: sum(0),
    indexBytes: sum(1),
    eachIndex: eachIndex(
      table,
      rows.map(([, name, bytes]) => [String(name), Number(bytes)]),
      { nameOf: catalogName },
    ),
  };
}
