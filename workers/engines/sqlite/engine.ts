import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { DynoError } from '#model/error.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { parseAgain, withTrialSettings } from '../shared/connecting.ts';
import { fileSystemSpace } from '../shared/file-system-space.ts';
import { dropEach } from '../shared/own-tables.ts';
import { proveBySum } from '../shared/server-proof.ts';
import { checksum, registerChecksumFunctions } from './checksum.ts';
import { config, databaseFile, ownFileOf, type SqliteConfig } from './config.ts';
import { userTables } from './custom-statement.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { readTableFacts } from './import-tables/table-facts.ts';
import { tableQueries } from './import-tables/table-queries.ts';
import { load } from './load.ts';
import { closeReader, hasLog, makeCopy } from './own-file.ts';
import { pageUse } from './page-use.ts';
import { createProbe, fingerprint, probeInfo } from './probe.ts';
import { openSession } from './session.ts';
import { dropObject, objectsLeft, setUp } from './setup.ts';
import { addIndex, addKey, connect, createTable, dropTable, leftovers, quote, storedBytes } from './tables.ts';
import { createWriteLock } from './write-lock.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, _tag, signal) {
    signal.throwIfAborted();
    const parsed = parseAgain(config, raw) as SqliteConfig;
    const file = databaseFile(parsed);
    try {
      if (parsed.path !== null && parsed.file !== null) await makeCopy(parsed.file, file, parsed.busyTimeoutMs);
      return openDatabase(file, parsed);
    } catch (error) {
      const data = toError(error);
      throw new DynoError(data.kind, `Opening ${file}: ${data.message}`, data);
    }
  },
  toError,
};

const hasStatistics = (control: DatabaseSync): boolean =>
  control.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get() !== undefined;

function openDatabase(file: string, parsed: SqliteConfig): Database {
  const hadLog = hasLog(file);
  const control = connect(parsed);
  const isOwnFile = ownFileOf(parsed) !== null;
  registerChecksumFunctions(control);
  const left = (namePrefix: string) => [...leftovers(control, namePrefix), ...objectsLeft(control, namePrefix)].sort();
  const lock = createWriteLock();
  const probe = createProbe(control, file);
  const one = control.prepare('SELECT 1');
  return {
    fingerprint: async () => fingerprint(control),
    // Links lead to the same file, and a renamed file keeps its number.
    identities: async () => {
      const { dev, ino } = statSync(file, { bigint: true });
      return [`file ${dev} ${ino}`, `path ${realpathSync(file)}`];
    },
    async ping() {
      one.get();
    },
    prove: () => proveBySum(descriptor.label, async (a, b) => control.prepare(`SELECT ${a} + ${b} AS sum`).get()?.sum),
    prepareSchema: async (table) => createTable(control, table),
    addKey: async (table) => addKey(control, table),
    addIndex: async (table, index) => addIndex(control, table, index),
    removeIndex: async (_table, { name }) => control.exec(`DROP INDEX ${quote(name)}`),
    load: (...what) => load(control, ...what),
    setUp: async (plan) => setUp(control, plan),
    async settle(table) {
      // In a file of the user's own without statistics it would leave a table of them.
      if (!isOwnFile || hasStatistics(control)) control.exec(`ANALYZE ${quote(table.name)}`);
      control.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    // The page cache belongs to a session, and a trial's sessions are new.
    emptyCache: async () => {},
    probe: async () => probe(),
    checksum: async (table, range) => checksum(control, table, range),
    storedBytes: async (table) => storedBytes(control, table),
    pageUse: async (table) => pageUse(control, table),
    drop: async (table) => dropTable(control, table.name),
    leftovers: async (namePrefix) => left(namePrefix),
    dropLeftovers: (namePrefix) =>
      dropEach(left(namePrefix), (name) => (isObjectName(name) ? dropObject : dropTable)(control, name), toError),
    async openSession(_, isolation, settings) {
      isolationWord(descriptor, isolation);
      return openSession(connect(withTrialSettings(parsed, settings)), lock, parsed.readOnly === true);
    },
    freeSpace: async () => fileSystemSpace(dirname(file)),
    userTables: async () => userTables(control),
    tableFacts: async (asked) => readTableFacts(control, asked),
    tableQueries,
    cancel: async () => {},
    [Symbol.asyncDispose]: async () => {
      if (!control.isOpen) return;
      if (isOwnFile && parsed.readOnly === true) closeReader(control, file, hadLog);
      else control.close();
    },
  };
}
