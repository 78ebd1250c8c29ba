import type { Database, Engine, Session } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import { parseAgain } from '../connecting.ts';
import { noKeyAfterwards } from '../no-key-afterwards.ts';
import { createChanges } from './changes.ts';
import { checksum } from './checksum.ts';
import { config, type RavenConfig } from './config.ts';
import { type Connected, connect } from './connect.ts';
import { probeInfo } from './counters.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { addIndex, waitForIndexes } from './indexes.ts';
import type { Link } from './link.ts';
import { load } from './load.ts';
import { prepareOperation } from './operations.ts';
import { readOptions } from './options.ts';
import { ownTables, prepareOwn } from './own-statement.ts';
import { createProbe } from './probe.ts';
import { createTable, dropLeftovers, dropTable } from './schema.ts';
import { storedBytes } from './sizes.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as RavenConfig;
    const options = readOptions({});
    const work = await connect(parsed, { tag, options, signal });
    try {
      // What is asked once a second must not wait for a long answer, nor end with what is cancelled.
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
    async ping() {
      await watch.ask({ path: '/build/version', ofServer: true });
    },
    prepareSchema: (table) => createTable(work, table),
    addKey: noKeyAfterwards(descriptor),
    addIndex: (table, index) => addIndex(work, table, index),
    load: (table, batches, onRows, signal) => load(work, table, batches, onRows, signal),
    // The server has no command for a checkpoint: it flushes and syncs in its own time.
    settle: (table) => waitForIndexes(work, table),
    probe: createProbe(watch),
    checksum: (table, range) => checksum(work, table, range),
    storedBytes: (table) => storedBytes(work, table),
    drop: (table) => dropTable(work, table),
    dropLeftovers: (namePrefix) => dropLeftovers(work, namePrefix),
    async openSession(given, isolation) {
      isolationWord(descriptor, isolation);
      const { link } = await connect(parsed, { tag, options: readOptions(given), url });
      return openSession(link);
    },
    ownTables: () => ownTables(work),
    async cancel() {
      work.stop();
    },
    async [Symbol.asyncDispose]() {
      work.close();
      watch.close();
    },
  };
}

function openSession(link: Link): Session {
  const changes = createChanges(link);
  return {
    prepare: (plan) => prepareOperation(link, plan),
    prepareStatement: (plan) => prepareOwn(link, plan, changes),
    begin: changes.begin,
    commit: changes.commit,
    rollback: changes.rollback,
    async cancel() {
      link.stop();
    },
    wireBytes: () => link.wireBytes(),
    async [Symbol.asyncDispose]() {
      link.close();
    },
  };
}
