import { runState } from '#analysis/compare/run-state.ts';
import { sweepJournal } from '#analysis/compare/sweep.fixture.ts';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import { gradeOf } from '#analysis/grade/grade.ts';
import { gradeReason } from '#analysis/grade/grade-text.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { withServerEvents } from '#analysis/server/server-events.fixture.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { noAnnotation } from '#protocol/run-annotation.ts';
import type { Emit, FakeHandlers } from './fake-ipc.ts';

/** A sweep that is long enough for the scalability law, with client-bound loads. */
const exampleSweep = {
  loads: [1, 2, 4, 6, 8, 12, 16, 24, 32],
  truth: { lambda: 10_000, sigma: 0.15, kappa: 0.002 },
  noise: 0.04,
  saturatedFrom: 32,
};

const journal: readonly JournalRecord[] = [...withServerEvents(fixtureJournal({}))];

/** Changes a value by up to 2 % without randomness, so that repeats vary and cells differ. */
const shaken = (value: number, ...seeds: readonly number[]): number =>
  value * (1 + 0.02 * Math.sin(seeds.reduce((sum, seed, i) => sum + seed * (i + 1.7), 0) * 12.9));

const numberOf = (target: string): number => Number(target.split(' ').at(-1));
const twelve = Array.from({ length: 12 }, (_, i) => ({ name: `Server ${i + 1}` }));

/** A single factor of two levels on two servers. */
const indexRun = madeJournal({
  factors: { 'secondary index': { no: {}, yes: { fetchSize: 7 } } },
  targets: [{ name: 'Server 1' }, { name: 'Server 2' }],
  trial: ({ settings, target, repeat }) => ({
    rate: shaken((settings.fetchSize === 7 ? 59_000 : 100_000) * numberOf(target), repeat, settings.fetchSize),
  }),
});

/** Twelve servers with twenty variants. */
const manyCells = madeJournal({
  factors: { method: ['literal', 'bind', 'prepared', 'bulk'], connections: [1, 2, 4, 8, 16] },
  targets: twelve,
  repeats: 3,
  trial: ({ settings, target, repeat }) => ({
    rate: shaken(
      (1_000 * (settings.method === 'bulk' ? 30 : 3) * settings.connections * (20 - numberOf(target))) / 20,
      ...[repeat, numberOf(target), settings.connections],
    ),
    result: { clientSaturated: settings.method === 'bulk' && settings.connections === 16 },
  }),
});

/** Twelve servers with ten levels of a number. */
const manyLines = madeJournal({
  factors: { rowsPerCall: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000] },
  targets: twelve,
  repeats: 3,
  trial: ({ settings, target, repeat }) => ({
    rate: shaken(
      (400_000 * settings.rowsPerCall) / (settings.rowsPerCall + 20 * numberOf(target)),
      ...[repeat, settings.rowsPerCall, numberOf(target)],
    ),
  }),
});

interface FakeRun {
  entry: RunEntry;
  readonly records: JournalRecord[];
  paused: boolean;
  /** True once the page has received the first records. Later records follow only then. */
  isWatched: boolean;
}

const resultsIn = (records: readonly JournalRecord[]): number =>
  records.filter(({ record }) => record === 'result').length;

function runOf(id: string, records: readonly JournalRecord[], status: RunEntry['status']): FakeRun {
  const reader = createRunReader();
  for (const record of records) reader.add(record);
  const model = reader.model({ live: status === 'running' });
  const { plan } = model;
  const grade = gradeOf(model);
  return {
    records: [...records],
    paused: false,
    isWatched: false,
    entry: {
      ...runState(model),
      id,
      name: plan.experiment.name,
      size: plan.experiment.size ?? null,
      startedAt: model.startedAt,
      status,
      targets: plan.targets.map(({ name }) => name),
      bytes: JSON.stringify(records).length,
      durationMs: 94_000,
      ...noAnnotation,
      isBaseline: false,
      grade: grade && { level: grade.level, reason: gradeReason(grade) },
      cells: plan.targets.map(({ name, index }) => ({
        label: plan.variants[0]?.label ?? '',
        target: name,
        index,
        value: 100_000 / (index + 1),
        digits: 3,
        unit: 'rows/s' as const,
      })),
    },
  };
}

/** Makes every ninth trial fail. */
const withFailures = (records: readonly JournalRecord[]): readonly JournalRecord[] =>
  records.map((record) =>
    record.record === 'result' && record.result.number % 9 === 4
      ? {
          ...record,
          result: {
            ...record.result,
            status: 'failed',
            error: {
              kind: 'serverGone',
              code: '57P01',
              message: 'The server ended the connection: terminating connection due to administrator command.',
              hint: 'See the server’s log; the other targets went on.',
              retryable: false,
            },
          },
        }
      : record,
  );

const exampleRuns = (): readonly FakeRun[] => [
  runOf('r1', journal, 'complete'),
  runOf('r2', journal.slice(0, Math.floor(journal.length * 0.55)), 'interrupted'),
  runOf('r3', withFailures(journal), 'complete'),
  runOf('r4', [...sweepJournal(exampleSweep)], 'complete'),
  runOf('r5', indexRun, 'complete'),
  runOf('r6', manyCells, 'complete'),
  runOf('r7', manyLines, 'complete'),
];

/** Each load also comes from a load host, which does half as much work. */
const withLoadHosts = (records: readonly JournalRecord[]): readonly JournalRecord[] =>
  records.flatMap((record): readonly JournalRecord[] => {
    if (record.record !== 'snapshot' || record.snapshot.worker > 0) return [record];
    const { trial, snapshot } = record;
    const { counts } = snapshot;
    const half = { ...counts, calls: Math.round(counts.calls / 2), rows: Math.round(counts.rows / 2) };
    const busy = shaken(0.4, snapshot.atMs);
    const common = { firstWorker: 0, workers: 1 };
    return [
      {
        ...{ record: 'loadHosts', trial, atMs: snapshot.atMs },
        hosts: [
          { ...common, name: 'local', cores: 8, processorsBusy: busy / 2, clockErrorMs: null, roundTripMs: null },
          {
            ...common,
            name: 'load1',
            firstWorker: 100,
            cores: 16,
            processorsBusy: busy,
            clockErrorMs: 0.21,
            roundTripMs: 0.42,
          },
        ],
      },
      record,
      { record: 'snapshot', trial, snapshot: { ...snapshot, worker: 100, counts: half } },
    ];
  });

/** The journal of a live run. With `?hosts`, its load comes from two machines. */
const played = location.search.includes('hosts') ? withLoadHosts(journal) : journal;

/** The journal's next records, up to the next snapshot or result. */
function recordsFrom(at: number): readonly JournalRecord[] {
  const rest = played.slice(at, at + 40);
  const last = rest.findIndex(({ record }) => record === 'snapshot' || record === 'result');
  return last < 0 ? rest : rest.slice(0, last + 1);
}

/** Appends the rest of the journal to a run, about as fast as a real run. */
function play(run: FakeRun, emit: Emit): void {
  const runId = run.entry.id;
  const started = performance.now();
  const tick = () => {
    if (run.entry.status !== 'running') return;
    if (!run.paused) append(run, recordsFrom(run.records.length), emit);
    const fraction = run.records.length / played.length;
    emit('run:progress', {
      runId,
      activity: 'Measuring on PostgreSQL',
      trial: 1,
      trialsDone: resultsIn(run.records),
      trialsPlanned: run.entry.trialsPlanned ?? 0,
      fraction,
      secondsLeft: ((performance.now() - started) / 1_000) * (1 / Math.max(fraction, 0.01) - 1),
      paused: run.paused,
      live: run.entry.status === 'running',
      precision: null,
    });
    setTimeout(tick, 150);
  };
  setTimeout(tick, 100);
}

function append(run: FakeRun, records: readonly JournalRecord[], emit: Emit): void {
  run.records.push(...records);
  if (run.isWatched)
    emit('run:records', {
      runId: run.entry.id,
      records: JSON.stringify(records),
      upToDate: true,
      readBytes: 0,
      failure: null,
    });
  const end = records.find((record) => record.record === 'end');
  if (end) setStatus(run, end.status, emit);
}

function setStatus(run: FakeRun, status: RunEntry['status'], emit: Emit): void {
  run.entry = { ...run.entry, status };
  emit('runs:changed', null);
}

/** Journals as runs of the list. Those without an end count as complete. */
const recordedRuns = (journals: readonly Iterable<JournalRecord>[]): readonly FakeRun[] =>
  journals.map((given, i) => {
    const records = [...given];
    const end = records.findLast((record) => record.record === 'end');
    return runOf(`r${i + 1}`, records, end?.status ?? 'complete');
  });

/** Runs in memory: the given journals, else synthetic ones. A started or resumed run plays a journal. */
export function fakeRuns(emit: Emit, journals?: readonly Iterable<JournalRecord>[]): FakeHandlers<'runs:'> {
  const runs = new Map((journals ? recordedRuns(journals) : exampleRuns()).map((run) => [run.entry.id, run]));
  const deleted = new Map<string, FakeRun>();
  let next = 10;
  return {
    'runs:list': async () => [...runs.values()].map(({ entry }) => entry).toReversed(),
    'runs:start': async () => {
      const run = runOf(`r${next++}`, journal.slice(0, 1), 'running');
      runs.set(run.entry.id, run);
      emit('runs:changed', null);
      play(run, emit);
      return { runId: run.entry.id };
    },
    'runs:resume': async ({ runId }) => {
      const run = runs.get(runId)!;
      setStatus(run, 'running', emit);
      play(run, emit);
      return { runId };
    },
    'runs:advise': async () => {
      throw new Error('The example runs have no advice.');
    },
    'runs:cancelAdvice': async () => null,
    'runs:experiment': async ({ runId }) => {
      const header = runs.get(runId)!.records.find((record) => record.record === 'header');
      return { text: header?.yaml ?? '' };
    },
    'runs:pause': async ({ runId, paused }) => {
      runs.get(runId)!.paused = paused;
      return null;
    },
    'runs:cancel': async ({ runId }) => {
      const end: JournalRecord = { record: 'end', at: new Date().toISOString(), status: 'cancelled' };
      append(runs.get(runId)!, [end], emit);
      return null;
    },
    'runs:endAll': async () => null,
    'runs:watch': async ({ runId }) => {
      const run = runs.get(runId);
      if (run === undefined) throw new Error(`There is no run ${runId}.`);
      setTimeout(() => {
        run.isWatched = true;
        emit('run:records', {
          runId,
          records: JSON.stringify(run.records),
          upToDate: true,
          readBytes: 0,
          failure: null,
        });
      }, 20);
      return null;
    },
    'runs:taken': async () => null,
    'runs:unwatch': async ({ runId }) => {
      runs.get(runId)!.isWatched = false;
      return null;
    },
    'runs:annotate': async ({ runId, change }) => {
      const run = runs.get(runId)!;
      if (change.isBaseline)
        for (const other of runs.values())
          if (other.entry.name === run.entry.name) other.entry = { ...other.entry, isBaseline: false };
      run.entry = { ...run.entry, ...change };
      emit('runs:changed', null);
      return null;
    },
    'runs:delete': async ({ runId }) => {
      deleted.set(runId, runs.get(runId)!);
      runs.delete(runId);
      emit('runs:changed', null);
      return { undo: runId };
    },
    'runs:restore': async ({ undo }) => {
      runs.set(undo, deleted.get(undo)!);
      emit('runs:changed', null);
      return null;
    },
    'runs:import': async () => null,
    'runs:exportReport': async () => ({ saved: true }),
    'runs:printReport': async () => ({ printed: true }),
    'runs:openReport': async () => null,
    'runs:exportJournal': async () => ({ saved: true }),
    'runs:scripts': async () => [
      { language: 'node', cannot: null },
      {
        language: 'java',
        cannot: 'Scripts for Java have the methods literal, bind, prepared, multiRow, and not bulk.',
      },
    ],
    'runs:saveScript': async () => ({ saved: true }),
  };
}
