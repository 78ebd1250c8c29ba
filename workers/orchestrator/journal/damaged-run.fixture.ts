import { madeAdvice } from '#analysis/advise/advice.fixture.ts';
import { machineUseOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { hostFactsOf, hostSecondOf } from '#analysis/server/host-seconds.fixture.ts';
import { planned, step } from '#analysis/server/query-plans.fixture.ts';
import { withServerEvents } from '#analysis/server/server-events.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { CallCounts, LoadCounts, StatementCounts, TrialWaits } from '#protocol/measurement.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Sfc32 } from '#stats/random/random.ts';

/** Damage that a run file may take, seeded, for tests only. The same file and seed give the same damage. */

/** The text cut at regular distances in bytes, and at every end of a line. */
export function* cuts(text: string, everyBytes: number): Generator<string> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++)
    if (at % everyBytes === 0 || bytes[at] === 0x0a || bytes[at - 1] === 0x0a) yield bytes.subarray(0, at).toString();
}

/** The text with one inverted bit, this many times. */
export function* flips(text: string, times: number, seed: number): Generator<string> {
  const random = new Sfc32(seed);
  for (let time = 0; time < times; time++) {
    const bytes = Buffer.from(text);
    const at = random.below(bytes.length);
    bytes[at] = bytes[at]! ^ (1 << random.below(8));
    yield bytes.toString();
  }
}

/** Text in a run file that a page could take for markup. It occurs in no program of Dyno. */
export const evilMarkup = '<meta http-equiv=refresh content=0>';

export const hostileValues: readonly unknown[] = [
  null,
  evilMarkup,
  '\u001b[2J',
  '=cmd|calc',
  -1,
  0,
  0.5,
  1e9,
  1e308,
  'NaN',
  true,
  [],
  {},
  { markup: evilMarkup },
  'x'.repeat(20_000),
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":1}'),
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Every place of a value that is neither a list nor an object, as the keys that lead to it. */
function leavesOf(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one as Json, [...path, key]));
}

function changed(value: Json, [key, ...rest]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = changed(copy[key] as Json, rest, to);
  return copy;
}

/** A line of a run in which one value is replaced. */
interface ChangedLine {
  readonly what: string;
  /** Number of the line, from 0. */
  readonly at: number;
  readonly line: string;
}

/** Each leaf of one record of each shape in turn, changed to each of the values. */
export function* changedLeaves(text: string, values: readonly unknown[]): Generator<ChangedLine> {
  const lines = text.split('\n').slice(0, -1);
  const known = new Set<string>();
  for (const [i, line] of lines.entries()) {
    const record = JSON.parse(line) as { readonly [key: string]: Json };
    for (const path of leavesOf(record)) {
      // The first of several problems of the same shape represents the others.
      const shape = `${String(record.record)} ${path.map((key) => (/^\d+$/.test(key) ? '#' : key)).join('.')}`;
      if (known.has(shape)) continue;
      known.add(shape);
      for (const value of values)
        yield {
          what: `${shape} = ${JSON.stringify(value).slice(0, 60)}`,
          at: i,
          line: JSON.stringify(changed(record, path, value)),
        };
    }
  }
}

const encoded = (ms: number): string => {
  const histogram = new Histogram();
  for (let i = 0; i < 20; i++) histogram.recordMany(ms * 1e6 * (1 + i / 10), 150);
  return histogram.encode();
};

const load: LoadCounts = {
  arrivals: 3_000,
  ended: 3_000,
  failed: 1,
  afterwards: 2,
  unfinished: 1,
  responseMs: 9_000,
  thinkMs: 10,
  waiting: 3,
  response: encoded(3),
  sinceStart: encoded(2.9),
  startError: encoded(0.1),
  wait: encoded(1),
};

const statement: StatementCounts = {
  name: 'find',
  kind: 'statement',
  calls: 3_000,
  rows: 3_000,
  errors: { timeout: 1 },
  service: encoded(2),
  response: encoded(3),
  sinceStart: encoded(2.9),
  failed: encoded(9),
};

const scan = {
  kind: 'fullScan',
  table: 'table',
  estimatedRows: 10,
  actualRows: 3_000,
  examinedRows: 4_000,
  loops: 1,
  cost: 12.5,
  spilled: false,
  filter: 'a > 1',
  details: ['Heap Fetches: 1'],
} as const;
const queryPlans: readonly AskedPlan[] = [
  planned('find', step('Sort', { kind: 'sort', spilled: true }), step('Scan', { ...scan, depth: 1, index: 'table_a' })),
  { statement: 'change', plan: null, reason: 'The server gives none.' },
];

const waits: TrialWaits = {
  totalMs: 40,
  kinds: 3,
  most: [
    {
      name: 'direct path read temp',
      class: 'User I/O',
      count: 40,
      totalMs: 30,
      longestMs: 2,
      isBound: true,
      buckets: [
        [0.512, 30],
        [2.048, 10],
      ],
    },
    { name: 'log file sync', class: 'Commit', count: 4, totalMs: 9, longestMs: 5 },
  ],
};

const full = (counts: CallCounts): CallCounts => ({
  ...counts,
  service: encoded(2),
  errors: { deadlock: 2 },
  retries: 2,
  gaveUp: 1,
  lostMs: 12,
  failed: encoded(5),
  commit: encoded(2),
  connecting: { opened: encoded(3), failed: 1, endMs: 1, openMs: 6, prepareMs: 1 },
  load,
});

const seconds = 4;

const loadHosts = [
  { name: 'load1', firstWorker: 0, workers: 1, cores: 4, processorsBusy: 0.5, clockErrorMs: 0.2, roundTripMs: 0.4 },
];

const limited = {
  group: { limitCores: 2, throttledMsPerSecond: 20, memoryLimitBytes: 2 ** 32, memoryBytes: 2 ** 31 },
};

/** A short run whose records contain every member that any record has. */
export function fullRun(): string {
  const records = withServerEvents(fixtureJournal({ connections: [1], repeats: 2 }), 'PostgreSQL', 0.2);
  return [...records]
    .flatMap(shortened)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');
}

function shortened(record: JournalRecord): readonly JournalRecord[] {
  switch (record.record) {
    case 'header':
      return [{ ...record, plan: richPlan(record.plan) }];
    case 'trial':
      return [
        record,
        { record: 'queryPlans', trial: record.trial.number, when: 'warm', plans: queryPlans },
        { record: 'loadHosts', trial: record.trial.number, atMs: 0, hosts: loadHosts },
        {
          ...{ record: 'hosts', trial: record.trial.number },
          hosts: [hostFactsOf()],
          unmeasured: [{ target: record.trial.target, why: 'elsewhere' }],
        },
        ...[1_000, 2_000].map(
          (atMs): JournalRecord => ({
            ...{ record: 'hostSecond', trial: record.trial.number, host: 'local', atMs },
            second: hostSecondOf(limited),
          }),
        ),
      ];
    case 'snapshot': {
      const { snapshot } = record;
      return snapshot.atMs > seconds * 1_000
        ? []
        : [{ ...record, snapshot: { ...snapshot, counts: full(snapshot.counts) } }];
    }
    case 'probe':
      return record.atMs > seconds * 1_000
        ? []
        : [{ ...record, sample: { ...record.sample, optional: ['More with a right.'] } }];
    case 'result': {
      const { result } = record;
      const network = { intended: encoded(5), added: encoded(6), sentBytes: 1e6, receivedBytes: 1e6, utilisation: 0.1 };
      const error = {
        kind: 'timeout',
        code: 'X',
        message: 'It took too long.',
        hint: 'Wait.',
        retryable: true,
      } as const;
      const more = {
        apartMs: 1,
        network,
        machine: machineUseOf({
          limitCores: 2,
          throttledMs: 5,
          others: [{ name: 'top', processes: 1, pid: 9, cpuMs: 900 }],
        }),
        checks: [{ name: 'sums', found: { columns: ['a'], rows: [['1']], count: 1 } }],
        answers: [
          {
            ...{
              statement: 'find',
              baseline: result.variant,
              outcome: 'differ' as const,
              draws: 1,
              why: 'it returned no row',
            },
            difference: {
              parameters: [{ name: 'day', value: '3' }],
              digests: { baseline: '0123456789abcdef', own: 'fedcba9876543210' },
              rows: { columns: ['a'], pairs: [{ baseline: ['1'], own: null }] },
            },
          },
        ],
        sessionSettings: { work_mem: '64MB', jit: null },
        serverParameters: { shared_buffers: '1GB', jit: null },
        builds: [{ part: 'key', ms: 12, counted: true }],
        tableLoads: [{ table: 'sales', rows: 10, bytes: 80, ms: 12 }],
        valueBytes: { rows: 10, bytes: 360 },
        pageUse: {
          parts: [{ part: 'key', density: 0.7, outOfOrder: 0.1, freeBytes: 8_192 }],
          why: 'It is not told.',
        },
        indexBytes: [
          { index: 'at', bytes: 8_192 },
          { index: 'words', bytes: null, why: 'It is not told.' },
        ],
        waits,
        perCall: [1, 2].map((ms) => ({ ms, rows: 10, probeDelta: { wal_bytes: 100 } })),
        statements: [statement, { ...statement, name: 'buy', kind: 'transaction' as const }],
        stages: [load, load],
        loadHosts: [
          loadHost,
          { ...loadHost, name: 'load1', firstWorker: 1, clockErrorMs: 0.2, roundTripMs: 0.4, wallClockOffMs: -3 },
        ],
      };
      return [
        {
          ...record,
          result: { ...result, ...more, error: result.number === 2 ? error : null, totals: full(result.totals) },
        },
      ];
    }
    case 'end':
      return [
        {
          record: 'enough',
          at: record.at,
          reason: 'max',
          precision: {
            round: 2,
            relativeMargin: 0.1,
            cells: [
              {
                variant: 'method=bulk connections=1',
                target: 'PostgreSQL',
                of: 'mean',
                time: { work: null, figure: 0.95 },
                halfWidth: 0.2,
              },
            ],
            roundsMore: 3,
          },
        },
        { record: 'sessions', at: record.at, target: 'PostgreSQL', left: 2, tables: ['dyno_0badcafe_1'] },
        { record: 'halted', at: record.at, reason: 'Free space fell below the limit.' },
        record,
        { record: 'advice', at: record.at, advice: madeAdvice },
      ];
    default:
      return [record];
  }
}

const loadHost = {
  name: 'local',
  firstWorker: 0,
  workers: 1,
  connections: 1,
  beganAfterMs: 0.1,
  clockErrorMs: null,
  roundTripMs: null,
  wallClockOffMs: null,
  cores: 2,
  processorsBusy: 0.5,
  eventLoopUtilisation: 0.4,
  clientSaturated: false,
  calls: 100,
  meanServiceMs: 1.5,
};

type Header = Extract<JournalRecord, { readonly record: 'header' }>;

function richPlan(plan: Header['plan']): Header['plan'] {
  const measure = {
    stages: [
      { name: 'ramp', seconds: 2, from: 0, to: 1 },
      { seconds: 2, to: 2 },
    ],
  };
  return {
    ...plan,
    experiment: {
      ...plan.experiment,
      session: { postgres: { work_mem: '64MB', jit: false } },
      about: 'Why.',
      checks: { sums: { text: 'select 1', about: 'Sums agree.' } },
      measure: { ...plan.experiment.measure, ...measure, repeats: { min: 2, max: 2 }, until: { precision: 0.05 } },
      published: [
        { source: 'Somebody', of: 'rate', values: [{ label: 'bulk', levels: { method: 'bulk' }, value: 1_000 }] },
      ],
    },
    measure: { ...plan.measure, ...measure, repeats: { min: 2, max: 2, relativeMargin: 0.05 } },
    variants: plan.variants.map((variant) => ({
      ...variant,
      settings: { ...variant.settings, load: 'open', arrivalsPerSecond: 1_000, networkRoundTripMs: 5 },
    })),
  };
}
