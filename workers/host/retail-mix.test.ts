import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { checkExperiment } from '#contract/check-experiment.ts';
import type { TrialResult } from '#contract/measurement.ts';
import { applyOverrides } from '#contract/overrides.ts';
import { textFor } from '#contract/statement-mix.ts';
import { catalog } from '../engines/catalog.ts';
import { runOnce } from './run-once.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const file = readFileSync(new URL('../../experiments/retail-mix.dyno.yaml', import.meta.url), 'utf8');

/** 25 users, each of whom has time for one pass, and no more, however fast the machine is. */
const onePass = applyOverrides(
  file
    .replaceAll(/thinkMs: \{[^}]*\}/g, 'thinkMs: 0')
    .replace(', receipt]', ', receipt, { thinkMs: 3600000, thinkTime: constant }]')
    .replaceAll(/steps: \[\{ thinkMs: 0 \}, (\w+)\]/g, 'steps: [$1, { thinkMs: 3600000, thinkTime: constant }]'),
  [
    'targets=sqlite',
    'baseline=',
    'workload.users=25',
    'workload.connections=2',
    'measure.repeats=1',
    'measure.warmupSeconds=0',
    'measure.stages=[{ seconds: 3 }]',
  ],
);

const run = async (yaml: string) => (await runOnce(yaml)).result;

const callsOf = ({ statements = [] }: TrialResult) =>
  Object.fromEntries(statements.map(({ name, calls }) => [name, calls]));

test('purchases have the published numbers of statements', () => {
  const { experiment } = checkExperiment(
    file,
    catalog.map(({ descriptor }) => descriptor),
  );
  const { statements = {}, transactions = {} } = experiment!;
  const kindsOf = (transaction: string) =>
    transactions[transaction]!.steps.map(
      (step) => textFor(statements[String(step)]!.text, { target: 'sqlite', engine: 'sqlite' })?.split(' ')[0],
    ).toSorted();
  const times = (kind: string, count: number) => Array<string>(count).fill(kind);
  expect(kindsOf('first-purchase')).toEqual([...times('INSERT', 2), ...times('SELECT', 6), ...times('UPDATE', 2)]);
  expect(kindsOf('second-purchase')).toEqual([...times('INSERT', 1), ...times('SELECT', 8), ...times('UPDATE', 1)]);
});

test('users are 850 : 200 : 200, each purchase does all of its statements, and the books balance', async () => {
  const result = await run(onePass);
  expect(result).toMatchObject({ status: 'ok', error: null, totals: { errors: {} } });
  expect(result.checks?.map(({ found }) => found?.count)).toEqual([0, 0, 0]);
  const calls = callsOf(result);
  expect(calls).toMatchObject({ buyer: 17, clerk: 4, analyst: 4, inventory: 4, turnover: 4, receipt: 17 });
  const inPurchases = result.statements!.filter(
    ({ name, kind }) => kind === 'statement' && !['receipt', 'inventory', 'turnover'].includes(name),
  );
  expect(inPurchases.reduce((sum, one) => sum + one.calls, 0)).toBe(17 * (10 + 10));
  expect(calls).toMatchObject({ 'first-purchase': 17, 'second-purchase': 17, 'open-sale': 17, take: 34 });
});

test.each([
  [
    'money that a receipt forgets',
    onePass.replace('SET first_cents = first_cents + :amount_cents', 'SET first_cents = first_cents'),
    /^A check does not hold: `operations-add-up-to-receipts` found 17 rows, the first: /,
  ],
  [
    'what is taken and not sold',
    onePass.replace('taken = taken + :pieces', 'taken = taken + :pieces + 1'),
    /`what-was-taken-was-sold` found \d+ rows/,
  ],
  [
    'stock below zero, where nobody looks before taking',
    onePass.replace(' AND quantity >= :pieces', '').replace('min: 100, max: 1000', 'min: 0, max: 0'),
    /`stock-is-never-negative` found \d+ rows/,
  ],
])('a mix fails with %s', async (_, yaml, message) => {
  expect(yaml).not.toBe(onePass);
  expect(await run(yaml)).toMatchObject({
    status: 'failed',
    error: { kind: 'wrongResult', message: expect.stringMatching(message) },
  });
});

test('a shelf with too little ends a buyer’s pass, and leaves nothing behind', async () => {
  const result = await run(onePass.replace('min: 100, max: 1000', 'min: 2, max: 2'));
  expect(result.checks?.map(({ found }) => found?.count)).toEqual([0, 0, 0]);
  expect(Object.keys(result.totals.errors)).toEqual(['wrongResult']);
  const calls = callsOf(result);
  expect(calls).toMatchObject({ buyer: 17, receipt: 17 });
  expect(calls['open-sale']).toBeGreaterThan(calls['begin-receipt']!);
});
