import { readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { requestOf } from '#model/statements/json-request.ts';
import { runOnce } from '#orchestrator/run/run.fixture.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { keeping, sharedHome } from './shared-home.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const file = readFileSync(new URL('../../experiments/retail-mix.dyno.yaml', import.meta.url), 'utf8');

/** 25 users, each with time for exactly one pass on any machine. */
const onePass = applyOverrides(
  readYaml(
    file
      .replaceAll(/thinkMs: \{[^}]*\}/g, 'thinkMs: 0')
      .replace(', receipt]', ', receipt, { thinkMs: 3600000, thinkTime: constant }]')
      .replaceAll(/steps: \[\{ thinkMs: 0 \}, (\w+)\]/g, 'steps: [$1, { thinkMs: 3600000, thinkTime: constant }]'),
  ),
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
).text;

const callsOf = ({ statements = [] }: TrialResult) =>
  Object.fromEntries(statements.map(({ name, calls }) => [name, calls]));

/** For SQL the first word of a text, for RavenDB the kind of its request. */
const kindOf = (text: string): string =>
  ({ PUT: 'INSERT', PATCH: 'UPDATE' })[String(requestOf(text)?.body.Type)] ??
  /^(INSERT|UPDATE)/.exec(text)?.[0] ??
  'SELECT';

test.each(['sqlite', 'ravendb'])('purchases have the published numbers of statements on %s', (engine) => {
  const { experiment } = parseFile(file);
  const { statements = {}, transactions = {} } = experiment!;
  const kindsOf = (transaction: string) =>
    transactions[transaction]!.steps.map((step) =>
      kindOf(textFor(statements[String(step)]!.text, { target: engine, engine })!),
    ).toSorted();
  const times = (kind: string, count: number) => Array<string>(count).fill(kind);
  expect(kindsOf('first-purchase')).toEqual([...times('INSERT', 2), ...times('SELECT', 6), ...times('UPDATE', 2)]);
  expect(kindsOf('second-purchase')).toEqual([...times('INSERT', 1), ...times('SELECT', 8), ...times('UPDATE', 1)]);
});

/** Ways to break the mix, and the check that finds each. */
const breaks = [
  {
    what: 'money that a receipt forgets',
    change: (mix: string) =>
      mix
        .replace('SET first_cents = first_cents + :amount_cents', 'SET first_cents = first_cents')
        .replace('this.first_cents += args.cents', ''),
    check: 'operations-add-up-to-receipts',
  },
  {
    what: 'what is taken and not sold',
    change: (mix: string) =>
      mix
        .replace('taken = taken + :pieces', 'taken = taken + :pieces + 1')
        .replace('this.taken += args.pieces', 'this.taken += args.pieces + 1'),
    check: 'what-was-taken-was-sold',
  },
  {
    what: 'stock below zero, where nobody looks before taking',
    change: (mix: string) =>
      mix
        .replace(' AND quantity >= :pieces', '')
        .replace('this.quantity < args.pieces', 'false')
        .replace('min: 100, max: 1000', 'min: 0, max: 0'),
    check: 'stock-is-never-negative',
  },
];

/**
 * `seconds`: enough for a pass of every user; `few`: for passes of some; `refused`: the error of a buyer if stock is
 * too low.
 */
const targets = [
  { target: 'sqlite', seconds: 3, few: 1, refused: 'wrongResult' },
  { target: 'local-ravendb', seconds: 12, few: 4, refused: 'constraint' },
].filter(({ target }) => !isSkipped(target.replace('local-', '')));

describe.each(smokeOf(targets))('on $target', ({ target, seconds, few, refused }) => {
  const home = sharedHome(keeping(target));

  const run = async (yaml: string, forSeconds = seconds) => {
    const here = applyOverrides(readYaml(yaml), [`targets=${target}`, `measure.stages=[{ seconds: ${forSeconds} }]`]);
    return (await runOnce(here.text, home.home)).result;
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

  // One run breaks the mix in all ways on engines that compile indexes for each run.
  const runs = target === 'sqlite' ? breaks.map((one) => [one]) : [breaks];
  test.each(runs.map((broken) => ({ broken, what: broken.map(({ what }) => what).join(' and ') })))(
    'a mix fails with $what',
    async ({ broken }) => {
      const result = await run(
        broken.reduce((mix, { change }) => change(mix), onePass),
        few,
      );
      expect(result).toMatchObject({ status: 'failed', error: { kind: 'wrongResult' } });
      for (const { change, check } of broken) {
        expect(change(onePass)).not.toBe(onePass);
        expect(result.error?.message).toMatch(new RegExp(`“${check}” found [1-9][\\d\\s]* rows?, the first: `));
      }
    },
  );

  test('a shelf with too little ends a buyer’s pass, and leaves nothing behind', async () => {
    const result = await run(onePass.replace('min: 100, max: 1000', 'min: 2, max: 2'));
    expect(result.checks?.map(({ found }) => found?.count)).toEqual([0, 0, 0]);
    expect(Object.keys(result.totals.errors)).toEqual([refused]);
    const calls = callsOf(result);
    expect(calls).toMatchObject({ buyer: 17, receipt: 17 });
    expect(calls['open-sale']).toBeGreaterThan(calls['first-purchase']!);
  });
});
