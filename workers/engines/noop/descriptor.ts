import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { option } from '#engine-api/option.ts';
import { field } from '#engine-api/server-fields.ts';
import type { Support } from '#engine-api/support.ts';
import { indexFeatures, indexKinds } from '#model/dataset/indexes.ts';

const nothing = 'nothing: the call returns at once with the number of rows it was given';
const single: Support = { implementation: nothing, maxRowsPerCall: 1 };
const many: Support = { implementation: nothing, maxRowsPerCall: 1_000_000 };
const nothingFor = <K extends string, V>(keys: readonly K[], value: V): Readonly<Partial<Record<K, V>>> =>
  Object.fromEntries(keys.map((key) => [key, value])) as Partial<Record<K, V>>; // fromEntries forgets the keys
const keyed = {
  literal: single,
  bind: single,
  prepared: single,
  pipelined: { ...single, pipelines: true },
  batch: { ...single, batches: true },
  multiRow: many,
  arrayBind: many,
} as const;

export const descriptor: EngineDescriptor = {
  id: 'noop',
  label: 'No-op engine',
  driver: 'none (in process)',
  reference: true,
  support: {
    insert: {
      ...keyed,
      bulk: { ...many, uses: ['bulkFormat'] },
      serverLoop: { ...many, serverData: true },
    },
    readByKey: keyed,
    readRange: {
      literal: single,
      bind: single,
      prepared: single,
      pipelined: { ...single, pipelines: true },
      batch: { ...single, batches: true },
    },
    scan: { literal: single, bind: single, prepared: single },
    update: keyed,
    delete: keyed,
    statement: { literal: single, bind: single, prepared: single },
  },
  statements: { language: 'sql' },
  unsupportedReasons: {
    pageUse: 'It keeps no tables.',
    tableStatistics: 'It keeps no tables.',
    'pooler.session': 'It has no connections.',
    'pooler.transaction': 'It has no connections.',
    'tls.on': 'It has no network.',
    'tls.off': 'It has no network.',
    serverParameters: 'It has no server.',
    setup: 'It makes nothing, and runs experiments without their statements of setup.',
    keptStatements: 'It runs no statements.',
    sessionSettings: 'It has no server and no sessions.',
    readOnlySessions: 'It keeps no rows that could be changed.',
    copy: 'It keeps no rows that could be copied.',
    nullBinding: 'Nothing is bound.',
    fetchSize: 'No rows come back that could be fetched in pieces.',
    'foreignKeys.true': 'It keeps no rows that could refer to each other.',
    'documents.native': 'It stores nothing.',
    'cache.cold': 'It keeps no data, and so has no cache that could be emptied.',
  },
  keyAfterLoad: 'nothing',
  partitions: 'nothing',
  isolations: {
    readUncommitted: 'nothing',
    readCommitted: 'nothing',
    repeatableRead: 'nothing',
    snapshot: 'nothing',
    serializable: 'nothing',
  },
  fillFactor: { implementation: 'nothing' },
  sortMemory: { implementation: 'nothing', leastKb: 1 },
  indexes: nothingFor(indexKinds, { implementation: 'nothing', takes: nothingFor(indexFeatures, 'nothing') }),
  uuids: { implementation: 'nothing is kept', order: 'bytes' },
  cancel: 'server',
  maxConnections: null,
  inProcess: true,
  config: [
    field('number', 'delayMs', 'Delay per call (ms)', {
      placeholder: '0',
      max: 3_600_000,
      help: 'Every call waits this long before it answers. 0: calls answer synchronously.',
    }),
  ],
  options: [
    option('workUs', 'Work per call (µs)', {
      help: 'Every call keeps the processor busy for this time. The difference has a known size, which shows how exact a measurement is.',
      defaultValue: 0,
      max: 1_000_000,
    }),
  ],
  builtIn: [
    {
      target: 'noop',
      label: 'No-op engine',
      about: 'Does nothing and answers at once: it shows the overhead of Dyno itself.',
    },
  ],
};
