import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { parseAgain } from '../shared/connecting.ts';
import { noKeyAfterwards } from '../shared/no-key-afterwards.ts';
import { dropEach } from '../shared/own-tables.ts';
import { config, type RavenConfig } from './config.ts';
import { type Connected, connect } from './connection/connect.ts';
import type { Link } from './connection/link.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { readOptions } from './options.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { identities } from './probe/identities.ts';
import { createProbe } from './probe/probe.ts';
import { probeInfo } from './probe/probe-info.ts';
import { prove } from './probe/prove.ts';
import { checksum } from './schema/checksum.ts';
import { addIndex, waitForIndexes } from './schema/indexes.ts';
import { load } from './schema/load.ts';
import { storedBytes } from './schema/stored-bytes.ts';
import { createTable, dropTable, leftovers } from './schema/tables.ts';
import { openSession } from './session.ts';
import { userTables } from './statements/custom-statement.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as RavenConfig;
    const options = readOptions({});
    const work = await connect(parsed, { tag, options, signal });
    try {
      // The probe runs once a second. It must not wait for a long answer, nor end with cancelled work.
      const watch = await connect(parsed, { tag, options, signal, url: work.url });
      return openDatabase(work, watch.link, parsed, tag);
    } catch (error) {
      work.link.close();
      throw error;
    }
  },
  toError,
};

function openDatabase(
  { link: work, url, version }: Connected,
  watch: Link,
  parsed: RavenConfig,
  tag: string,
): Database {
  return {
    fingerprint: () => fingerprint(watch, parsed, version),
    identities: () => identities(watch),
    async ping() {
      await watch.ask({ path: '/build/version', ofServer: true });
    },
    prove: () => prove(watch),
    prepareSchema: (table) => createTable(work, table),
    addKey: noKeyAfterwards(descriptor),
    addIndex: (table, index) => addIndex(work, table, index),
    load: (...what) => load(work, ...what),
    // The server has no command for a checkpoint: it flushes and syncs in its own time.
    settle: (table) => waitForIndexes(work, table),
    probe: createProbe(watch),
    checksum: (table, range) => checksum(work, table, range),
    storedBytes: (table) => storedBytes(work, table),
    drop: (table) => dropTable(work, table),
    leftovers: (namePrefix) => leftovers(work, namePrefix),
    dropLeftovers: (namePrefix) => dropEach(leftovers(work, namePrefix), (name) => dropTable(work, { name }), toError),
    async openSession(given, isolation) {
      isolationWord(descriptor, isolation);
      const { link } = await connect(parsed, { tag, options: readOptions(given), url });
      return openSession(link);
    },
    userTables: () => userTables(work),
    async cancel() {
      work.stop();
    },
    async [Symbol.asyncDispose]() {
      work.close();
      watch.close();
    },
  };
}
