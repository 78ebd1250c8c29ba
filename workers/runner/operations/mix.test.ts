import { describe, expect, test } from 'vitest';
import type { Caller } from '#engine-api/operation.ts';
import { planTexts, unknownStep } from '#engine-api/query-plan.ts';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MixItem, MixStatement, StatementMix } from '#model/statements/statements.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Phase } from '../loop/phase.ts';
import { numberRange } from '../workload/numbering.ts';
import { planMix } from './mix.ts';
import { createMixMaker } from './mix-maker.ts';
import { wrongRows } from './mix-steps.ts';
import { planItems } from './plan-items.ts';
import { createTableKeys } from './table-keys.ts';

const dataset = { rows: 100, seed: 1, key: 'id', columns: { id: { type: 'sequence', start: 1, nulls: 0 } } } as const;
const table = { name: 't', columns: [], key: null, options: {} };
const tables = { table: { table, dataset: { ...dataset }, rows: 100 } };
const number = { type: 'integer', min: 0, max: 1_000_000, nulls: 0 } as const;
const statement = (name: string, more: Partial<MixStatement> = {}): MixStatement => ({
  name,
  text: name,
  own: { specs: { own: number }, lists: {} },
  expectRows: null,
  isRead: false,
  ...more,
});
const single = (name: string, step: number, weight: number): MixItem => ({
  name,
  weight,
  steps: [step],
  transaction: null,
});

/**
 * A session that answers `rows(text)` and notes what it is asked, with the values of parameters. `failing`: begin,
 * commit or rollback, where it fails.
 */
function fakeSession(rows: (text: string) => number | null, failing: readonly string[] = []) {
  const asked: string[] = [];
  /** The parameter types that calls with captured values were given. */
  const declarations: string[] = [];
  const note = (what: string) => async () => {
    asked.push(what);
    if (failing.includes(what)) throw new DynoError('timeout', `${what} had no answer.`);
  };
  const session = {
    begin: note('begin'),
    commit: note('commit'),
    rollback: note('rollback'),
    prepareStatement: async ({ text }: { readonly text: string }): Promise<CustomStatement> => {
      const run = async (call: unknown) => {
        asked.push(`${text} ${(call as number[]).join(' ')}`.trim());
        return rows(text);
      };
      return {
        encode({ columns }, declared) {
          if (declared) declarations.push(`${text} ${declared.join()}`);
          return columns.map((column) => (column.kind === 'number' ? column.values[0] : null));
        },
        run,
        async answer(call) {
          const count = await run(call);
          const answered = [[String((call as number[])[0]! + 1)]];
          return { count, read: () => ({ columns: ['n'], rows: answered, declared: ['column n'], count }) };
        },
        show: async () => ({ columns: [], rows: [], count: 0 }),
        explain: async () => '',
      };
    },
  } as unknown as Session;
  return { session, asked, declarations };
}

/** The same session, whose calls can be started: it makes no promises of them. */
function startable(session: Session): Session {
  const late =
    <R>({ answered, failed }: Caller<R>) =>
    (promise: Promise<R>) =>
      void promise.then(answered, failed);
  return {
    ...session,
    transact: (step, caller) => late(caller)((async () => session[step]())().then(() => 0)),
    async prepareStatement(plan) {
      const { run, ...own } = await session.prepareStatement!(plan);
      return {
        ...own,
        start: (call, caller) => late(caller)((async () => run(call))()),
        run() {
          throw new DynoError('internal', 'It was to be started.');
        },
      };
    },
  };
}

/** Runs calls of a mix, and the same ones where they are started, which has to come to the same. */
async function run(
  mix: StatementMix,
  calls: number,
  rows: (text: string) => number | null = () => 1,
  failing: readonly string[] = [],
) {
  const promises = await runOn(mix, calls, fakeSession(rows, failing));
  const fake = fakeSession(rows, failing);
  const started = await runOn(mix, calls, { ...fake, session: startable(fake.session) });
  const withoutTimes = ({ counts, ...rest }: typeof promises) => ({
    ...rest,
    counts: counts.map(({ name, kind, calls: done, rows: touched, errors }) => ({ name, kind, done, touched, errors })),
  });
  expect(withoutTimes(started)).toEqual(withoutTimes(promises));
  return promises;
}

const job = {
  tables,
  connections: 1,
  loadedRows: 100,
  settings: { ...defaultSettings, operation: 'statement' as const },
  table,
  trialSeed: 7,
  worker: 0,
  measure: {},
};

async function runOn(
  mix: StatementMix,
  calls: number,
  { session, asked, declarations }: ReturnType<typeof fakeSession>,
) {
  const phase = new Phase(60);
  const planned = planMix(job, mix, { phase });
  const operation = await planned.prepare(session, toErrorData);
  const errors: string[] = [];
  for (let call = 0; call < calls; call++) {
    const batch = planned.maker.make(numberRange(0, calls, 1), call, 1, null);
    try {
      const call = operation.encode(batch);
      const { start } = operation;
      if (start) await new Promise<number>((answered, failed) => start(call, { answered, failed }));
      else await operation.run(call);
    } catch (thrown) {
      errors.push(toErrorData(thrown).kind);
    }
  }
  return { counts: planned.counters.toData(), commits: phase.counts.commits, asked, declarations, errors };
}

test('statements are drawn by their weights, the same ones each time', async () => {
  const mix = { statements: [statement('a'), statement('b')], items: [single('a', 0, 3), single('b', 1, 1)] };
  const [one, two] = [await run(mix, 2_000), await run(mix, 2_000)];
  expect(one.asked).toEqual(two.asked);
  const [a, b] = one.counts;
  expect(a!.calls + b!.calls).toBe(2_000);
  expect(a!.calls / 2_000).toBeCloseTo(0.75, 1);
  expect(new Set(one.asked).size, 'values of their own').toBeGreaterThan(1_900);
  expect(one.commits).toBe(2_000);
});

test('a plan has the statement as the file writes it, without the values of the call', async () => {
  const { session } = fakeSession(() => 1);
  const explaining = {
    ...session,
    prepareStatement: async (plan: StatementPlan) => ({
      ...(await session.prepareStatement!(plan)),
      queryPlan: async () => ({
        ...{ command: 'EXPLAIN', executed: false, steps: [{ ...unknownStep, operator: 'SCAN' }] },
        ...planTexts('SELECT * FROM people WHERE name = 17', null),
      }),
    }),
  };
  const mix = { statements: [statement('look-up', { isRead: true })], items: [single('look-up', 0, 1)] };
  const operation = await planMix(job, mix, { phase: new Phase(60) }).prepare(explaining, toErrorData);
  const plans = await operation.queryPlans(99, { toError: toErrorData, cancel: async () => {} });
  expect(plans).toMatchObject([{ statement: 'look-up', plan: { text: 'look-up' }, reason: null }]);
});

test('rows that the server does not count are neither right nor wrong, and the number of such calls is reported', async () => {
  const expectRows = { min: 1, max: 1 };
  const mix = {
    statements: [statement('a', { expectRows }), statement('b')],
    items: [single('a', 0, 1), { ...single('ab', 0, 1), steps: [0, 1], transaction: { specs: {}, lists: {} } }],
  };
  const { counts, errors } = await run(mix, 6, (text) => (text === 'a' ? null : 1));
  expect(errors).toEqual([]);
  expect(counts).toMatchObject([{ name: 'a', calls: 6, rows: 0, uncounted: 6 }, { name: 'b' }, { name: 'ab' }]);
  expect(counts[1]).not.toHaveProperty('uncounted');
});

test('other rows than expected are errors of that statement, and counted', async () => {
  const expectRows = { min: 1, max: 1 };
  const mix = { statements: [statement('a', { expectRows, isRead: true })], items: [single('a', 0, 1)] };
  const { counts, errors, commits } = await run(mix, 5, () => 2);
  expect(errors).toEqual(Array(5).fill('wrongResult'));
  expect(counts).toMatchObject([{ name: 'a', calls: 0, errors: { wrongResult: 5 } }]);
  expect(commits).toBe(0);
  expect(wrongRows(mix.statements[0]!, 2)?.message).toBe('“a” returned 2 rows; 1 expected.');
  expect(wrongRows(statement('b', { expectRows }), 0)?.message).toBe('“b” touched 0 rows; 1 expected.');
});

test('a transaction shares its values, and is rolled back with the first error', async () => {
  const transfer: MixItem = {
    name: 'transfer',
    weight: 1,
    steps: [0, 1],
    transaction: { specs: { amount: number }, lists: {} },
  };
  const statements = [
    statement('take', { own: { specs: {}, lists: {} } }),
    statement('give', { own: { specs: {}, lists: {} } }),
  ];
  const good = await run({ statements, items: [transfer] }, 1);
  const [begin, take, give, commit] = good.asked;
  expect([begin, commit]).toEqual(['begin', 'commit']);
  expect(take!.split(' ')[1]).toBe(give!.split(' ')[1]);
  expect(good.counts.map(({ name, kind, calls }) => [name, kind, calls])).toEqual([
    ['take', 'statement', 1],
    ['give', 'statement', 1],
    ['transfer', 'transaction', 1],
  ]);
  expect(good.commits).toBe(1);

  const bad = await run({ statements, items: [transfer] }, 1, (text) => {
    if (text === 'give') throw new DynoError('deadlock', 'Two met.', { retryable: true });
    return 1;
  });
  expect(bad.asked.map((one) => one.split(' ')[0])).toEqual(['begin', 'take', 'give', 'rollback']);
  expect(bad.errors).toEqual(['deadlock']);
  expect(bad.counts).toMatchObject([{ calls: 1 }, { errors: { deadlock: 1 } }, { calls: 0, errors: { deadlock: 1 } }]);
  expect(bad.commits).toBe(0);
});

test.each([
  { failing: ['begin'], asked: ['begin'], statements: 0 },
  { failing: ['commit'], asked: ['begin', 'a', 'commit', 'rollback'], statements: 1 },
  { failing: ['commit', 'rollback'], asked: ['begin', 'a', 'commit', 'rollback'], statements: 1 },
])('where $failing fails, that is the error of the transaction', async ({ failing, asked, statements }) => {
  const nothing = { specs: {}, lists: {} };
  const items: MixItem[] = [{ name: 't', weight: 1, steps: [0], transaction: nothing }];
  const ran = await run({ statements: [statement('a', { own: nothing })], items }, 2, () => 1, failing);
  expect(ran.asked).toEqual([...asked, ...asked]);
  expect(ran.errors).toEqual(['timeout', 'timeout']);
  expect(ran.counts).toMatchObject([{ calls: 2 * statements }, { calls: 0, errors: { timeout: 2 } }]);
  expect(ran.commits).toBe(0);
});

test('keys are of rows that are there, lists give their values', async () => {
  const own = {
    specs: { id: { type: 'key' }, from_list: { type: 'csv', file: 'x.csv', column: 'y' } },
    lists: { from_list: { as: 'integer', values: ['5', '6'] } },
  } as const;
  const { asked } = await run({ statements: [statement('a', { own })], items: [single('a', 0, 1)] }, 300);
  const values = asked.map((one) => one.split(' ').slice(1).map(Number));
  expect(values.every(([key]) => key! >= 1 && key! <= 100)).toBe(true);
  expect(new Set(values.map(([, value]) => value))).toEqual(new Set([5, 6]));
});

describe('rows of a file', () => {
  const size = 20;
  const csv = (column: string, row?: string) =>
    ({ type: 'csv', file: 'x.csv', column, ...(row !== undefined && { row }) }) as const;
  /** The n-th value of each list is n + an offset. */
  const list = (offset: number, source = 'x.csv') =>
    ({ as: 'integer', values: Array.from({ length: size }, (_, n) => String(n + offset)), source }) as const;
  const valuesOf = (asked: readonly string[], name: string) =>
    asked.filter((one) => one.startsWith(`${name} `)).map((one) => one.split(' ').slice(1).map(Number));

  test('parameters of one statement have the values of one row, and all rows are drawn', async () => {
    const own = {
      specs: { a: csv('a'), b: csv('b'), other: csv('a', 'other') },
      lists: { a: list(0), b: list(100), other: list(0, 'other x.csv') },
    };
    const { asked } = await run({ statements: [statement('s', { own })], items: [single('s', 0, 1)] }, 500);
    const rows = valuesOf(asked, 's');
    expect(rows).toHaveLength(500);
    expect(rows.every(([a, b]) => b === a! + 100)).toBe(true);
    expect(new Set(rows.map(([a]) => a)).size).toBe(size);
    expect(rows.some(([a, , other]) => a !== other)).toBe(true);
  });

  test('a statement takes the row that its transaction has drawn; statements that share none draw by themselves', async () => {
    const at = (name: string, offset: number) =>
      statement(name, { own: { specs: { b: csv('b') }, lists: { b: list(offset) } } });
    const statements = [at('s', 100), at('t', 200)];
    const item = (shared: MixItem['transaction']): MixItem => ({
      name: 'both',
      weight: 1,
      steps: [0, { steps: [1], otherwise: [], least: 2, most: 2, probability: 1, scope: { specs: {}, lists: {} } }],
      transaction: shared,
    });
    const shared = await run({ statements, items: [item({ specs: { a: csv('a') }, lists: { a: list(0) } })] }, 100);
    const [s, t] = ['s', 't'].map((name) => valuesOf(shared.asked, name));
    expect(s!.every(([a, b]) => b === a! + 100)).toBe(true);
    expect(t!.every(([a, b]) => b === a! + 200)).toBe(true);
    for (const [n, [a]] of s!.entries()) expect([t![2 * n]![0], t![2 * n + 1]![0]]).toEqual([a, a]);
    const apart = await run({ statements, items: [item({ specs: {}, lists: {} })] }, 100);
    const [x, y] = ['s', 't'].map((name) => valuesOf(apart.asked, name).map(([b]) => b! % 100));
    expect(x!.some((row, n) => row !== y![2 * n])).toBe(true);
  });
});

test('a stage has weights of its own, and a call that is made anew keeps those with which it was made first', () => {
  const mix = { statements: [statement('a'), statement('b')], items: [single('a', 0, 1), single('b', 1, 1)] };
  const keys = createTableKeys(tables, defaultSettings, 0);
  let stage = -1;
  const weights = [{ a: 0 }, { b: 0 }, {}];
  const maker = createMixMaker(planItems(mix, 7, keys, defaultSettings), 7, { weights, current: () => stage });
  const numbering = numberRange(0, 10_000, 1);
  const chosen = (call: number): number => {
    const [choice] = maker.make(numbering, call, 1, null).columns;
    return choice?.kind === 'number' ? choice.values[0]! : Number.NaN;
  };
  const share = (from: number) =>
    Array.from({ length: 1_000 }, (_, i) => chosen(from + i)).filter((item) => item === 1).length;
  expect(share(0)).toBeGreaterThan(400);
  stage = 0;
  expect(share(1_000)).toBe(1_000);
  stage = 1;
  expect(share(2_000)).toBe(0);
  expect(share(1_000)).toBe(1_000);
  stage = 2;
  expect(share(3_000)).toBeLessThan(600);
});

describe('steps of a transaction', () => {
  const none = { specs: {}, lists: {} };
  const plain = (name: string) => statement(name, { own: none });
  const transaction = (steps: MixItem['steps'], specs: MixItem['transaction'] = none): MixItem => ({
    name: 't',
    weight: 1,
    steps,
    transaction: specs,
  });
  const names = (asked: readonly string[]) => asked.map((one) => one.split(' ')[0]!);

  test('a block is repeated between its least and its most, and draws its values anew each time', async () => {
    const block = {
      steps: [0, 1],
      otherwise: [],
      least: 2,
      most: 5,
      probability: 1,
      scope: { specs: { x: number }, lists: {} },
    };
    const { asked } = await run({ statements: [plain('a'), plain('b')], items: [transaction([block])] }, 400);
    const units = asked.join('\n').split('commit').slice(0, -1);
    const lengths = units.map((unit) => unit.match(/^a /gm)!.length);
    expect([...new Set(lengths)].sort()).toEqual([2, 3, 4, 5]);
    for (const length of [2, 3, 4, 5]) expect(lengths.filter((one) => one === length).length).toBeGreaterThan(60);
    for (const unit of units.slice(0, 20)) {
      const pairs = unit
        .trim()
        .split('\n')
        .filter((line) => /^[ab] /.test(line))
        .map((line) => line.split(' ')[1]);
      for (let i = 0; i < pairs.length; i += 2) expect(pairs[i], 'a and b share').toBe(pairs[i + 1]);
      expect(new Set(pairs).size, 'each repetition has its own').toBe(pairs.length / 2);
    }
  });

  test('what has a probability is done as often as that, and the other steps otherwise', async () => {
    const block = { steps: [0], otherwise: [1], least: 1, most: 1, probability: 0.2, scope: none };
    const { asked } = await run({ statements: [plain('a'), plain('b')], items: [transaction([block])] }, 2_000);
    const all = names(asked);
    const a = all.filter((name) => name === 'a').length;
    expect(a).toBeGreaterThan(320);
    expect(a).toBeLessThan(480);
    expect(all.filter((name) => name === 'b').length).toBe(2_000 - a);
  });

  test('a value is captured from an answer, in the repetition that it belongs to', async () => {
    const spec = { type: 'captured', from: 'a', column: 'N', as: 'integer', scale: 2 } as const;
    const block = {
      steps: [0, 1],
      otherwise: [],
      least: 3,
      most: 3,
      probability: 1,
      scope: { specs: { n: spec, x: number }, lists: {} },
    };
    const mix = { statements: [plain('a'), plain('b')], items: [transaction([block])] };
    const { asked, declarations } = await run(mix, 5);
    const b = asked.filter((one) => one.startsWith('b ')).map((one) => one.split(' ').slice(1).map(Number));
    expect(b).toHaveLength(15);
    // The fake session answers with the value of the other parameter, plus one.
    for (const [x, n] of b) expect(n).toBe(x! + 1);
    expect(declarations, 'and with it what the answer says of its column').toEqual(Array(15).fill('b ,column n'));
  });

  test('what cannot be captured is an error of the statement that should have returned it', async () => {
    const spec = { type: 'captured', from: 'a', column: 'other', as: 'integer', scale: 2 } as const;
    const { asked, errors, counts } = await run(
      {
        statements: [plain('a'), plain('b')],
        items: [transaction([0, 1], { specs: { n: spec, x: number }, lists: {} })],
      },
      1,
    );
    expect(names(asked)).toEqual(['begin', 'a', 'rollback']);
    expect(errors).toEqual(['wrongResult']);
    expect(counts).toMatchObject([{ name: 'a', errors: { wrongResult: 1 } }, { name: 'b' }, { name: 't' }]);
  });

  test('a think time passes between two steps, and is in the time of the transaction alone', async () => {
    const pause = { thinkMs: { from: 40, to: 50 }, thinkTime: 'constant' } as const;
    const { counts } = await run({ statements: [plain('a')], items: [transaction([pause, 0])] }, 2);
    const slowest = ({ service }: { readonly service: string }) => Histogram.decode(service).percentile(100) / 1e6;
    expect(slowest(counts[1]!)).toBeGreaterThanOrEqual(39);
    expect(slowest(counts[0]!)).toBeLessThan(39);
  });

  test('statements of an untaken branch need no values', async () => {
    const block = {
      steps: [0],
      otherwise: [],
      least: 1,
      most: 1,
      probability: 0,
      scope: { specs: { k: { type: 'text', length: 5, alphabet: 'letters', nulls: 0 } as const }, lists: {} },
    };
    const { asked } = await run({ statements: [plain('a'), plain('b')], items: [transaction([block, 1])] }, 3);
    expect(names(asked)).toEqual(Array(3).fill(['begin', 'b', 'commit']).flat());
  });
});
