import { setTimeout as sleep } from 'node:timers/promises';
import type { Send } from '../ipc.ts';
import { followJournal } from './follow-journal.ts';

/** Runs whose records the page wants to have. */
export interface Watches {
  watch(runId: string, file: string, isLive: () => boolean): void;
  unwatch(runId: string): void;
  /** Resolves when the page has the run's last record; at once where it does not watch, and in a second where there is none. */
  delivered(runId: string): Promise<void>;
  close(): void;
}

interface Watch {
  readonly stop: AbortController;
  hasEnd: boolean;
}

const deliveredWithinMs = 1_000;

export function createWatches(send: Send): Watches {
  const watched = new Map<string, Watch>();

  const unwatch = (runId: string): void => {
    watched.get(runId)?.stop.abort();
    watched.delete(runId);
  };

  const follow = async (runId: string, file: string, isLive: () => boolean, watch: Watch): Promise<void> => {
    for await (const part of followJournal(file, isLive, watch.stop.signal)) {
      if (watch.stop.signal.aborted) return;
      send('run:records', { runId, ...part });
      for (const { record } of part.records) {
        if (record === 'end') watch.hasEnd = true;
        else if (record === 'resumed') watch.hasEnd = false;
      }
    }
  };

  return {
    watch(runId, file, isLive) {
      unwatch(runId);
      const watch: Watch = { stop: new AbortController(), hasEnd: false };
      watched.set(runId, watch);
      follow(runId, file, isLive, watch).catch((thrown: unknown) => {
        console.error(`The run file ${file} cannot be followed:`, thrown);
        // The page has what could be read; it must not wait for more.
        if (!watch.stop.signal.aborted) send('run:records', { runId, records: [], upToDate: true });
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
    unwatch,
    close() {
      for (const runId of [...watched.keys()]) unwatch(runId);
    },
  };
}
