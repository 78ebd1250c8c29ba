import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { type DatasetShape, effectiveSettings, impossibleText } from './cell-support.ts';

const engine: EngineDescriptor = {
  id: 'two',
  label: 'Two drivers',
  driver: 'none',
  support: {
    insert: {
      prepared: { implementation: 'an insert', maxRowsPerCall: 1 },
      pipelined: { implementation: 'inserts ahead of answers', maxRowsPerCall: 1, needs: { driver: 'fast' } },
      arrayBind: { implementation: 'an array', maxRowsPerCall: 10, needs: { driver: 'fast', packed: true } },
    },
  },
  unsupportedReasons: { pipelined: 'The slow driver waits for each answer.' },
  uuids: { implementation: 'uuid', order: 'bytes' },
  cancel: 'none',
  maxConnections: null,
  options: [
    { name: 'driver', label: 'Driver', help: '', choices: ['slow', 'fast'], defaultValue: 'slow' },
    { name: 'packed', label: 'Packed', help: '', defaultValue: false },
  ],
  config: [],
  builtIn: [],
};
const dataset: DatasetShape = { columns: { id: { type: 'uuid4', nulls: 0 } }, key: 'id' };
const why = (method: 'prepared' | 'pipelined' | 'arrayBind', options: Options = {}) =>
  impossibleText(engine, { ...defaultSettings, method, options }, dataset);

test('a cell that needs an option is empty with its default and there with its value', () => {
  expect(why('pipelined')).toBe('pipelined needs two.driver: fast. The slow driver waits for each answer.');
  expect(why('pipelined', { 'two.driver': 'slow' })).toContain('needs two.driver: fast');
  expect(why('pipelined', { 'two.driver': 'fast' })).toBeNull();
  expect(why('pipelined', { 'other.driver': 'fast' })).toContain('needs two.driver: fast');
});

test('every need that is not met is named', () => {
  expect(why('arrayBind')).toBe('arrayBind needs two.driver: fast and two.packed: true.');
  expect(why('arrayBind', { 'two.driver': 'fast' })).toBe('arrayBind needs two.packed: true.');
  expect(why('arrayBind', { 'two.driver': 'fast', 'two.packed': true })).toBeNull();
});

test('cells without needs accept every option', () => {
  expect(why('prepared')).toBeNull();
});

test('an engine without transactions over several calls says so where an experiment needs them', () => {
  const single = { ...engine, oneCallPerCommit: 'One call is one transaction.' };
  const settings = { ...defaultSettings, callsPerCommit: 10 };
  expect(impossibleText(single, settings, dataset)).toBe('One call is one transaction.');
  expect(impossibleText(single, { ...settings, callsPerCommit: 1 }, dataset)).toBeNull();
  expect(impossibleText(engine, settings, dataset)).toBeNull();
});

test('what finds rows by key needs one, and a key that comes late needs an engine that adds it', () => {
  const built = (settings: Partial<Settings>, one: EngineDescriptor = engine, shape: DatasetShape = dataset) =>
    impossibleText(one, { ...defaultSettings, ...settings }, shape);
  const reads = { ...engine, support: { ...engine.support, readByKey: engine.support.insert! } };
  expect(built({ operation: 'readByKey', keyCreation: 'none' }, reads)).toContain('keyCreation: none');
  expect(built({ keyCreation: 'none' })).toBeNull();
  expect(built({ keyCreation: 'afterLoad' })).toContain('adds no key');
  expect(built({ keyCreation: 'afterLoad' }, { ...engine, keyAfterLoad: 'ALTER TABLE' })).toBeNull();
  expect(built({ keyCreation: 'afterLoad' }, engine, { columns: dataset.columns }), 'there is no key').toBeNull();
});

test('a kind of index that an engine has not leaves the cell empty, unless there is to be no index', () => {
  const indexed = (kind: 'btree' | 'hash', unique: boolean): DatasetShape => ({
    ...dataset,
    indexes: [{ columns: ['id'], unique, kind, visible: true }],
  });
  const one = {
    ...engine,
    indexes: {
      btree: { implementation: 'a B-tree', takes: { unique: 'UNIQUE' } },
      hash: { implementation: 'a hash index' },
    },
    unsupportedReasons: { 'index.fulltext': 'No.' },
  };
  const why = (
    shape: DatasetShape,
    indexCreation: Settings['indexCreation'] = 'beforeLoad',
    of: EngineDescriptor = one,
  ) => impossibleText(of, { ...defaultSettings, indexCreation }, shape);
  expect(why(indexed('btree', true))).toBeNull();
  expect(why(indexed('hash', true))).toContain('cannot have unique: true');
  expect(why(indexed('hash', false), 'afterLoad', engine)).toContain('no index of the kind hash');
  expect(why(indexed('hash', false), 'none', engine)).toBeNull();
  expect(why({ ...dataset, indexes: [{ columns: ['id'], unique: false, kind: 'fulltext', visible: true }] })).toBe(
    'No.',
  );
});

test('when key and indexes are made matters only where there are some', () => {
  const of = (settings: Partial<Settings>, shape: DatasetShape) =>
    effectiveSettings(engine, { ...defaultSettings, ...settings }, shape);
  const bare: DatasetShape = { columns: dataset.columns };
  expect(of({ keyCreation: 'none' }, bare)).toBe(of({}, bare));
  expect(of({ indexCreation: 'none' }, dataset)).toBe(of({}, dataset));
  expect(of({ keyCreation: 'none' }, dataset)).not.toBe(of({}, dataset));
});

test('the cache matters not where new sessions are cold and nothing warms them up', () => {
  const of = (cache: Settings['cache'], newSessionsAreCold?: true, calls?: number) =>
    effectiveSettings(
      { ...engine, ...(newSessionsAreCold && { newSessionsAreCold }) },
      { ...defaultSettings, cache },
      dataset,
      calls === undefined ? {} : { calls },
    );
  expect(of('cold', true, 3)).toBe(of('unchanged', true, 3));
  expect(of('cold', true)).not.toBe(of('unchanged', true));
  expect(of('cold', undefined, 3)).not.toBe(of('unchanged', undefined, 3));
});

test('inside the client process there is no network to delay', () => {
  const emulated = { ...defaultSettings, networkMbit: 10 };
  expect(impossibleText(engine, emulated, dataset)).toBeNull();
  expect(impossibleText({ ...engine, inProcess: true }, emulated, dataset)).toContain('there is no network to delay');
  expect(impossibleText({ ...engine, inProcess: true }, defaultSettings, dataset)).toBeNull();
});

test('a scan is sorted by a column that has an order, and with the memory that the engine takes', () => {
  const shape: DatasetShape = {
    ...dataset,
    columns: {
      ...dataset.columns,
      photo: { type: 'bytes', length: 100, nulls: 0 },
      essay: { type: 'text', length: 5_000, alphabet: 'alphanumeric', nulls: 0 },
    },
  };
  const scans = { ...engine, support: { ...engine.support, scan: engine.support.insert! } };
  const why = (settings: Partial<Settings>, one: EngineDescriptor = scans) =>
    impossibleText(one, { ...defaultSettings, operation: 'scan', ...settings }, shape);
  const setting = { ...scans, sortMemory: { implementation: 'SET work_mem', leastKb: 64, mostKb: 1_000 } };
  expect(why({ orderBy: 'id' })).toBeNull();
  expect(why({ orderBy: 'no_such' })).toContain('no column of the dataset');
  expect(why({ orderBy: 'photo' })).toContain('have no order');
  expect(why({ orderBy: 'essay' })).toContain('have no order');
  expect(why({ orderBy: 'id' }, { ...scans, unsupportedReasons: { orderBy: 'No.' } })).toBe('No.');
  expect(why({ orderBy: 'id', sortMemoryKb: 64 })).toContain('lets no session say');
  expect(why({ orderBy: 'id', sortMemoryKb: 64 }, setting)).toBeNull();
  expect(why({ orderBy: 'id', sortMemoryKb: 63 }, setting)).toContain('64 KB at least');
  expect(why({ orderBy: 'id', sortMemoryKb: 1_001 }, setting)).toContain('1,000 KB at most');
  expect(why({ sortMemoryKb: 1 }, setting), 'nothing is sorted').toBeNull();
  expect(why({ operation: 'insert', orderBy: 'no_such' }), 'an insert has no order').toBeNull();
});

test('order, memory of sorts and working set matter where they have an effect', () => {
  const all = { ...engine.support, scan: engine.support.insert!, readByKey: engine.support.insert! };
  const of = (settings: Partial<Settings>) =>
    effectiveSettings({ ...engine, support: all }, { ...defaultSettings, ...settings }, dataset);
  expect(of({ orderBy: 'id' })).toBe(of({}));
  expect(of({ operation: 'scan', orderBy: 'id' })).not.toBe(of({ operation: 'scan' }));
  expect(of({ operation: 'scan', sortMemoryKb: 64 })).toBe(of({ operation: 'scan' }));
  expect(of({ operation: 'scan', orderBy: 'id', sortMemoryKb: 64 })).not.toBe(of({ operation: 'scan', orderBy: 'id' }));
  expect(of({ operation: 'readByKey', workingSet: 0.5 })).not.toBe(of({ operation: 'readByKey' }));
  expect(of({ operation: 'scan', workingSet: 0.5 })).toBe(of({ operation: 'scan' }));
});

test('nulls are declared otherwise where the engine has a type for it, the method binds each, and a column takes them', () => {
  const form = { implementation: 'a float', methods: ['prepared'], converts: ['decimal'] } as const;
  const declaring = { ...engine, nullBindings: { asFloat: form }, unsupportedReasons: { nullBinding: 'No.' } };
  const price = { type: 'decimal', precision: 9, scale: 2, min: 0, max: 1, nulls: 0.5 } as const;
  const note = { type: 'text', length: 9, alphabet: 'letters', nulls: 0.5 } as const;
  const why = (settings: Partial<Settings>, columns: DatasetShape['columns'] = { price, note }) =>
    impossibleText(declaring, { ...defaultSettings, ...settings }, { columns });
  expect(why({ nullBinding: 'asFloat' })).toBeNull();
  expect(why({ nullBinding: 'asText' })).toBe('No.');
  const driver = { 'two.driver': 'fast', 'two.packed': true };
  expect(why({ nullBinding: 'asFloat', method: 'arrayBind', options: driver })).toContain('by prepared');
  expect(why({ nullBinding: 'asFloat' }, { note })).toContain('columns of decimal alone');
  expect(why({ nullBinding: 'asText' }, { note: { ...note, nulls: 0 } }), 'there are none').toBeNull();
});

test('how nulls are declared matters to inserts of nulls alone', () => {
  const price = { type: 'decimal', precision: 9, scale: 2, min: 0, max: 1, nulls: 0.5 } as const;
  const of = (settings: Partial<Settings>, columns: DatasetShape['columns'] = { price }) =>
    effectiveSettings(engine, { ...defaultSettings, ...settings }, { columns });
  expect(of({ nullBinding: 'asFloat' })).not.toBe(of({}));
  expect(of({ nullBinding: 'asFloat', nullShare: 0 })).toBe(of({ nullShare: 0 }));
  expect(of({ nullShare: 0.1 })).not.toBe(of({}));
  expect(of({ nullBinding: 'asFloat', nullShare: 0.1 }, dataset.columns)).toBe(of({}, dataset.columns));
});

test('a copy reads through one cursor, gives new keys, and takes nothing again', () => {
  const copying = { ...engine, support: { ...engine.support, copy: engine.support.insert! } };
  const why = (settings: Partial<Settings>, shape: DatasetShape = dataset) =>
    impossibleText(copying, { ...defaultSettings, operation: 'copy', ...settings }, shape);
  expect(why({ connections: 4 })).toBeNull();
  expect(why({ connections: 4, processes: 2 })).toContain('One cursor');
  expect(why({}, { columns: dataset.columns })).toContain('new keys');
  const coarse = { ...copying, unsupportedReasons: { 'copy.timestamp': 'To the millisecond alone.' } };
  const at = { type: 'timestamp', from: '2024-01-01', to: '2024-12-31', nulls: 0 } as const;
  const timed = { ...dataset, columns: { ...dataset.columns, at } };
  const ofTimes = (dates: Settings['dates']) =>
    impossibleText(coarse, { ...defaultSettings, operation: 'copy', dates }, timed);
  expect(ofTimes('native')).toBe('To the millisecond alone.');
  expect(ofTimes('ticks')).toBeNull();
  const of = (settings: Partial<Settings>) =>
    effectiveSettings(copying, { ...defaultSettings, operation: 'copy', ...settings }, dataset);
  expect(of({ maxAttempts: 1, keyDistribution: 'zipf', workingSet: 0.5 })).toBe(of({}));
});

test('a sequential uuid is one of version 7 where uuids are compared from their first byte', () => {
  const of = (keyKind: Settings['keyKind'], order: EngineDescriptor['uuids']['order']) =>
    effectiveSettings(
      { ...engine, uuids: { implementation: 'uuid', order } },
      { ...defaultSettings, keyKind },
      dataset,
    );
  expect(of('uuidSequential', 'bytes')).toBe(of('uuid7', 'bytes'));
  expect(of('uuidSequential', 'lastSixBytesFirst')).not.toBe(of('uuid7', 'lastSixBytesFirst'));
});

test('what is spread by bytes that ascend together lies in one piece, and such cells are empty', () => {
  const reason = 'They all go into one partition.';
  const spread = {
    ...engine,
    partitions: 'by the last bytes',
    unsupportedReasons: { 'partitions.uuidSequential': reason },
    options: [
      {
        name: 'table',
        label: '',
        help: '',
        defaultValue: 'spread',
        unsupportedReasons: { spread: { 'keyKind.uuidSequential': reason } },
      },
    ],
  };
  const why = (settings: Partial<Settings>, { options: _, ...one }: EngineDescriptor = spread, shape = dataset) =>
    impossibleText(one, { ...defaultSettings, ...settings }, shape);
  expect(why({ partitions: 4 })).toBeNull();
  expect(why({ partitions: 4, keyKind: 'uuidSequential' })).toBe(reason);
  const ascending = {
    ...dataset,
    columns: { ...dataset.columns, id: { type: 'uuidSequential', order: 'asEngine', nulls: 0 } },
  } as const;
  expect(why({ partitions: 4 }, spread, ascending)).toBe(reason);
  expect(impossibleText(spread, { ...defaultSettings, keyKind: 'uuidSequential' }, dataset)).toContain(reason);
  expect(impossibleText(spread, defaultSettings, dataset)).toBeNull();
});

test('isolation: what an engine has not leaves the cell empty, and levels that are one thing there are one setting', () => {
  const words = { readCommitted: 'READ COMMITTED', repeatableRead: 'REPEATABLE READ', snapshot: 'REPEATABLE READ' };
  const some = {
    ...engine,
    isolations: words,
    unsupportedReasons: { 'isolation.readUncommitted': 'It gives READ COMMITTED.' },
  };
  const at = (isolation: Settings['isolation']) => ({ ...defaultSettings, isolation });
  const why = (isolation: Settings['isolation'], one: EngineDescriptor = some) =>
    impossibleText(one, at(isolation), dataset);
  expect(why('default')).toBeNull();
  expect(why('readCommitted')).toBeNull();
  expect(why('readUncommitted')).toBe('It gives READ COMMITTED.');
  expect(why('serializable')).toBe('Two drivers has no isolation of the kind serializable.');
  expect(why('serializable', { ...engine, unsupportedReasons: { isolation: 'It has no transactions.' } })).toBe(
    'It has no transactions.',
  );
  const of = (isolation: Settings['isolation'], one: EngineDescriptor = some) =>
    effectiveSettings(one, at(isolation), dataset);
  expect(of('repeatableRead')).toBe(of('snapshot'));
  expect(of('repeatableRead')).toContain('isolation=snapshot');
  expect(of('readCommitted')).not.toBe(of('default'));
  const always = { ...engine, isolations: { default: 'serializable', serializable: 'serializable' } };
  expect(of('default', always)).toBe(of('serializable', always));
});

test('any value of a setting can be one that an engine does not support, where the setting matters', () => {
  const one = {
    ...engine,
    unsupportedReasons: {
      ...engine.unsupportedReasons,
      'load.open': 'It paces nothing.',
      'dates.ticks': 'No numbers.',
    },
  };
  expect(impossibleText(one, { ...defaultSettings, load: 'open', arrivalsPerSecond: 5 }, dataset)).toBe(
    'It paces nothing.',
  );
  expect(impossibleText(one, { ...defaultSettings, dates: 'ticks' }, dataset)).toBeNull();
  const timed: DatasetShape = {
    columns: { id: { type: 'uuid4', nulls: 0 }, at: { type: 'timestamp', nulls: 0 } as ColumnSpec },
  };
  expect(impossibleText(one, { ...defaultSettings, dates: 'ticks' }, timed)).toBe('No numbers.');
});

test('of a setting of numbers an engine can support the default alone', () => {
  const one = { ...engine, unsupportedReasons: { callsPerCommit: 'It has no commits.' } };
  expect(impossibleText(one, { ...defaultSettings, callsPerCommit: 2 }, dataset)).toBe('It has no commits.');
  expect(impossibleText(one, defaultSettings, dataset)).toBeNull();
});

test('a value of an option excludes values of other options', () => {
  const [driver, packed] = engine.options!;
  const fast = { 'option.packed.true': 'The fast driver packs nothing.' } as const;
  const one = { ...engine, options: [{ ...driver!, unsupportedReasons: { fast } }, packed!] };
  const reason = (options: Options) =>
    impossibleText(one, { ...defaultSettings, method: 'prepared', options }, dataset);
  expect(reason({ 'two.driver': 'fast', 'two.packed': true })).toBe(
    'two.driver: fast — The fast driver packs nothing.',
  );
  expect(reason({ 'two.driver': 'fast' })).toBeNull();
  expect(reason({ 'two.packed': true })).toBeNull();
});
