import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { UnsupportedReasons } from '#engine-api/unsupported.ts';
import { indexKinds } from '#model/dataset/indexes.ts';
import { defaultSettings, type SettingName, settingDefinitions } from '#model/settings/settings.ts';
import { isolations, type MethodName, nullBindings, type OperationName } from '#model/settings/vocabulary.ts';
import { impossibleText } from '#rules/cells/cell-support.ts';
import { catalog } from './catalog.ts';

type Reason = keyof UnsupportedReasons;

/** A value of a setting: whether the engine implements it, and the reasons, one of which is given where it does not. */
interface Value {
  readonly value: string;
  readonly isThere: boolean;
  readonly reasons: readonly Reason[];
}

/** A setting that all engines have by the same code, outside of them or in what every engine must implement. */
const ofDyno = 'by Dyno';

const oneOf = (value: Reason, field: unknown): readonly Value[] => [
  { value, isThere: field !== undefined, reasons: [value] },
];

/** All cells of these operations, as values of a setting that cells list under `uses`. */
const usedIn = (
  { support }: EngineDescriptor,
  name: 'fetchSize' | 'bulkFormat',
  operations: readonly OperationName[],
  reasons: readonly Reason[],
  method?: MethodName,
): readonly Value[] =>
  operations.flatMap((operation) =>
    Object.entries(support[operation] ?? {})
      .filter(([own]) => method === undefined || own === method)
      .map(([own, cell]) => ({
        value: `${name} in ${operation}.${own}`,
        isThere: cell.uses?.includes(name) ?? false,
        reasons,
      })),
  );

/** The questions of each setting to an engine. A new setting does not compile before it is here. */
const asked: Readonly<Record<SettingName, typeof ofDyno | ((engine: EngineDescriptor) => readonly Value[])>> = {
  operation: ofDyno, // the cells of `support`
  method: ofDyno,
  rowsPerCall: ofDyno, // Support.maxRowsPerCall
  callsPerConnection: ofDyno, // openSession() of every engine
  callsPerCommit: ofDyno, // begin() and commit() of every session, or oneCallPerCommit
  maxAttempts: ofDyno,
  pipelineDepth: ofDyno, // Support.pipelines
  callsPerBatch: ofDyno, // Support.batches
  generation: ofDyno,
  bulkFormat: (engine) =>
    usedIn(engine, 'bulkFormat', ['insert', 'copy', 'scan'], ['bulkFormat.text', 'bulkFormat.binary'], 'bulk'),
  nullBinding: ({ nullBindings: own }) =>
    nullBindings
      .filter((one) => one !== 'asColumn')
      .map((one) => ({
        value: `nullBinding.${one}`,
        isThere: own?.[one] !== undefined,
        reasons: [`nullBinding.${one}`, 'nullBinding'],
      })),
  connections: ofDyno,
  processes: ofDyno,
  load: ofDyno,
  users: ofDyno,
  arrivals: ofDyno,
  arrivalsPerSecond: ofDyno,
  unitsPerSession: ofDyno,
  sessionLength: ofDyno,
  thinkTime: ofDyno,
  thinkMs: ofDyno,
  keyDistribution: ofDyno,
  workingSet: ofDyno,
  fetchSize: (engine) => usedIn(engine, 'fetchSize', ['readRange', 'scan', 'copy'], ['fetchSize']),
  rangeRows: ofDyno, // the checks of conformance/checks/reads.ts, for every engine that reads ranges
  rangeColumn: ofDyno,
  copyFrom: ofDyno,
  orderBy: ofDyno, // likewise, for every engine that scans
  sortMemoryKb: ({ sortMemory }) => oneOf('sortMemoryKb', sortMemory),
  dates: ofDyno, // columns of other types
  documents: ({ documents }) => oneOf('documents.native', documents),
  nullShare: ofDyno,
  distinctTimes: ofDyno,
  keyKind: ofDyno, // columns of other types
  keyCreation: ({ keyAfterLoad }) => oneOf('keyCreation.afterLoad', keyAfterLoad),
  partitions: ({ partitions }) => oneOf('partitions', partitions),
  indexCreation: ({ indexes }) => indexKinds.flatMap((kind) => oneOf(`index.${kind}`, indexes?.[kind])),
  fillFactor: ({ fillFactor }) => oneOf('fillFactor', fillFactor),
  foreignKeys: ({ foreignKeys }) => oneOf('foreignKeys.true', foreignKeys),
  isolation: ({ isolations: own }) =>
    isolations
      .filter((one) => one !== 'default')
      .map((one) => ({
        value: `isolation.${one}`,
        isThere: own?.[one] !== undefined,
        reasons: [`isolation.${one}`, 'isolation'],
      })),
  pooler: ({ pooler }) => [...oneOf('pooler.session', pooler), ...oneOf('pooler.transaction', pooler)],
  poolConnections: ofDyno, // the configuration of the pooler
  tls: ({ tls }) => [...oneOf('tls.off', tls), ...oneOf('tls.on', tls)],
  cache: ({ emptyCache, newSessionsAreCold, builtIn }) =>
    oneOf('cache.cold', emptyCache ?? newSessionsAreCold ?? builtIn.find((one) => one.restartEmptiesCache)),
  networkRoundTripMs: ofDyno,
  networkJitterMs: ofDyno,
  networkMbit: ofDyno,
  loadFrom: ofDyno,
};

test.each(catalog.map(({ descriptor }) => descriptor))(
  '$id: what it does not implement of a setting that changes the work has a reason',
  (engine) => {
    const unexplained = Object.values(asked)
      .flatMap((values) => (values === ofDyno ? [] : values(engine)))
      .filter(
        ({ isThere, reasons }) => !isThere && reasons.every((one) => engine.unsupportedReasons[one] === undefined),
      );
    expect(unexplained.map(({ value }) => value)).toEqual([]);
  },
);

test.each(catalog.map(({ descriptor }) => descriptor))(
  '$id: a fetch size that a read does not use leaves its cell empty, with the reason',
  (engine) => {
    const dataset = { columns: { id: { type: 'sequence', start: 1, nulls: 0 } }, key: 'id' } as const;
    for (const operation of ['readRange', 'scan'] as const)
      for (const [method, cell] of Object.entries(engine.support[operation] ?? {})) {
        const options = Object.fromEntries(
          Object.entries(cell.needs ?? {}).map(([name, value]) => [`${engine.id}.${name}`, value]),
        );
        const settings = { ...defaultSettings, operation, method: method as MethodName, options };
        const why = (fetchSize: number) => impossibleText(engine, { ...settings, fetchSize }, dataset);
        const { default: usual } = settingDefinitions.fetchSize;
        expect(why(usual), `${operation}.${method}`).toBeNull();
        expect(why(usual / 2), `${operation}.${method}`).toBe(
          cell.uses?.includes('fetchSize') ? null : engine.unsupportedReasons.fetchSize,
        );
      }
  },
);

test('values of options exclude values that another option of the engine has', () => {
  const excluded = catalog.flatMap(({ descriptor: { id, options = [] } }) =>
    options.flatMap(({ unsupportedReasons = {} }) =>
      Object.values(unsupportedReasons)
        .flatMap((reasons) => Object.keys(reasons))
        .filter((key) => key.startsWith('option.'))
        .map((key) => ({ id, key, options })),
    ),
  );
  expect(excluded.length).toBeGreaterThan(0);
  for (const { id, key, options } of excluded) {
    const known = options.flatMap(({ name, choices = [] }) => choices.map((value) => `option.${name}.${value}`));
    expect(known, `${id}: ${key}`).toContain(key);
  }
});
