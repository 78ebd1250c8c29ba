import type { JournalRecord } from '#protocol/journal.ts';
import type { Journal } from '../journal/journal.ts';

/** Writes the records of one run and announces each of them to the run's listeners. */
export interface RunRecords {
  /** Queues the record for the file and announces it at once. */
  write(record: JournalRecord): void;
  /** Announces the record when it is safe on the disk: no result that was seen is lost. Throws what the disk said. */
  commit(record: JournalRecord): Promise<void>;
  /** Returns what takes the listener off again. */
  onRecord(listener: (record: JournalRecord) => void): () => void;
}

export function createRunRecords(journal: Journal): RunRecords {
  const listeners = new Set<(record: JournalRecord) => void>();
  const announce = (record: JournalRecord) => {
    // A copy: a listener that this record adds has not missed it.
    for (const listener of [...listeners]) listener(record);
  };
  return {
    write(record) {
      journal.append(record);
      announce(record);
    },
    async commit(record) {
      await journal.commit(record);
      announce(record);
    },
    onRecord(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
