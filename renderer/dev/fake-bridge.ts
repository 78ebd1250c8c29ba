import { fixtureJournal } from '#analysis/run.fixture.ts';
import { withServerEvents } from '#analysis/server-events.fixture.ts';
import { sweepJournal } from '#analysis/sweep.fixture.ts';
import type { EngineDescriptor } from '#engine-api/engine.ts';
import { readDataset } from '#experiment/dataset-file.ts';
import { parseExperiment } from '#experiment/experiment-file.ts';
import { experimentJsonSchema } from '#experiment/schema/json-schema.ts';
import { toErrorData } from '#model/error.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { galleryPage } from '#planning/gallery.ts';
import { makePlan } from '#planning/make-plan.ts';
import type { Bridge, Channel, Checked, EventName, Events, LibraryEntry, Requests, RunEntry } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { fakeConnections } from './fake-connections.ts';

/**
 * A shell that is not there: the gallery from its files, plans by the real planner, and synthetic runs from the analysis room's
 * fixture. For looking at the window in a browser; never part of the built page. `?empty` starts without runs.
 */

const files = import.meta.glob<string>('../../experiments/*.dyno.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});
// By pattern, not by import: the page must not depend on the engines' room.
const descriptors = import.meta.glob<EngineDescriptor>('../../workers/engines/*/descriptor.ts', {
  import: 'descriptor',
  eager: true,
});

/** Long enough for the law, with loads at which the client is what was measured. */
const exampleSweep = {
  loads: [1, 2, 4, 6, 8, 12, 16, 24, 32],
  truth: { lambda: 10_000, sigma: 0.15, kappa: 0.002 },
  noise: 0.04,
  saturatedFrom: 32,
};

type Handlers = { readonly [C in Channel]: (argument: Requests[C]['argument']) => Promise<Requests[C]['answer']> };

interface FakeRun {
  entry: RunEntry;
  readonly records: JournalRecord[];
}

const engines = Object.values(descriptors);

function check(text: string): Checked {
  const { experiment, diagnostics } = parseExperiment(text);
  if (!experiment) return { diagnostics, plan: null, estimateSeconds: null };
  const outcome = makePlan(experiment, engines, text);
  return {
    diagnostics: [...diagnostics, ...outcome.diagnostics],
    plan: outcome.plan,
    estimateSeconds: outcome.plan && estimateSeconds(outcome.plan),
  };
}

function entryOf(id: string, text: string, origin: LibraryEntry['origin']): LibraryEntry {
  const { experiment, diagnostics } = parseExperiment(text);
  return {
    id,
    origin,
    name: experiment?.name ?? id,
    question: experiment?.question ?? '',
    targets: experiment?.targets.map((target) => (typeof target === 'string' ? target : target.name)) ?? [],
    modifiedAt: '2026-11-18T09:30:00Z',
    problem: experiment ? null : (diagnostics[0]?.message ?? 'Not an experiment'),
  };
}

function runOf(id: string, records: JournalRecord[], status: RunEntry['status']): FakeRun {
  const header = records.find((record) => record.record === 'header');
  return {
    records,
    entry: {
      id,
      name: header?.plan.experiment.name ?? '',
      size: header?.plan.experiment.size ?? null,
      startedAt: header?.at ?? '',
      status,
      trialsDone: records.filter((record) => record.record === 'result').length,
      trialsPlanned: header?.plan.trials.length ?? 0,
      targets: header?.plan.targets.map(({ name }) => name) ?? [],
      bytes: JSON.stringify(records).length,
    },
  };
}

/** Spoils some trials, so that failures can be looked at. */
function withFailures(records: readonly JournalRecord[]): JournalRecord[] {
  return records.map((record) =>
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
}

export async function createFakeBridge(): Promise<Bridge> {
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  const emit = <E extends EventName>(event: E, payload: Events[E]) => {
    for (const listener of listeners.get(event) ?? []) listener(payload as never);
  };
  const library = new Map(
    Object.entries(files).map(([path, text]) => [path, { text, origin: 'gallery' as LibraryEntry['origin'] }]),
  );
  const all = [...withServerEvents(fixtureJournal({}))];
  const half = all.slice(0, Math.floor(all.length * 0.55));
  const runs = new Map<string, FakeRun>();
  if (!location.search.includes('empty')) {
    runs.set('r1', runOf('r1', all, 'complete'));
    runs.set('r2', runOf('r2', half, 'interrupted'));
    runs.set('r3', runOf('r3', withFailures(all), 'complete'));
    runs.set('r4', runOf('r4', [...sweepJournal(exampleSweep)], 'complete'));
  }
  const list = () => [...library].map(([id, { text, origin }]) => entryOf(id, text, origin));
  const bin = new Map<string, () => void>();
  const paused = new Set<string>();
  let next = 10;

  /** Plays the journal from `from`; a trial's records come about as fast as they would. */
  const play = (id: string, from: number) => {
    const run = runs.get(id)!;
    let at = from;
    const started = performance.now();
    const tick = () => {
      if (!runs.has(id) || run.entry.status !== 'running') return;
      if (!paused.has(id)) {
        const fresh: JournalRecord[] = [];
        while (at < all.length && fresh.length < 40) {
          const record = all[at++]!;
          fresh.push(record);
          if (record.record === 'snapshot' || record.record === 'result') break;
        }
        run.records.push(...fresh);
        emit('run:records', { runId: id, records: fresh, upToDate: true, readBytes: 0, failure: null });
        if (fresh.some((record) => record.record === 'end')) {
          run.entry = { ...run.entry, status: 'complete' };
          emit('runs:changed', null);
        }
      }
      const done = run.records.filter((record) => record.record === 'result').length;
      const fraction = at / all.length;
      emit('run:progress', {
        runId: id,
        activity: 'Measuring on PostgreSQL',
        trial: 1,
        trialsDone: done,
        trialsPlanned: run.entry.trialsPlanned ?? 0,
        fraction,
        secondsLeft: ((performance.now() - started) / 1_000) * (1 / Math.max(fraction, 0.01) - 1),
        paused: paused.has(id),
        live: run.entry.status === 'running',
        precision: null,
      });
      setTimeout(tick, 150);
    };
    setTimeout(tick, 100);
  };

  const handlers: Handlers = {
    'app:info': async () => ({
      version: '0.1.0',
      runtime: { chrome: '140' },
      engines,
      missing: {},
      jsonSchema: experimentJsonSchema(),
      home: '',
    }),
    'app:unsaved': async () => null,
    'experiments:list': async () => list(),
    'experiments:gallery': async () => [...library].flatMap(([id, { text }]) => galleryPage(id, text, engines) ?? []),
    'experiments:read': async ({ id }) => {
      const found = library.get(id)!;
      return { text: found.text, entry: entryOf(id, found.text, found.origin) };
    },
    'experiments:save': async ({ id, text }) => {
      const key = id !== null && library.get(id)?.origin === 'mine' ? id : `mine-${next++}`;
      library.set(key, { text, origin: 'mine' });
      emit('library:changed', null);
      return entryOf(key, text, 'mine');
    },
    'experiments:delete': async ({ id }) => {
      const found = library.get(id)!;
      library.delete(id);
      bin.set(id, () => library.set(id, found));
      emit('library:changed', null);
      return { undo: id };
    },
    'experiments:restore': async ({ undo }) => {
      bin.get(undo)?.();
      emit('library:changed', null);
      return entryOf(undo, library.get(undo)!.text, 'mine');
    },
    'experiments:import': async () => null,
    'experiments:export': async () => ({ saved: true }),
    'experiments:check': async ({ text }) => check(text),
    'statements:try': async () => ({ reports: [] }),
    'statements:tables': async () => ({ tables: [] }),
    'statements:cancel': async () => null,
    // Rows are made by the runner, which is not here.
    'experiments:preview': async ({ text, table }) => {
      const { dataset, problems } = readDataset(text, table);
      return dataset ? { preview: { columns: Object.keys(dataset.columns), rows: [] } } : { problems };
    },
    'runs:list': async () => [...runs.values()].map(({ entry }) => entry).toReversed(),
    'runs:start': async () => {
      const id = `r${next++}`;
      runs.set(id, runOf(id, all.slice(0, 1), 'running'));
      emit('runs:changed', null);
      play(id, 1);
      return { runId: id };
    },
    ...fakeConnections(emit),
    'runs:resume': async ({ runId }) => {
      const run = runs.get(runId)!;
      run.entry = { ...run.entry, status: 'running' };
      play(runId, run.records.length);
      emit('runs:changed', null);
      return { runId };
    },
    'runs:pause': async ({ runId, paused: pause }) => {
      if (pause) paused.add(runId);
      else paused.delete(runId);
      return null;
    },
    'runs:cancel': async ({ runId }) => {
      const run = runs.get(runId)!;
      run.entry = { ...run.entry, status: 'cancelled' };
      const end: JournalRecord = { record: 'end', at: new Date().toISOString(), status: 'cancelled' };
      run.records.push(end);
      emit('run:records', { runId, records: [end], upToDate: true, readBytes: 0, failure: null });
      emit('runs:changed', null);
      return null;
    },
    'runs:watch': async ({ runId }) => {
      const run = runs.get(runId)!;
      setTimeout(
        () => emit('run:records', { runId, records: [...run.records], upToDate: true, readBytes: 0, failure: null }),
        20,
      );
      return null;
    },
    'runs:taken': async () => null,
    'runs:unwatch': async () => null,
    'runs:delete': async ({ runId }) => {
      const run = runs.get(runId)!;
      runs.delete(runId);
      bin.set(runId, () => runs.set(runId, run));
      emit('runs:changed', null);
      return { undo: runId };
    },
    'runs:restore': async ({ undo }) => {
      bin.get(undo)?.();
      emit('runs:changed', null);
      return null;
    },
    'runs:import': async () => null,
    'runs:exportReport': async () => ({ saved: true }),
    'runs:exportJournal': async () => ({ saved: true }),
    'files:save': async ({ name, format, data }) => {
      console.log(`saved ${name}.${format}: ${data.length} characters`);
      return { saved: true };
    },
  };

  return {
    async request(channel, argument) {
      try {
        return { ok: true, value: await handlers[channel](argument) };
      } catch (thrown) {
        return { ok: false, error: toErrorData(thrown) };
      }
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set);
      set.add(listener as (payload: never) => void);
      return () => set.delete(listener as (payload: never) => void);
    },
  };
}
