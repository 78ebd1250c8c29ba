import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { requestOf } from '#model/statements/json-request.ts';
import { runOnce } from '#orchestrator/run/run.fixture.ts';
import { checkExperiment } from '#planning/check-experiment.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { testHome } from './home.fixture.ts';

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
    'baseline=',
    'tables.stores.rows=2',
    'tables.stock.rows=2000',
    'tables.sales.rows=500',
    'tables.sale_operations.rows=1000',
    'workload.users=25',
    'workload.connections=2',
    'measure.repeats=1',
    'measure.warmupSeconds=0',
  ],
);

const callsOf = ({ statements = [] }: TrialResult) =>
  Object.fromEntries(statements.map(({ name, calls }) => [name, calls]));

/** A text of SQL by its first word; of RavenDB what its request comes to. */
const kindOf = (text: string): string =>
  ({ PUT: 'INSERT', PATCH: 'UPDATE' })[String(requestOf(text)?.body.Type)] ??
  /^(INSERT|UPDATE)/.exec(text)?.[0] ??
  'SELECT';

test.each(['sqlite', 'ravendb'])('purchases have the published numbers of statements on %s', (engine) => {
  const { experiment } = checkExperiment(
    file,
    catalog.map(({ descriptor }) => descriptor),
  );
  const { statements = {}, transactions = {} } = experiment!;
  const kindsOf = (transaction: string) =>
    transactions[transaction]!.steps.map((step) =>
      kindOf(textFor(statements[String(step)]!.text, { target: engine, engine })!),
    ).toSorted();
  const times = (kind: string, count: number) => Array<string>(count).fill(kind);
  expect(kindsOf('first-purchase')).toEqual([...times('INSERT', 2), ...times('SELECT', 6), ...times('UPDATE', 2)]);
  expect(kindsOf('second-purchase')).toEqual([...times('INSERT', 1), ...times('SELECT', 8), ...times('UPDATE', 1)]);
});

/** `seconds`: enough for a pass of every user; `refused`: the error of a buyer where there is too little. */
const targets = [
  { target: 'sqlite', seconds: 3, refused: 'wrongResult' },
  { target: 'local-ravendb', seconds: 12, refused: 'constraint' },
].filter(({ target }) => !isSkipped(target.replace('local-', '')));

describe.each(targets)('on $target', ({ target, seconds, refused }) => {
  // One home: its server is started once.
  let home: ReturnType<typeof testHome>;
  beforeAll(() => {
    home = testHome();
  });
  afterAll(() => home[Symbol.asyncDispose](), 60_000);

  const run = async (yaml: string) => {
    const here = applyOverrides(yaml, [`targets=${target}`, `measure.stages=[{ seconds: ${seconds} }]`]);
    return (await runOnce(here, home.home)).result;
  };

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
      onePass
        .replace('SET first_cents = first_cents + :amount_cents', 'SET first_cents = first_cents')
        .replace('this.first_cents += args.cents', ''),
      /^A check does not hold: `operations-add-up-to-receipts` found 17 rows, the first: /,
    ],
    [
      'what is taken and not sold',
      onePass
        .replace('taken = taken + :pieces', 'taken = taken + :pieces + 1')
        .replace('this.taken += args.pieces', 'this.taken += args.pieces + 1'),
      /`what-was-taken-was-sold` found [\d\s]+ rows/,
    ],
    [
      'stock below zero, where nobody looks before taking',
      onePass
        .replace(' AND quantity >= :pieces', '')
        .replace('this.quantity < args.pieces', 'false')
        .replace('min: 100, max: 1000', 'min: 0, max: 0'),
      /`stock-is-never-negative` found [\d\s]+ rows/,
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
    expect(Object.keys(result.totals.errors)).toEqual([refused]);
    const calls = callsOf(result);
    expect(calls).toMatchObject({ buyer: 17, receipt: 17 });
    expect(calls['open-sale']).toBeGreaterThan(calls['first-purchase']!);
  });
});
