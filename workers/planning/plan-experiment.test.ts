import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Support } from '#engine-api/support.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { type Durations, noDurations, rateKey } from './durations.ts';
import { estimateSeconds } from './estimate-seconds.ts';
import { durationsOf } from './learn-durations.ts';
import { planExperiment } from './plan-experiment.ts';
import { formatLevels } from './variant-of.ts';

const single: Support = { implementation: 'one', maxRowsPerCall: 1 };
const many: Support = { implementation: 'many', maxRowsPerCall: 1_000_000 };
const base: Omit<EngineDescriptor, 'id' | 'label' | 'builtIn'> = {
  driver: 'none',
  support: {
    insert: {
      bind: single,
      prepared: single,
      pipelined: { ...single, pipelines: true },
      multiRow: { ...many, maxParameters: 65_535 },
      bulk: { ...many, uses: ['bulkFormat'] },
      serverLoop: { ...many, serverData: true },
    },
    readByKey: { prepared: single },
    readRange: { prepared: { ...single, uses: ['fetchSize'] } },
    update: { multiRow: { ...many, maxParameters: 100 } },
  },
  unsupportedReasons: {},
  uuids: { implementation: 'uuid', order: 'bytes' },
  cancel: 'none',
  maxConnections: null,
  config: [
    { name: 'host', label: 'Host', kind: 'text', localUse: 'plain' },
    { name: 'database', label: 'Database', kind: 'text', required: true, localUse: 'plain' },
  ],
};
const big: EngineDescriptor = {
  ...base,
  id: 'big',
  label: 'Big DB',
  builtIn: [{ target: 'big-built-in', label: 'Big', about: '' }],
};
const small: EngineDescriptor = {
  ...base,
  id: 'small',
  label: 'Small DB',
  builtIn: [
    { target: 'small', label: 'Small', about: '' },
    { target: 'local-tiny', label: 'Tiny', about: '', onlyVersion: 'There is one release alone.' },
  ],
  support: {
    insert: { bind: single, multiRow: { ...many, maxRowsPerCall: 500, rowLimitReason: 'Its parser reads no more.' } },
  },
  unsupportedReasons: { bulk: 'Small DB has no bulk loader.', 'insert.prepared': 'Small DB prepares nothing.' },
  maxConnections: 4,
};
const catalog = [big, small];

const yaml = (factors: string, more = '') => `dyno: 1
name: n
question: q
dataset: { rows: 1000, key: id, columns: { id: { type: uuid4 }, a: { type: boolean }, b: { type: boolean } } }
targets: [big-built-in, small]
factors: ${factors}
${more.includes('workload') ? '' : 'workload: { method: bind }'}
${more}`;
const outcome = (text: string) => {
  const file = parseFile(text);
  expect(file.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return planExperiment(file, { catalog });
};
const planOf = (factors: string, more?: string): Plan => {
  const { plan, diagnostics } = outcome(yaml(factors, more));
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return plan as Plan;
};
const skippedOn = (plan: Plan, target: string) =>
  Object.fromEntries(
    plan.skipped.filter((cell) => cell.target === target).map(({ variant, reason }) => [variant, reason]),
  );

describe('variants', () => {
  it('are all combinations of levels and bundles, over the workload, over the defaults', () => {
    const plan = planOf(
      '{ method: { slow: { method: bind }, fast: { method: multiRow, rowsPerCall: 100 } }, connections: [1, 2] }',
      'workload: { callsPerCommit: 5 }',
    );
    expect(plan.variants.map(({ id, label }) => [id, label])).toEqual([
      ['method=slow connections=1', 'slow · Connections: 1'],
      ['method=slow connections=2', 'slow · Connections: 2'],
      ['method=fast connections=1', 'fast · Connections: 1'],
      ['method=fast connections=2', 'fast · Connections: 2'],
    ]);
    expect(plan.variants[3]?.settings).toMatchObject({
      operation: 'insert',
      method: 'multiRow',
      rowsPerCall: 100,
      connections: 2,
      callsPerCommit: 5,
      processes: 1,
    });
    expect(plan.variants[3]?.levels).toEqual({ method: 'fast', connections: 2 });
  });

  it('have ids of their own, whatever their levels are called', () => {
    const plan = planOf('{ a: { x: {}, "x b=y": { connections: 2 } }, b: { "y b=z": {}, z: { processes: 2 } } }');
    expect(new Set(plan.variants.map(({ id }) => id)).size).toBe(4);
  });

  it('are called by their levels with the factors’ names, but for methods and operations, which name themselves', () => {
    expect(formatLevels({ method: 'bind', connections: 1_000, 'postgres.partitioned': false })).toBe(
      'bind · Connections: 1,000 · postgres.partitioned: off',
    );
    expect(formatLevels({ 'secondary index': 'no', networkRoundTripMs: 5, keyKind: 'uuid7' })).toBe(
      'Secondary index: no · Network round trip: 5\u00a0ms · Key type: uuid7',
    );
  });

  it('without factors are one, called default', () => {
    expect(planOf('{}').variants.map(({ id }) => id)).toEqual(['default']);
  });
});

describe('cells that cannot run are skipped with the reason', () => {
  it('an empty cell of the engine, in the engine’s own words where it has some', () => {
    const plan = planOf('{ method: [bind, prepared, bulk, pipelined] }');
    expect(skippedOn(plan, 'big-built-in')).toEqual({});
    expect(skippedOn(plan, 'small')).toEqual({
      'method=prepared': 'Small DB prepares nothing.',
      'method=bulk': 'Small DB has no bulk loader.',
      'method=pipelined': 'Small DB has no pipelined for insert.',
    });
  });

  it('several rows with a method that carries one, and more rows or parameters than the engine takes', () => {
    const plan = planOf('{ method: [bind, multiRow], rowsPerCall: [1, 501, 21845, 21846] }');
    expect(skippedOn(plan, 'big-built-in')).toEqual({
      'method=bind rowsPerCall=501': 'bind carries one row per call, not 501.',
      'method=bind rowsPerCall=21845': 'bind carries one row per call, not 21,845.',
      'method=bind rowsPerCall=21846': 'bind carries one row per call, not 21,846.',
      'method=multiRow rowsPerCall=21846': '21,846 rows per call need 65,538 parameters; Big DB takes 65,535 at most.',
    });
    expect(skippedOn(plan, 'small')['method=multiRow rowsPerCall=501']).toBe(
      'multiRow on Small DB carries at most 500 rows per call, not 501. Its parser reads no more.',
    );
  });

  it('two parameters per row for updates: the key and the changed column', () => {
    const plan = planOf('{ rowsPerCall: [50, 51] }', 'workload: { operation: update, method: multiRow }');
    expect(skippedOn(plan, 'big-built-in')).toEqual({
      'rowsPerCall=51': '51 rows per call need 102 parameters; Big DB takes 100 at most.',
    });
  });

  it('more connections than the engine takes, and more processes than connections', () => {
    const plan = planOf('{ connections: [1, 4, 5], processes: [1, 2] }');
    expect(skippedOn(plan, 'big-built-in')).toEqual({
      'connections=1 processes=2': '2 processes need at least as many connections, not 1.',
    });
    expect(skippedOn(plan, 'small')).toMatchObject({
      'connections=5 processes=1': 'Small DB takes at most 4 connections, not 5.',
    });
  });

  it('settings without effect on the method: the first of them runs, the others would measure it again', () => {
    const plan = planOf('{ method: [bind, pipelined], pipelineDepth: [8, 16] }');
    expect(skippedOn(plan, 'big-built-in')).toEqual({
      'method=bind pipelineDepth=16':
        'Same as “bind · Pipeline depth: 8” on Big DB: pipeline depth does not matter there.',
    });
    const formats = planOf(
      '{ method: [bulk, serverLoop], bulkFormat: [text, binary], generation: [prepared, inline] }',
    );
    expect(skippedOn(formats, 'big-built-in')).toEqual({
      'method=serverLoop bulkFormat=text generation=inline':
        'Same as “serverLoop · Bulk format: text · Generation: prepared” on Big DB: generation does not matter there.',
      'method=serverLoop bulkFormat=binary generation=prepared':
        'Same as “serverLoop · Bulk format: text · Generation: prepared” on Big DB: bulk format does not matter there.',
      'method=serverLoop bulkFormat=binary generation=inline':
        'Same as “serverLoop · Bulk format: text · Generation: prepared” on Big DB: generation and bulk format do not matter there.',
    });
  });

  it('kinds of keys that are one thing there', () => {
    expect(skippedOn(planOf('{ keyKind: [uuid7, uuidSequential] }'), 'big-built-in')).toEqual({
      'keyKind=uuidSequential':
        'Same as “Key type: uuid7” on Big DB: a sequential uuid is a uuid7, as uuids are compared from their first byte.',
    });
  });

  it('levels of isolation that are one thing there', () => {
    const leveled = { ...big, isolations: { repeatableRead: 'REPEATABLE READ', snapshot: 'REPEATABLE READ' } };
    const file = parseFile(yaml('{ isolation: [repeatableRead, snapshot, serializable] }'));
    const { skipped } = planExperiment(file, { catalog: [leveled, small] }).plan!;
    expect(skipped.flatMap(({ target, reason }) => (target === 'big-built-in' ? [reason] : []))).toEqual([
      'Same as “Isolation: repeatableRead” on Big DB: isolation is REPEATABLE READ either way.',
      'Big DB has no isolation of the kind serializable.',
    ]);
  });

  it('bundles that say the same thing', () => {
    const plan = planOf('{ method: { a: { method: bind }, b: { method: bind, connections: 1 } } }');
    expect(skippedOn(plan, 'small')).toEqual({ 'method=b': 'Same as “a” on Small DB: the settings are equal.' });
  });

  it('a fetch size or range matters where rows are ranged over, a choice of keys where keys are chosen', () => {
    const read = (operation: string) =>
      planOf(
        '{ fetchSize: [1, 2], rangeRows: [1, 2], keyDistribution: [uniform, zipf] }',
        `workload: { operation: ${operation} }`,
      );
    expect(read('readRange').trials.filter(({ repeat }) => repeat === 1)).toHaveLength(8);
    expect(read('readByKey').trials.filter(({ repeat }) => repeat === 1)).toHaveLength(2);
    expect(
      read('insert').trials.filter(({ repeat, target }) => repeat === 1 && target === 'big-built-in'),
    ).toHaveLength(1);
  });
});

describe('the order of trials', () => {
  it('holds each cell exactly once in each repeat, whatever the seed; the same seed gives the same order', () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom('interleaved', 'declared'),
        (seed, repeats, order) => {
          const plan = planOf(
            '{ method: [bind, multiRow], connections: [1, 2, 3] }',
            `measure: { seed: ${seed}, repeats: ${repeats}, order: ${order} }`,
          );
          const cells = plan.variants
            .flatMap((variant) => plan.targets.map((target) => `${variant.id} @ ${target.name}`))
            .sort();
          expect(plan.trials.map(({ number }) => number)).toEqual(plan.trials.map((_, index) => index + 1));
          for (let repeat = 1; repeat <= repeats; repeat++) {
            const round = plan.trials.slice((repeat - 1) * cells.length, repeat * cells.length);
            expect(round.every((trial) => trial.repeat === repeat)).toBe(true);
            expect(round.map(({ variant, target }) => `${variant} @ ${target}`).sort()).toEqual(cells);
          }
          expect(
            planOf(
              '{ method: [bind, multiRow], connections: [1, 2, 3] }',
              `measure: { seed: ${seed}, repeats: ${repeats}, order: ${order} }`,
            ),
          ).toEqual(plan);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('holds as many rounds as there may be where repeats vary', () => {
    const plan = planOf('{}', 'measure: { until: { precision: 0.05 }, repeats: { min: 2, max: 7 } }');
    expect(plan.trials.map(({ repeat }) => repeat)).toEqual([1, 2, 3, 4, 5, 6, 7].flatMap((round) => [round, round]));
  });

  it('differs between repeats when interleaved, and follows the file when as written', () => {
    const rounds = (order: string) => {
      const plan = planOf(
        '{ method: [bind, multiRow], connections: [1, 2, 3, 4] }',
        `measure: { repeats: 3, order: ${order} }`,
      );
      const size = plan.trials.length / 3;
      return [0, 1, 2].map((i) =>
        plan.trials
          .slice(i * size, (i + 1) * size)
          .map(({ variant, target }) => variant + target)
          .join(),
      );
    };
    expect(new Set(rounds('interleaved')).size).toBe(3);
    expect(new Set(rounds('declared')).size).toBe(1);
  });
});

describe('the measurement plan', () => {
  it('ends by rows where rows are used up, by time otherwise, and warms up with a tenth of the rows', () => {
    expect(planOf('{}').measure).toMatchObject({ until: 'rows', warmupRows: 100 });
    expect(planOf('{}', 'workload: { operation: readByKey }').measure.until).toBe('time');
    expect(planOf('{ operation: [insert, readByKey] }').measure.until).toBe('time');
    expect(planOf('{}', 'measure: { until: { seconds: 5 }, warmupRows: 0 }').measure).toMatchObject({
      until: 'time',
      warmupRows: 0,
    });
  });

  it('measures all rows of the dataset, or so many', () => {
    expect(planOf('{}', 'measure: { until: { rows: all } }').measure).toMatchObject({ rows: 1000, warmupRows: 100 });
    expect(planOf('{}', 'measure: { until: { rows: 50 } }').measure).toMatchObject({
      until: 'rows',
      rows: 50,
      warmupRows: 5,
    });
  });

  it('repeats three times, or from 5 to 30 times until a precision', () => {
    expect(planOf('{}').measure.repeats).toBe(3);
    expect(planOf('{}', 'measure: { until: { precision: 0.1 } }').measure).toMatchObject({
      until: 'rows',
      repeats: { min: 5, max: 30, relativeMargin: 0.1 },
    });
  });
});

describe('trials with calls that are reported one by one', () => {
  it('are those of one connection that commit by themselves', () => {
    const { measure, trials, skipped } = planOf(
      '{ connections: [1, 2] }',
      'measure: { until: { calls: 3 }, repeats: 1 }',
    );
    expect(measure).toMatchObject({ until: 'calls', calls: 3 });
    expect(new Set(trials.map(({ variant }) => variant))).toEqual(new Set(['connections=1']));
    expect(skipped.map(({ reason }) => reason)).toContain(
      'measure.until.calls: calls are reported one by one on one connection, not on 2.',
    );
  });
});

describe('trials that begin cold', () => {
  const reasons = (engine: Partial<EngineDescriptor>, restartEmptiesCache: boolean) => {
    const file = parseFile(yaml('{ cache: [unchanged, cold] }').replace('[big-built-in, small]', '[big-built-in]'));
    const builtIn = big.builtIn.map((one) => ({ ...one, restartEmptiesCache }));
    return planExperiment(file, { catalog: [{ ...big, ...engine, builtIn }] }).plan!.skipped.map(
      ({ reason }) => reason,
    );
  };

  it('are those of engines with a command for it, and of servers that can be restarted', () => {
    expect(reasons({}, true)).toEqual([]);
    expect(reasons({ emptyCache: 'FLUSH' }, false)).toEqual([]);
    expect(reasons({}, false)).toEqual([
      'No command empties the cache of Big DB, and Dyno restarts only servers that it has started itself.',
    ]);
    expect(reasons({ unsupportedReasons: { 'cache.cold': 'It has none.' } }, false)).toEqual(['It has none.']);
  });

  it('are not those of two targets on one server, for the one would be restarted under the other', () => {
    const file = parseFile(
      yaml('{ cache: [unchanged, cold] }').replace(
        '[big-built-in, small]',
        '[big-built-in, { name: other, engine: big }]',
      ),
    );
    const skippedOf = (engine: EngineDescriptor) =>
      planExperiment(file, { catalog: [engine] }).plan!.skipped.map(({ target, reason }) => [
        target,
        reason.split(',')[0],
      ]);
    const builtIn = big.builtIn.map((one) => ({ ...one, restartEmptiesCache: true }));
    expect(skippedOf({ ...big, builtIn })).toEqual([
      ['big-built-in', 'The server is that of other'],
      ['other', 'The server is that of big-built-in'],
    ]);
    expect(skippedOf({ ...big, emptyCache: 'FLUSH' }), 'a command is for whoever it is').toEqual([]);
  });
});

describe('targets', () => {
  const told = (targets: string) =>
    outcome(yaml('{}').replace('targets: [big-built-in, small]', `targets: ${targets}`)).diagnostics.map(
      (d) => `${d.line}:${d.column} ${d.path} ${d.message} | ${d.suggestion}`,
    );

  it('are built in, or written out with an engine and its connection', () => {
    const { plan } = outcome(
      yaml('{}').replace('[big-built-in, small]', '[small, { name: prod, engine: big, database: x }]'),
    );
    expect(plan?.targets).toEqual([
      { name: 'small', engine: 'small', index: 0 },
      { name: 'prod', engine: 'big', index: 1 },
    ]);
  });

  it('may be built-in ones written out: then nothing is required', () => {
    expect(told('[{ name: a, engine: big }]')).toEqual([]);
  });

  it.each([
    [
      '[smal]',
      /^5:11 targets\[0\] There is no connection called `smal` here, and no built-in target\. \| Did you mean `small`\?/,
    ],
    ['[big]', /^5:11 .*Write it out/],
    ['[tiny@2]', /^5:11 .*`tiny@2` is no target of Dyno\. There is one release alone\. \| Write `local-tiny`/],
    ['[{ name: a, engine: bog, database: x }]', /^5:30 targets\[0\]\.engine There is no engine `bog`.*`big`/],
    ['[{ name: a, engine: big, database: x, hosst: y }]', /^5:48 targets\[0\]\.hosst .*`host`/],
    ['[{ name: a, engine: big, host: h }]', /^5:11 targets\[0\] The target `a` needs `database`/],
  ])('that do not exist are reported with the nearest right word: %s', (targets, expected) => {
    expect(told(targets)).toHaveLength(1);
    expect(told(targets)[0]).toMatch(expected);
  });

  it('on which nothing can run are a warning; a run without any trial is an error', () => {
    const bulk = yaml('{}').replace('method: bind', 'method: bulk');
    const { plan, diagnostics } = outcome(bulk);
    expect(plan?.trials.every(({ target }) => target === 'big-built-in')).toBe(true);
    expect(diagnostics).toMatchObject([
      { severity: 'warning', path: 'targets[1]', suggestion: 'Small DB has no bulk loader.' },
    ]);
    const none = outcome(bulk.replace('[big-built-in, small]', '[small]'));
    expect(none.plan).toBeNull();
    expect(none.diagnostics).toMatchObject([{ severity: 'error', line: 5 }]);
  });
});

describe('the estimate of the time', () => {
  /** The time of a run on two targets beside its trials. */
  const start = 1.5;
  const withRates = (rates: ReadonlyMap<string, number>): Durations => ({ ...noDurations, rates });

  it('follows the plan by time, and known speeds by rows', () => {
    const timed = planOf('{}', 'measure: { until: { seconds: 10 }, warmupSeconds: 2, repeats: 4 }');
    // Two targets, each with four trials of 12 s; what they insert is verified.
    expect(estimateSeconds(timed).most).toBeCloseTo(start + 2 * 4 * (0.5 + 12), 0);
    const fast = new Map(['big', 'small'].map((engine) => [rateKey(engine, timed.variants[0]!.settings), 900_000]));
    expect(estimateSeconds(timed, withRates(fast)).most).toBeCloseTo(start + 2 * 4 * (0.5 + 12 + 12), 5);
    const byRows = planOf('{}', 'measure: { repeats: 1, warmupRows: 0 }');
    const settings = byRows.variants[0]!.settings;
    const known = new Map([
      [rateKey('big', settings), 100],
      [rateKey('small', settings), 50],
    ]);
    expect(estimateSeconds(byRows, withRates(known)).most).toBeCloseTo(start + 0.5 + 1000 / 100 + 0.5 + 1000 / 50, 5);
  });

  it('has a restart before cold trials where a server is restarted, and no warm-up', () => {
    const seconds = (cache: string, restartEmptiesCache: boolean) => {
      const text = yaml(
        '{}',
        `workload: { operation: readByKey, cache: ${cache} }\nmeasure: { until: { seconds: 10 }, repeats: 1, warmupSeconds: 2 }`,
      );
      const file = parseFile(text.replace('[big-built-in, small]', '[big-built-in]'));
      const builtIn = big.builtIn.map((one) => ({ ...one, restartEmptiesCache }));
      return estimateSeconds(planExperiment(file, { catalog: [{ ...big, emptyCache: 'FLUSH', builtIn }] }).plan!).most;
    };
    expect(seconds('cold', false)).toBeCloseTo(seconds('unchanged', false) - 2, 5);
    expect(seconds('cold', true)).toBeCloseTo(seconds('cold', false) + 4, 5);
  });

  it('is a span where repeats may vary, and as long as the budget at most', () => {
    const span = (budget: string) => {
      const { least, most } = estimateSeconds(
        planOf(
          '{}',
          `measure: { until: { seconds: 10, precision: 0.05 }, warmupSeconds: 2, repeats: { min: 2, max: 8 }${budget} }`,
        ),
      );
      return { least: Math.round(least - start), most: Math.round(most - start) };
    };
    const round = 2 * (0.5 + 12);
    expect(span('')).toEqual({ least: 2 * round, most: 8 * round });
    // No round begins that would end after the budget.
    expect(span(', budgetSeconds: 110')).toEqual({ least: 2 * round, most: 4 * round });
    // The minimum always runs.
    expect(span(', budgetSeconds: 10')).toEqual({ least: 2 * round, most: 2 * round });
  });

  it('is that of the last run of the same experiment on this machine, with its number of rounds', () => {
    const plan = planOf(
      '{}',
      'workload: { operation: readByKey }\nmeasure: { until: { seconds: 1, precision: 0.05 }, repeats: { min: 2, max: 8 } }',
    );
    expect(estimateSeconds(plan).likely).toBeNull();
    const results = plan.trials
      .filter(({ repeat }) => repeat <= 5)
      .map((trial) => ({ ...trial, status: 'ok', totals: { calls: 0, rows: 0 } }) as TrialResult);
    const finished = results.map((result, i) => {
      // The first trial makes the table, and the others read it.
      const tablesSeconds = i === 0 ? 10 : 0;
      return { ...result, seconds: tablesSeconds + 3, tablesSeconds };
    });
    const known: Durations = { ...durationsOf(plan, finished, results, 7, 5), isEmpty: false };
    expect(estimateSeconds(plan, known)).toEqual({
      least: 7 + 10 + 2 * 3,
      likely: 7 + 10 + 5 * 3,
      most: 7 + 10 + 8 * 3,
    });
    // Longer trials take as much more as they measure more: the time beside their calls is known, and so is the table.
    const longer = planOf('{}', 'workload: { operation: readByKey }\nmeasure: { until: { seconds: 6 }, repeats: 2 }');
    const besides = 3 - 1 - plan.measure.warmupSeconds;
    expect(estimateSeconds(longer, known).most).toBeCloseTo(
      1.5 + 10 + 2 * (besides + longer.measure.warmupSeconds + 6),
      5,
    );
  });

  it('grows with rows and never beyond the time limit of a trial', () => {
    const seconds = (rows: number) =>
      estimateSeconds(
        outcome(yaml('{}', 'measure: { timeoutSeconds: 100 }').replace('rows: 1000', `rows: ${rows}`)).plan as Plan,
      ).most;
    expect(seconds(10_000)).toBeGreaterThan(seconds(1_000));
    expect(seconds(1_000_000_000)).toBeLessThanOrEqual(2 * 3 * 101);
  });
});
