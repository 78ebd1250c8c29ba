import type { ConfigParser } from '#engine-api/config.ts';
import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import { cell } from '#engine-api/support.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { Column } from '#model/dataset/dataset.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { proveBySum } from '../../shared/server-proof.ts';
import { DuplicateKey, type Row, ToyServer } from './toy-server.fixture.ts';

export const descriptor: EngineDescriptor = {
  id: 'toy',
  label: 'Toy engine',
  driver: 'toy-server.fixture.ts',
  support: {
    insert: { prepared: cell('execute("insert") with one row') },
    readByKey: { prepared: cell('execute("readByKey") with one key') },
    delete: { prepared: cell('execute("delete") with one key') },
  },
  unsupportedReasons: {
    'keyCreation.none': 'It finds rows by their keys.',
    readOnlySessions: 'It has no users.',
    sessionSettings: 'It has no sessions.',
    tableStatistics: 'It keeps no statistics.',
    pageUse: 'It keeps no pages.',
  },
  uuids: { implementation: 'text', order: 'bytes' },
  cancel: 'none',
  oneCallPerCommit: 'It has no transactions.',
  maxConnections: null,
  config: [],
  builtIn: [],
};

export const config: ConfigParser = {
  parse: () => ({}),
  describe: () => ({ address: 'in process', details: {} }),
  endpoints: () => [],
  grants: () => null,
};

const server = new ToyServer();
const nothing = async (): Promise<void> => {};

function rowsOf({ rows, columns }: Batch, planned: readonly Column[]): readonly Row[] {
  const values = columns.map((column, c) => decodeColumn(column, planned[c]!.type, rows));
  return Array.from({ length: rows }, (_, r) => values.map((column) => column[r]!));
}

const openSession = (_isolation: string | null): Session => ({
  async prepare({ table: { name, columns }, operation, method }): Promise<Operation<Row>> {
    supportOf(descriptor, operation, method);
    return { encode: (batch) => rowsOf(batch, columns)[0]!, run: (row) => server.execute(operation, name, row) };
  },
  begin: nothing,
  commit: nothing,
  rollback: nothing,
  cancel: nothing,
  wireBytes: () => null,
  [Symbol.asyncDispose]: nothing,
});

const noIndex = () => Promise.reject(new DynoError('unsupported', 'The toy engine has no index.'));
const facts = { emulator: null, durability: { log: 'none' }, memory: {}, other: {}, unavailable: [] };
const database: Database = {
  fingerprint: async () => ({ product: `Toy ${server.version}`, version: server.version, ...facts }),
  ping: nothing,
  prove: () => proveBySum(descriptor.label, async (a, b) => server.add(a, b)),
  prepareSchema: async ({ name, columns }) => server.create(name, columns),
  addKey: noIndex,
  addIndex: noIndex,
  async load({ name, columns }, batches, onRows, signal) {
    const rows: Row[] = [];
    for (const batch of batches) {
      signal.throwIfAborted(); // nothing is stored so far, so that nothing has to be taken back
      onRows(rows.push(...rowsOf(batch, columns)));
    }
    await server.insertAll(name, rows);
  },
  settle: nothing,
  probe: async () => ({ counters: { calls: server.calls }, gauges: {}, unavailable: [] }),
  checksum: async ({ name }) => server.checksum(name),
  storedBytes: async ({ name }) => ({ tableBytes: server.bytes(name), indexBytes: 0, eachIndex: {} }),
  drop: async ({ name }) => void server.drop(name),
  leftovers: async (prefix) => server.names(prefix),
  dropLeftovers: async (prefix) => ({ dropped: server.names(prefix).filter((name) => server.drop(name)), kept: [] }),
  openSession: async (_options, isolation) => openSession(isolationWord(descriptor, isolation)),
  cancel: nothing,
  [Symbol.asyncDispose]: nothing,
};

const toError: Engine['toError'] = (thrown) =>
  toErrorData(thrown instanceof DuplicateKey ? new DynoError('uniqueViolation', thrown.message, thrown) : thrown);
export const engine: Engine = { descriptor, probeInfo: {}, open: async () => database, toError };
