import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { scenariosText } from '#model/statements/format-scenarios.ts';
import { isPlainLoop, loadModel, loadText } from '#model/statements/load-model.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '../parsed-file.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);

const check = (workload: string, measure = '{}', factors = '{}') =>
  planExperiment(
    parseFile(
      [
        'dyno: 1',
        'name: Load',
        'question: Is it?',
        'dataset: { rows: 100, key: id, columns: { id: { type: sequence }, n: { type: integer, min: 0, max: 9 } } }',
        `workload: { operation: update, ${workload} }`,
        `factors: ${factors}`,
        'targets: [embedded-postgres]',
        `measure: ${measure}`,
      ].join('\n'),
    ),
    { catalog: descriptors },
  );
const whyNot = (workload: string) => check(workload).diagnostics[0]?.suggestion;

test('a load that makes no sense is refused, with what to do', () => {
  expect(whyNot('load: open')).toContain('set arrivalsPerSecond');
  expect(whyNot('load: partlyOpen, thinkMs: 5')).toContain('set arrivalsPerSecond');
  expect(whyNot('load: open, arrivalsPerSecond: 5, thinkMs: 10')).toContain('Remove thinkMs');
  expect(whyNot('load: open, arrivalsPerSecond: 5, method: pipelined')).toContain('Take another method');
  expect(whyNot('connections: 8, users: 4')).toContain('as many users as connections');
  expect(whyNot('load: partlyOpen, arrivalsPerSecond: 5, unitsPerSession: 2.5, sessionLength: constant')).toContain(
    'geometric',
  );
});

test.each([
  'load: open, arrivalsPerSecond: 0.25',
  'users: 100, connections: 8, thinkMs: 20',
  'load: partlyOpen, arrivalsPerSecond: 2, unitsPerSession: 2.5, thinkMs: 5',
  'connections: 4, method: pipelined',
])('%s can be run, by time', (workload) => {
  const { plan, diagnostics } = check(workload);
  expect(diagnostics).toEqual([]);
  expect(plan?.measure.until).toBe('time');
});

test('arrivals and stages do not end with the last row', () => {
  const open = 'load: open, arrivalsPerSecond: 5';
  expect(check(open, '{ until: { rows: all } }').diagnostics).toMatchObject([
    { severity: 'error', path: 'measure.until.rows' },
  ]);
  const stages = 'stages: [{ seconds: 2, from: 0 }, { seconds: 3 }]';
  expect(check('', `{ until: { rows: all }, ${stages} }`).diagnostics).toMatchObject([{ path: 'measure.until.rows' }]);
  expect(check('', `{ until: { seconds: 4 }, ${stages} }`).diagnostics).toMatchObject([
    { path: 'measure.until.seconds' },
  ]);
  expect(check('', `{ ${stages} }`).plan?.measure).toMatchObject({ until: 'time', seconds: 5 });
  expect(check('', '{ stages: [{ name: a, seconds: 1 }, { name: a, seconds: 1 }] }').diagnostics).toMatchObject([
    { path: 'measure.stages[1].name' },
  ]);
});

test('stages weigh what is drawn, and leave something to draw', () => {
  const own = (weights: string) =>
    planExperiment(
      parseFile(
        [
          'dyno: 1',
          'name: Load',
          'question: Is it?',
          'workload: { operation: statement }',
          'statements: { look-up: { text: SELECT 1 }, never: { text: SELECT 2, weight: 0 } }',
          'targets: [embedded-postgres]',
          `measure: { stages: [{ seconds: 1, weights: ${weights} }] }`,
        ].join('\n'),
      ),
      { catalog: descriptors },
    ).diagnostics;
  expect(own('{ look-up: 3 }')).toEqual([]);
  expect(own('{ lok-up: 3 }')).toMatchObject([{ severity: 'error', path: 'measure.stages[0].weights.lok-up' }]);
  expect(own('{ never: 3 }')).toMatchObject([{ severity: 'error' }]);
  expect(own('{ look-up: 0 }')).toMatchObject([{ severity: 'error', path: 'measure.stages[0].weights' }]);
});

test('settings of another load do not make another variant', () => {
  const { plan } = check('load: open, arrivalsPerSecond: 5', '{}', '{ users: [0, 100] }');
  expect(plan?.trials.every(({ variant }) => variant === 'users=0')).toBe(true);
  expect(plan?.skipped[0]?.reason).toContain('users does not matter');
});

test('a load is a closed loop with one user a connection where nothing else is set', () => {
  const model = loadModel({ ...defaultSettings, connections: 8 });
  expect(isPlainLoop(model)).toBe(true);
  expect(loadText(model)).toBe('closed, 8 users');
});

test('scenarios in words have shares and think times', () => {
  const between = { thinkMs: { from: 1_000, to: 2_000 }, thinkTime: 'exponential' } as const;
  const after = { thinkMs: 5, thinkTime: 'exponential' } as const;
  const scenarios = {
    buyer: { steps: ['look', between, 'buy', after], users: 850, parameters: {} },
    clerk: { steps: ['look'], users: 200, parameters: {} },
  };
  expect(scenariosText(scenarios)).toBe('buyer 850 (thinks 1,000 to 2,000 ms, 5 ms (exponential)) : clerk 200');
  expect(loadText(loadModel({ ...defaultSettings, connections: 2, users: 50 }), true)).toBe(
    'closed, 50 users on 2 connections, no think time between passes',
  );
});

test('a load in words names everything that matters to it', () => {
  const words = (settings: Partial<Settings>) => loadText(loadModel({ ...defaultSettings, ...settings }));
  expect(words({ connections: 2, users: 50, thinkMs: 1_500, thinkTime: 'logNormal' })).toBe(
    'closed, 50 users on 2 connections, think time 1,500 ms (log-normal)',
  );
  expect(words({ load: 'open', arrivals: 'constant', arrivalsPerSecond: 0.25, connections: 1 })).toBe(
    'open, 0.25 arrivals/s (constant) on 1 connection',
  );
  expect(words({ load: 'partlyOpen', arrivalsPerSecond: 3, unitsPerSession: 4, thinkMs: 10, connections: 2 })).toBe(
    'partly open, 3 sessions/s (Poisson) of 4 units each (geometric) on 2 connections, think time 10 ms (exponential)',
  );
});
