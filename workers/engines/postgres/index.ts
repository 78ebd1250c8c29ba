import type pg from 'pg';
import type { Database, Engine, Session, StopSignal } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { parseAgain } from '../connecting.ts';
import { sendBatches } from '../send-batches.ts';
import { checksum } from './checksum.ts';
import { config, type PostgresConfig } from './config.ts';
import { type Connected, cancelRequest, connect } from './connect.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { addIndex, addKey } from './indexes.ts';
import { simpleQuery } from './messages.ts';
import { tableSql } from './names.ts';
import { copyIn, prepareOperation } from './operations.ts';
import { prepareOwn } from './own-statement.ts';
import { ownTables } from './own-tables.ts';
import { createProbe, probeInfo, reportWork } from './probe.ts';
import { createTable, dropLeftovers, dropTable } from './schema.ts';
import { MessagesRequest, send } from './wire.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as PostgresConfig;
    const { client } = await connect(parsed, tag, signal);
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
    return openDatabase(client, parsed, tag, Math.floor(Number(rows[0]?.version) / 10_000));
  },
  toError,
};

function openDatabase(client: pg.Client, parsed: PostgresConfig, tag: string, version: number): Database {
  return {
    fingerprint: () => fingerprint(client),
    async ping() {
      await client.query('SELECT 1');
    },
    prepareSchema: (table) => createTable(client, table),
    addKey: (table) => addKey(client, table),
    addIndex: (table, index) => addIndex(client, table, index),
    load: (table, batches, onRows, signal) => load(client, table, batches, onRows, signal),
    settle: (table) => settle(client, table),
    probe: createProbe(client, version, tag),
    checksum: (table, range) => checksum(client, table, range),
    storedBytes: (table) => storedBytes(client, table),
    drop: (table) => dropTable(client, table.name),
    dropLeftovers: (namePrefix) => dropLeftovers(client, namePrefix),
    async openSession(_, isolation) {
      const level = isolationWord(descriptor, isolation);
      const own = level === null ? {} : { default_transaction_isolation: level };
      const connected = await connect({ ...parsed, sessionSettings: { ...parsed.sessionSettings, ...own } }, tag);
      return openSession(connected, parsed, version);
    },
    ownTables: () => ownTables(client),
    cancel: () => cancelRequest(client, parsed),
    [Symbol.asyncDispose]: () => client.end(),
  };
}

/**
 * Binary COPY, all batches in one transaction: what is there afterwards is all or nothing. The next batch is made while the server works on the
 * one before.
 */
async function load(
  client: pg.Client,
  table: TablePlan,
  batches: Iterable<Batch>,
  onRows: (rows: number) => void,
  signal: StopSignal,
): Promise<void> {
  await client.query('BEGIN');
  try {
    await sendBatches(copyIn(client, table, 'binary'), batches, onRows, signal);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function settle(client: pg.Client, table: TablePlan): Promise<void> {
  await client.query(`VACUUM (ANALYZE) ${tableSql(table)}`);
  try {
    await client.query('CHECKPOINT');
  } catch (error) {
    // The fingerprint lists it as unavailable.
    if (toError(error).kind !== 'permission') throw error;
  }
}

async function storedBytes(client: pg.Client, table: TablePlan): Promise<{ tableBytes: number; indexBytes: number }> {
  // A partitioned table has no bytes of its own.
  const parts = table.partitions ? 'pg_partition_tree($1::regclass)' : '(SELECT $1::regclass AS relid) AS whole';
  const { rows } = await client.query<{ table_bytes: string; index_bytes: string }>(
    `SELECT sum(pg_table_size(relid)) AS table_bytes, sum(pg_indexes_size(relid)) AS index_bytes FROM ${parts}`,
    [tableSql(table)],
  );
  return { tableBytes: Number(rows[0]?.table_bytes), indexBytes: Number(rows[0]?.index_bytes) };
}

const [begin, commit, rollback] = [simpleQuery('BEGIN'), simpleQuery('COMMIT'), simpleQuery('ROLLBACK')];

function openSession({ client, socket }: Connected, parsed: PostgresConfig, version: number): Session {
  const run = async (messages: Uint8Array) => void (await send(client, new MessagesRequest(messages)));
  return {
    prepare: (plan) => prepareOperation(client, plan),
    prepareStatement: (plan) => prepareOwn(client, plan),
    begin: () => run(begin),
    commit: () => run(commit),
    rollback: () => run(rollback),
    cancel: () => cancelRequest(client, parsed),
    reportWork: () => reportWork(client, version),
    wireBytes: () => ({ sent: socket.bytesWritten, received: socket.bytesRead }),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
