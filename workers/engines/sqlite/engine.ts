import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
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
import { config, type SqliteConfig } from './config.ts';
import { userTables } from './custom-statement.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { load } from './load.ts';
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
    const file = join(parsed.path, 'dyno.sqlite');
    try {
      return openDatabase(file, parsed);
    } catch (error) {
      const data = toError(error);
      throw new DynoError(data.kind, `Opening ${file}: ${data.message}`, data);
    }
  },
  toError,
};

function openDatabase(file: string, parsed: SqliteConfig): Database {
  const control = connect(file, parsed);
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
      control.exec(`ANALYZE ${quote(table.name)}`);
      control.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    // The page cache belongs to a session, and a trial's sessions are new.
    emptyCache: async () => {},
    probe: async () => probe(),
    checksum: async (table, range) => checksum(control, table, range),
    storedBytes: async (table) => storedBytes(control, table),
    drop: async (table) => dropTable(control, table.name),
    leftovers: async (namePrefix) => left(namePrefix),
    dropLeftovers: (namePrefix) =>
      dropEach(left(namePrefix), (name) => (isObjectName(name) ? dropObject : dropTable)(control, name), toError),
    async openSession(_, isolation, settings) {
      isolationWord(descriptor, isolation);
      return openSession(connect(file, withTrialSettings(parsed, settings)), lock, parsed.readOnly === true);
    },
    freeSpace: async () => fileSystemSpace(parsed.path),
    userTables: async () => userTables(control),
    cancel: async () => {},
    [Symbol.asyncDispose]: async () => {
      if (control.isOpen) control.close();
    },
  };
}
