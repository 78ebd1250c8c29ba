import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { fromErrorData } from '#model/error.ts';
import type { Events } from '#protocol/ipc.ts';
import type { JournalEntry } from '#protocol/journal.ts';
import { listen, request } from '../state/bridge.ts';
import { type LogLine, logLine, type VariantLabels } from './run-log.ts';

/** A run whose records arrive over time. Views subscribe to `version`, because the model is not React state. */
export interface RunFeed {
  subscribe(listener: () => void): () => void;
  /** Increases with every change that views should show. */
  version(): number;
  /**
   * The model. Null until all records that existed at the start have arrived, because a partly read run would look like
   * an interrupted one. `live` is true while a process writes the journal; the journal alone does not tell this.
   */
  model(live: boolean): RunModel | null;
  log(): readonly LogLine[];
  /** The number of bytes of the journal that have arrived. */
  readBytes(): number;
  /** The error that prevents showing the run. Null without an error. */
  failure(): unknown;
}

interface Held {
  readonly feed: RunFeed;
  users: number;
  stop(): void;
}

/** Interval between two updates of views, however fast records arrive. */
const notifyMs = 400;
/**
 * A feed stays open for this time after its last user, so that a visit to another page does not read the journal again.
 */
const lingerMs = 2_000;
const longestLog = 500;
/** Records are processed in slices of this length, so that a long journal does not block the window. */
const sliceMs = 12;
/** Deferred work is done in shorter slices, so that it does not delay other work. */
const restMs = 4;

/** Yields to clicks and frames. It uses a message, because a timer waits for at least four milliseconds. */
const otherWork = (): Promise<void> =>
  new Promise((goOn) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      goOn();
    };
    port2.postMessage(null);
  });

const held = new Map<string, Held>();
let unwatched: Promise<unknown> = Promise.resolve();

/** Builds the model and the log of a run from its records. */
function createRecordReader() {
  const reader = createRunReader();
  let labels: VariantLabels = new Map();
  let log: readonly LogLine[] = [];
  return {
    reader,
    log: () => log,
    async take(records: readonly JournalEntry[]): Promise<void> {
      let sliceEnds = performance.now() + sliceMs;
      const lines: LogLine[] = [];
      for (const record of records) {
        if (record.record === 'header') labels = new Map(record.plan.variants.map(({ id, label }) => [id, label]));
        reader.add(record);
        lines.push(...[logLine(record, labels)].filter((line) => line !== null));
        if (performance.now() > sliceEnds) {
          await otherWork();
          sliceEnds = performance.now() + sliceMs;
        }
      }
      if (lines.length > 0) log = [...log, ...lines].slice(-longestLog);
    },
  };
}

function createFeed(runId: string): Held {
  const { reader, log, take } = createRecordReader();
  const listeners = new Set<() => void>();
  let version = 0;
  let model: { readonly of: number; readonly live: boolean; readonly value: RunModel } | null = null;
  let upToDate = false;
  let readBytes = 0;
  let failure: unknown = null;
  /** Parts that have arrived but are not processed yet. They may contain the end of the run. */
  let unread = 0;
  let isMerging = false;
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
  /** Merges samples that no view has used yet while the window is idle. */
  const mergeLatencies = () => {
    if (isMerging) return;
    isMerging = true;
    requestIdleCallback((rest) => {
      isMerging = false;
      const until = performance.now() + restMs;
      if (reader.mergeLatencies(() => rest.timeRemaining() > 0 && performance.now() < until)) mergeLatencies();
    });
  };
  const receive = async (event: Events['run:records']) => {
    await take(JSON.parse(event.records));
    readBytes = event.readBytes;
    if (event.failure) throw fromErrorData(event.failure);
    // A finished run arrives in parts. Views show the progress until the last part has arrived.
    if (event.upToDate && !upToDate) {
      upToDate = true;
      notify();
    } else notifySoon();
    if (upToDate) mergeLatencies();
    await request('runs:taken', { runId });
  };
  let received: Promise<void> = Promise.resolve();

  const stopListening = listen('run:records', (event) => {
    if (event.runId !== runId) return;
    unread++;
    received = received
      .then(() => receive(event))
      .catch(fail)
      .finally(() => {
        unread--;
      });
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
        const going = live || (unread > 0 && model?.live === true);
        if (model?.of !== version || model.live !== going)
          model = { of: version, live: going, value: reader.model({ live: going }) };
        return model.value;
      },
      log,
      readBytes: () => readBytes,
      failure: () => failure,
    },
    stop() {
      clearTimeout(timer);
      stopListening();
      // The next watch of the run waits until this one has ended, so that their records do not mix.
      unwatched = request('runs:unwatch', { runId }).catch(() => null);
    },
  };
}

/** The feed of a run, which its users share. Each user must call `releaseFeed`. */
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
