import type { DrdaConnection } from '#drda/index.ts';
import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';
import { query } from '../connection/query.ts';
import type { Dialect } from '../dialect.ts';
import { catalogName, schemaName } from '../names.ts';
import { keepsCatalog, memberFingerprint, memberIdentities } from '../probe/sqlfire-fingerprint.ts';
import { createSessionsProbe, sessionsProbeInfo } from '../probe/sqlfire-probe.ts';
import { readTableClauses } from './sqlfire-table.ts';

/** SQLFire and its successors, GemFire XD and SnappyData's row store. */
export const sqlfire: Dialect = {
  id: 'sqlfire',
  // SQLFire and GemFire XD lack this form, and SnappyData accepts the older one too, so one form serves all.
  booleanSql: 'SMALLINT',
  defaultIsolation: 'NONE',
  loadsInTransaction: false,
  async refusal(connection, table) {
    const { refusal, needsDisk } = readTableClauses(table);
    if (refusal !== null || !needsDisk || (await keepsCatalog(connection))) return refusal;
    // If the server is asked for it, it ends the connection (X0Z14 is an error of the whole database).
    return `drda.${needsDisk}: ${table.options[needsDisk]} — the server keeps its catalog in memory only (persist-dd=false), and so has no disk for tables.`;
  },
  tableClauses: (table) => readTableClauses(table).sql,
  noIsolation: {
    UR: 'SQLFire’s family takes UR and gives CS instead; Derby has it.',
    RR: 'SQLFire’s family has no RR, CS and RS alone; Derby has it.',
  },
  // Rows are in their final place once a call is answered, and the server keeps no statistics of them.
  settle: async () => {},
  fingerprint: memberFingerprint,
  identities: memberIdentities,
  createProbe: createSessionsProbe,
  probeInfo: sessionsProbeInfo,
  storedBytes,
};

/** Memory of all members, in kB of 1,000 bytes (SYS.MEMORYANALYTICS). The key's hash index is part of the table. */
async function storedBytes(connection: DrdaConnection, table: TablePlan): Promise<StoredBytes> {
  const rows = await query(
    connection,
    'SELECT INDEX_NAME, CONSTANT_OVERHEAD + ENTRY_SIZE + KEY_SIZE + VALUE_SIZE + VALUE_SIZE_OFFHEAP FROM SYS.MEMORYANALYTICS WHERE TABLE_NAME = ?',
    [`${schemaName}.${catalogName(table.name)}`],
  );
  const sum = (isIndex: boolean) =>
    rows
      .filter(([index]) => (index !== null) === isIndex)
      .reduce((bytes, [, kilobytes]) => bytes + Math.round(Number(kilobytes) * 1_000), 0);
  // The names of indexes may have their schema and table in front of them.
  const bytesOf = (name: string) =>
    rows.filter(([index]) => index !== null && String(index).split(/[.:]/).includes(name));
  const sizes = (table.indexes ?? []).flatMap(({ name }): readonly (readonly [string, number])[] => {
    const own = bytesOf(catalogName(name));
    return own.length === 0
      ? []
      : [[name, own.reduce((bytes, [, kilobytes]) => bytes + Math.round(Number(kilobytes) * 1_000), 0)]];
  });
  return {
    ...{ tableBytes: sum(false), indexBytes: sum(true), medium: 'memory' },
    eachIndex: eachIndex(table, sizes, { why: 'SYS.MEMORYANALYTICS does not list the index.' }),
  };
}
