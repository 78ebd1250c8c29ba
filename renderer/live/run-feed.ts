import { fromErrorData } from '#contract/error.ts';
import type { Events } from '#contract/ipc.ts';
import type { JournalEntry } from '#contract/journal.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { createRunReader } from '../../workers/analysis/read-run.ts';
import { createStandInNames } from '../../workers/analysis/stand-in.ts';
import { listen, request } from '../bridge.ts';
import { type LogLine, logLine, type VariantLabels } from './run-log.ts';

/** A run as its records come in. Views watch `version`; the model, with all its series, stays here. */
export interface RunFeed {
  subscribe(listener: () => void): () => void;
  /** Grows whenever there is something new to show. */
  version(): number;
  /**
   * Null until everything that was written at the start has arrived: a half-read run would look like an interrupted one. `live`:
   * somebody writes the journal, which the journal alone cannot tell.
   */
  model(live: boolean): RunModel | null;
  log(): readonly LogLine[];
  /** How much of the journal has arrived. */
  readBytes(): number;
  /** Why the run cannot be shown. */
  failure(): unknown;
}

interface Held {
  readonly feed: RunFeed;
  users: number;
  stop(): void;
}

/** The charts are drawn at this pace, however fast records arrive. */
const notifyMs = 400;
/** A feed survives a short absence (a look at another page), so that the journal is not read again. */
const lingerMs = 2_000;
const longestLog = 500;
/** Records are worked through in slices of this length, so that the window answers while a long journal is read. */
const sliceMs = 12;

const held = new Map<string, Held>();
let unwatched: Promise<unknown> = Promise.resolve();

function createFeed(runId: string): Held {
  const reader = createRunReader();
  const listeners = new Set<() => void>();
  let version = 0;
  let log: readonly LogLine[] = [];
  let labels: VariantLabels = new Map();
  const standIns = createStandInNames();
  let model: { readonly of: number; readonly live: boolean; readonly value: RunModel } | null = null;
  let upToDate = false;
  let readBytes = 0;
  let failure: unknown = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const notify = () => {
    timer = undefined;
    version++;
    for (const listener of [...listeners]) listener();
  };
  const notifySoon = () => {
    timer ??= setTimeout(notify, notifyMs);
  };
  const fail = (thrown: unknown) => {
    failure = thrown;
    notify();
  };
  const take = async (records: readonly JournalEntry[]) => {
    let sliceEnds = performance.now() + sliceMs;
    const lines: LogLine[] = [];
    for (const record of records) {
      if (record.record === 'header') labels = new Map(record.plan.variants.map(({ id, label }) => [id, label]));
      reader.add(record);
      lines.push(...[logLine(standIns.read(record), labels)].filter((line) => line !== null));
      if (performance.now() > sliceEnds) {
        await new Promise((next) => setTimeout(next));
        sliceEnds = performance.now() + sliceMs;
      }
    }
    if (lines.length > 0) log = [...log, ...lines].slice(-longestLog);
  };
  const receive = async (event: Events['run:records']) => {
    await take(event.records);
    readBytes = event.readBytes;
    if (event.failure) throw fromErrorData(event.failure);
    // The whole of a finished run arrives in pieces: it is drawn once, at the end; until then only the progress is.
    if (event.upToDate && !upToDate) {
      upToDate = true;
      notify();
    } else notifySoon();
    await request('runs:taken', { runId });
  };
  let received: Promise<void> = Promise.resolve();

  const stopListening = listen('run:records', (event) => {
    if (event.runId === runId) received = received.then(() => receive(event)).catch(fail);
  });
  unwatched.then(() => request('runs:watch', { runId })).catch(fail);

  return {
    users: 0,
    feed: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      version: () => version,
      model(live) {
        if (!reader.started || !upToDate) return null;
        if (model?.of !== version || model.live !== live) model = { of: version, live, value: reader.model({ live }) };
        return model.value;
      },
      log: () => log,
      readBytes: () => readBytes,
      failure: () => failure,
    },
    stop() {
      clearTimeout(timer);
      stopListening();
      // The next watch of the same run waits for this: its records must not mix with late ones of this watch.
      unwatched = request('runs:unwatch', { runId }).catch(() => null);
    },
  };
}

/** The feed of a run, shared by its users. Let go with `releaseFeed`. */
export function acquireFeed(runId: string): RunFeed {
  const entry = held.get(runId) ?? createFeed(runId);
  held.set(runId, entry);
  entry.users++;
  return entry.feed;
}

export function releaseFeed(runId: string): void {
  const entry = held.get(runId);
  if (!entry) return;
  entry.users--;
  setTimeout(() => {
    if (entry.users > 0 || held.get(runId) !== entry) return;
    held.delete(runId);
    entry.stop();
  }, lingerMs);
}
