import { describe, expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { nextDoubling, searchLines } from '#planning/search-lines.ts';
import { trialCount } from '#planning/trial-count.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { type Search, searchLevels } from './search.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);

const check = (
  measure: string,
  { operation = 'readByKey', workload = '', factors = '{}', more = [] as readonly string[] } = {},
) =>
  planExperiment(
    parseFile(
      [
        'dyno: 1',
        'name: Search',
        'question: How far?',
        'dataset: { rows: 100, key: id, columns: { id: { type: sequence }, n: { type: integer, min: 0, max: 9 } } }',
        `workload: { operation: ${operation}, method: prepared, ${workload} }`,
        `factors: ${factors}`,
        'targets: [embedded-postgres, sqlite]',
        `measure: { ${measure} }`,
        ...more,
      ].join('\n'),
    ),
    { catalog: descriptors },
  );
const problemsOf = (measure: string, more = {}) => check(measure, more).diagnostics;

const saturation = 'search: { find: saturation, setting: connections, from: 1, to: 64 }';
const search: Search = { find: 'saturation', setting: 'connections', from: 1, to: 64, relativeStep: 0.05 };

describe('the loads of a search', () => {
  it('are its ends, its doublings, and steps between that are no larger than wanted', () => {
    const loads = searchLevels({ ...search, setting: 'arrivalsPerSecond', from: 12.5, to: 900 });
    expect(loads[0]).toBe(12.5);
    expect(loads.at(-1)).toBe(900);
    expect(loads).toEqual(expect.arrayContaining([25, 50, 100, 200, 400, 800]));
    for (const [i, load] of loads.slice(1).entries()) {
      expect(load).toBeGreaterThan(loads[i]!);
      // Rounding rates to three digits changes them by half a per cent at most.
      expect(load / loads[i]!).toBeLessThan(1.056);
    }
  });

  it('are whole numbers of users and connections, each once', () => {
    const loads = searchLevels(search);
    expect(loads.slice(0, 12)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(loads.every(Number.isInteger)).toBe(true);
    expect(new Set(loads).size).toBe(loads.length);
  });

  it('double up to the last', () => {
    const loads = searchLevels({ ...search, to: 50 });
    const climb = [0];
    while (climb.at(-1)! < loads.length - 1) climb.push(nextDoubling(loads, climb.at(-1)!));
    expect(climb.map((i) => loads[i])).toEqual([1, 2, 4, 8, 16, 32, 50]);
  });
});

describe('the plan of a search', () => {
  it('has its loads as levels, for each target and combination of factors a search of its own', () => {
    const { plan } = check(saturation, { factors: '{ method: [prepared, bind] }' });
    const lines = searchLines(plan!);
    expect(lines.map(({ target, label }) => `${label} on ${target}`)).toEqual([
      'prepared on embedded-postgres',
      'bind on embedded-postgres',
      'prepared on sqlite',
      'bind on sqlite',
    ]);
    for (const { levels } of lines) {
      expect(levels.map(({ load }) => load)).toEqual(searchLevels(search));
      expect(levels.every(({ trials }) => trials.length === 3)).toBe(true);
    }
    expect(plan!.variants[0]!.settings.connections).toBe(1);
    expect(plan!.variants[0]!.label).toBe('prepared · Connections: 1');
  });

  it('is estimated by the trials it may take and not by all that it may choose from', () => {
    const { plan } = check(`${saturation}, until: { seconds: 1 }, warmupSeconds: 0`);
    const { least, most } = trialCount(plan!);
    expect(least).toBeGreaterThanOrEqual(2 * 4);
    expect(most).toBeLessThan(plan!.trials.length / 2);
    const seconds = estimateSeconds(plan!);
    expect(seconds.least).toBeGreaterThan(least);
    expect(seconds.most).toBeLessThan(2 * most);
  });

  it('leaves out loads that cannot be', () => {
    const { plan } = check('search: { find: saturation, setting: users, from: 1, to: 64 }', {
      workload: 'connections: 4, thinkMs: 5',
    });
    const [line] = searchLines(plan!);
    expect(line!.levels[0]!.load).toBe(4);
    expect(plan!.skipped.map(({ variant }) => variant)).toContain('users=3');
  });
});

describe('a search that makes no sense is refused, with what to do', () => {
  it.each([
    ['search: { find: limit, setting: connections, from: 1, to: 64 }', 'Add goals: { p99Ms: 20 }'],
    ['search: { find: saturation, setting: connections, from: 1, to: 64, p99Ms: 5 }', 'Unknown key `p99Ms`'],
    ['search: { find: saturation, setting: connections, from: 64, to: 8 }', 'Write to: 4096'],
    ['search: { find: saturation, setting: connections, from: 1, to: 2 }', 'Raise to'],
    ['search: { find: saturation, setting: connections, from: 1.5, to: 64 }', 'whole number'],
    [`${saturation}, repeats: { max: 30 }`, 'Write a number'],
    [`${saturation}, until: { precision: 0.03 }`, 'one of search and until.precision'],
    [`${saturation}, stages: [{ seconds: 5 }]`, 'one of search and stages'],
    [`${saturation}, until: { calls: 5 }`, 'one of search and until.calls'],
    ['search: { find: saturation, setting: arrivalsPerSecond, from: 1, to: 64 }', 'Write load: open'],
    ['search: { find: knee, setting: users, from: 1, to: 64 }', 'setting: connections'],
  ])('%s', (measure, words) => {
    const errors = problemsOf(measure).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message, suggestion }) => `${message} ${suggestion}`).join('\n')).toContain(words);
    expect(errors.every(({ path }) => path.startsWith('measure.'))).toBe(true);
  });

  it('for the knee where users pause in the steps of a scenario', () => {
    const clerks = (find: string, steps: string) =>
      problemsOf(`search: { find: ${find}, setting: connections, from: 1, to: 64 }`, {
        operation: 'statement',
        more: ['statements: { look: { text: SELECT 1 } }', `scenarios: { clerk: { steps: [${steps}] } }`],
      }).filter(({ severity }) => severity === 'error');
    const pausing = 'look, { thinkMs: 100 }';
    expect(clerks('knee', pausing)).toMatchObject([
      { path: 'measure.search.setting', suggestion: expect.stringContaining('in scenarios, too') as string },
    ]);
    expect(clerks('knee', 'look')).toEqual([]);
    expect(clerks('saturation', pausing)).toEqual([]);
  });

  it('where its load is varied or fixed besides, and where arrivals are the load', () => {
    expect(problemsOf(saturation, { factors: '{ connections: [1, 2] }' })[0]).toMatchObject({
      severity: 'error',
      path: 'factors.connections',
    });
    expect(
      problemsOf(saturation, { factors: '{ pool: { small: { connections: 2 }, large: { connections: 9 } } }' })[0],
    ).toMatchObject({
      severity: 'error',
      path: 'factors.pool',
    });
    expect(problemsOf(saturation, { workload: 'connections: 4' })[0]).toMatchObject({ severity: 'warning' });
    expect(problemsOf(saturation, { workload: 'load: open, arrivalsPerSecond: 5' })[0]).toMatchObject({
      severity: 'error',
      path: 'measure.search.setting',
      suggestion: 'Write setting: arrivalsPerSecond, or load: closed.',
    });
  });
});
