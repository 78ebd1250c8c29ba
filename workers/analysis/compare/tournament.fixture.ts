import { defaultSettings } from '#model/settings/settings.ts';
import { plannedMeasure } from '#planning/planned-measure.ts';
import { formatLevels } from '#planning/variant-of.ts';
import { type JournalRecord, journalVersion } from '#protocol/journal.ts';
import type { ComparedAnswers, TrialResult } from '#protocol/measurement.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { normal } from '#stats/random/samples.fixture.ts';
import {
  aMoment as at,
  countsOf,
  descriptorOf,
  fingerprintOf,
  healthOf,
  resultOf,
  targetOf,
  timesOf,
} from '../run-model/journal-parts.fixture.ts';
import { readRun } from '../run-model/run.fixture.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { planned, step } from '../server/query-plans.fixture.ts';

/** Made-up runs whose levels change the file, only for tests. The same run has the same journal. */

interface MadeChange {
  readonly name: string;
  /** The text of `search` in this level; absent: the file's. */
  readonly text?: string;
  /** The indexes of the table in this level, with their size and the time to build each. */
  readonly indexes?: readonly { readonly name: string; readonly bytes: number; readonly buildMs: number }[];
  /** Times of `search` and `sell`, ms. */
  readonly ms: readonly [search: number, sell: number];
  /** The operator of the plan of `search`, which reads this index. */
  readonly plan: string;
  readonly index?: string;
  readonly answers?: ComparedAnswers['outcome'];
  /** The targets that do not run it. */
  readonly skippedOn?: readonly string[];
  readonly fails?: boolean;
}

export interface MadeTournament {
  readonly changes: readonly MadeChange[];
  readonly targets?: readonly string[];
  readonly repeats?: number;
  readonly cv?: number;
  /** Calls of `search` in a trial; `sell` has ten times as many. */
  readonly calls?: number;
}

const usualText = 'SELECT id FROM {stores} s WHERE (SELECT count(*) FROM {sales} x WHERE x.store = s.id) > 0';

function yamlOf({ changes, targets = ['PostgreSQL'], repeats = 5 }: MadeTournament): string {
  const levels = changes.map(({ name, text, indexes }) => [
    name,
    {
      ...(text !== undefined && { statements: { search: { text } } }),
      ...(indexes && {
        tables: { sales: { indexes: indexes.map((one) => ({ columns: ['store', 'sold'], name: one.name })) } },
      }),
    },
  ]);
  const column = { type: 'integer', min: 1, max: 100 };
  const file = {
    dyno: 1,
    name: 'Turnover of a store',
    question: 'What helps the turnover of a store?',
    tables: {
      stores: { rows: 50, key: 'id', columns: { id: { type: 'sequence' } } },
      sales: {
        ...{ rows: 10_000, key: 'id' },
        columns: { id: { type: 'sequence' }, store: column, sold: column },
      },
    },
    workload: { operation: 'statement', method: 'prepared' },
    statements: {
      sell: {
        text: 'INSERT INTO {sales} (id, store, sold) VALUES (:id, 1, 1)',
        weight: 10,
        parameters: { id: { type: 'newKey', table: 'sales' } },
      },
      search: { text: usualText },
    },
    factors: { change: Object.fromEntries(levels) },
    targets,
    baseline: { change: changes[0]!.name },
    compare: 'levels',
    measure: { until: { seconds: 2 }, warmupSeconds: 0, repeats },
  };
  // JSON is YAML, and names of factors are keys.
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function* tournamentJournal(made: MadeTournament): Generator<JournalRecord> {
  const { changes, targets = ['PostgreSQL'], repeats = 5, cv = 0.02, calls = 400 } = made;
  const yaml = yamlOf(made);
  const { experiment, diagnostics } = parseFile(yaml);
  if (experiment === null) throw new Error(JSON.stringify(diagnostics));
  const variants = changes.map(
    ({ name }): Variant => ({
      id: `change=${name}`,
      label: formatLevels({ change: name }),
      levels: { change: name },
      settings: { ...defaultSettings, operation: 'statement', method: 'prepared' },
    }),
  );
  const isSkipped = (i: number, target: string) => changes[i]!.skippedOn?.includes(target) ?? false;
  const cells = variants.flatMap(({ id }, i) => targets.map((target) => ({ variant: id, target, i })));
  const run = cells.filter(({ i, target }) => !isSkipped(i, target));
  const order = Array.from({ length: repeats }, (_, r) =>
    run.map(({ variant, target }) => ({ variant, target, repeat: r + 1 })),
  ).flat();
  const plan: Plan = {
    experiment,
    variants,
    targets: targets.map((name, index) => ({ name, engine: 'server', index })),
    skipped: cells
      .filter(({ i, target }) => isSkipped(i, target))
      .map(({ variant, target }) => ({ variant, target, reason: 'Its indexes have no included columns.' })),
    trials: order.map((trial, i) => ({ ...trial, number: i + 1 })),
    measure: plannedMeasure(experiment, variants),
  };
  const environment = {
    ...{ app: '0', runtime: {}, host: '', drivers: {}, os: 'Linux', cpu: 'a processor', cores: 2 },
    memoryBytes: 2 ** 33,
  };
  yield { record: 'header', version: journalVersion, runId: 'store', at, yaml, plan, environment };
  const descriptor = descriptorOf({
    statements: { language: 'sql', parameters: '$1', implementation: 'a statement' } as never,
  });
  for (const name of targets)
    yield { record: 'target', at, target: targetOf(name, descriptor, { fingerprint: fingerprintOf() }) };
  const random = new Sfc32(7, 41);
  for (const trial of plan.trials) {
    const change = changes.find(({ name }) => `change=${name}` === trial.variant)!;
    yield { record: 'trial', at, trial };
    const seek = step(change.plan, {
      kind: change.index ? 'indexSeek' : 'fullScan',
      table: 'sales',
      index: change.index ?? null,
    });
    yield { record: 'queryPlans', trial: trial.number, when: 'warm', plans: [planned('search', seek)] };
    yield { record: 'phase', at, trial: trial.number, phase: 'measure' };
    // Other servers are a little slower.
    const slowness = Math.exp(cv * normal(random)) * (1 + 0.2 * targets.indexOf(trial.target));
    const counted = ['search', 'sell'].map((name, i) => {
      const count = name === 'search' ? calls : calls * 10;
      const ms = change.ms[i]! * slowness;
      const service = timesOf([ms * 0.9, count * 0.5], [ms, count * 0.4], [ms * 1.3, count * 0.1]);
      return { name, kind: 'statement' as const, calls: count, rows: count, errors: {}, service, failed: null };
    });
    const all = timesOf(...change.ms.map((ms, i) => [ms * slowness, calls * (i === 0 ? 1 : 10)] as const));
    const measured = {
      elapsedMs: calls * (change.ms[0] + 10 * change.ms[1]) * slowness,
      totals: countsOf({ calls: calls * 11, rows: calls * 11, service: all }),
      health: healthOf(2_000),
    };
    yield {
      record: 'result',
      at,
      result: resultOf(trial, measured, ownResult(change, changes[0]!, trial.repeat, counted)),
    };
  }
  yield { record: 'end', at, status: 'complete' };
}

function ownResult(
  { indexes = [], text, answers = 'equal', fails, name }: MadeChange,
  baseline: MadeChange,
  repeat: number,
  statements: NonNullable<TrialResult['statements']>,
): Partial<TrialResult> {
  if (fails)
    return {
      status: 'failed',
      error: {
        kind: 'syntax',
        code: null,
        message: 'The index cannot be created.',
        hint: null,
        retryable: false,
      } as never,
    };
  const compared: ComparedAnswers = {
    ...{ statement: 'search', baseline: `change=${baseline.name}`, outcome: answers, draws: 20 },
    ...(answers !== 'equal' && { why: 'it returned 4 rows instead of 7' }),
  };
  return {
    statements,
    storedBytes: { tableBytes: 34_000_000, indexBytes: 2_000_000 },
    ...(indexes.length > 0 && {
      indexBytes: indexes.map((one) => ({ index: `${one.name} of sales`, bytes: one.bytes })),
      builds: indexes.map((one) => ({ part: `index on ${one.name} of sales`, ms: one.buildMs, counted: false })),
    }),
    ...(repeat === 1 && text !== undefined && name !== baseline.name && { answers: [compared] }),
  };
}

export const madeTournament = (made: MadeTournament): RunModel => readRun(tournamentJournal(made));

/** The changes of the design: an index, a rewritten text, a change without an effect, and a text with other answers. */
export const storeChanges: readonly MadeChange[] = [
  { name: 'as it is', ms: [212, 0.4], plan: 'Seq Scan' },
  { name: 'rewritten', text: usualText.replace('count(*)', 'max(1)'), ms: [111, 0.4], plan: 'Hash Semi Join' },
  {
    name: 'covering index',
    indexes: [{ name: 'by_store', bytes: 12_700_000, buildMs: 800 }],
    ms: [5.2, 0.44],
    plan: 'Index Only Scan',
    index: 'by_store',
  },
  { name: 'same text', text: `${usualText} `, ms: [212, 0.4], plan: 'Seq Scan' },
  { name: 'NOT IN', text: usualText.replace('> 0', '= 0'), ms: [30, 0.4], plan: 'Seq Scan', answers: 'differ' },
];

/** Twelve variants on four targets: the largest tournament that has to be legible. */
export const wideTournament: MadeTournament = {
  targets: ['PostgreSQL 18', 'MariaDB', 'SQLite', 'SQL Server'],
  changes: [
    ...storeChanges,
    ...['store', 'day', 'store and day', 'day and store', 'store, day and amount'].map((columns, i) => ({
      name: `index on ${columns}`,
      indexes: [{ name: `by_${i}`, bytes: 4_000_000 * (i + 1), buildMs: 180 * (i + 1) }],
      ms: [150 / (i + 1) ** 2, 0.4 * (1 + 0.02 * (i + 1))] as const,
      plan: 'Index Scan',
      index: `by_${i}`,
    })),
    {
      name: 'included column',
      indexes: [{ name: 'with_amount', bytes: 15_000_000, buildMs: 950 }],
      ms: [4.8, 0.43],
      plan: 'Index Only Scan',
      index: 'with_amount',
      skippedOn: ['MariaDB', 'SQLite'],
    },
    { name: 'broken', indexes: [{ name: 'broken', bytes: 0, buildMs: 0 }], ms: [1, 1], plan: 'Seq Scan', fails: true },
  ],
};
