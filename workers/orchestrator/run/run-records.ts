import type { JournalRecord } from '#protocol/journal.ts';
import type { Journal } from '../journal/journal.ts';

/** Writes the records of one run and passes each of them to the run's listeners. */
export interface RunRecords {
  /** Queues the record for the file and announces it at once. */
  write(record: JournalRecord): void;
  /** Announces the record when it is safely on the disk, so no announced result is lost. Throws the disk's error. */
  commit(record: JournalRecord): Promise<void>;
  /** Returns a function that removes the listener. */
  onRecord(listener: (record: JournalRecord) => void): () => void;
}

export function createRunRecords(journal: Journal): RunRecords {
  const listeners = new Set<(record: JournalRecord) => void>();
  const announce = (record: JournalRecord) => {
    // The list is copied, because a listener that is added during this announcement must not get the record.
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
