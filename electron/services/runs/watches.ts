import { setTimeout as sleep } from 'node:timers/promises';
import { toErrorData } from '#model/error.ts';
import type { Send } from '../../ipc.ts';
import { followJournal } from './follow-journal.ts';

/** The runs whose records the page receives. */
export interface Watches {
  watch(runId: string, file: string, isLive: () => boolean): void;
  /** The page has processed a part of this run. */
  taken(runId: string): void;
  unwatch(runId: string): void;
  /**
   * Resolves when the page has the run's last record; at once if it does not watch, and after five seconds without one.
   */
  delivered(runId: string): Promise<void>;
  close(): void;
}

interface Watch {
  readonly stop: AbortController;
  /** Parts that the page has not processed yet. */
  ahead: number;
  /** Ends the wait for the page once it has processed a part. */
  onTaken: () => void;
  hasEnd: boolean;
}

/** Parts sent ahead: enough that the page never waits for the file, and few enough that they do not pile up. */
const mostAhead = 3;

const deliveredWithinMs = 5_000;

export function createWatches(send: Send): Watches {
  const watched = new Map<string, Watch>();

  const unwatch = (runId: string): void => {
    watched.get(runId)?.stop.abort();
    watched.get(runId)?.onTaken();
    watched.delete(runId);
  };

  const follow = async (runId: string, file: string, isLive: () => boolean, watch: Watch): Promise<void> => {
    for await (const part of followJournal(file, isLive, watch.stop.signal)) {
      if (watch.stop.signal.aborted) return;
      send('run:records', { ...part, runId, records: JSON.stringify(part.records), failure: null });
      for (const { record } of part.records) {
        if (record === 'end') watch.hasEnd = true;
        else if (record === 'resumed') watch.hasEnd = false;
      }
      watch.ahead++;
      if (watch.ahead >= mostAhead && !watch.stop.signal.aborted)
        await new Promise<void>((resolve) => {
          watch.onTaken = resolve;
        });
    }
  };

  return {
    watch(runId, file, isLive) {
      unwatch(runId);
      const watch: Watch = { stop: new AbortController(), ahead: 0, onTaken: () => {}, hasEnd: false };
      watched.set(runId, watch);
      follow(runId, file, isLive, watch).catch((thrown: unknown) => {
        console.error(`The run file ${file} cannot be followed:`, thrown);
        // The page then stops waiting and shows the error.
        if (!watch.stop.signal.aborted)
          send('run:records', { runId, records: '[]', upToDate: true, readBytes: 0, failure: toErrorData(thrown) });
      });
    },
    async delivered(runId) {
      const end = performance.now() + deliveredWithinMs;
      while (performance.now() < end) {
        const watch = watched.get(runId);
        if (!watch || watch.hasEnd) return;
        await sleep(20);
      }
    },
    taken(runId) {
      const watch = watched.get(runId);
      if (!watch) return;
      watch.ahead = Math.max(0, watch.ahead - 1);
      watch.onTaken();
    },
    unwatch,
    close() {
      for (const runId of [...watched.keys()]) unwatch(runId);
    },
  };
}
