import type { ProbeInfo } from '#engine-api/probe.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { timesOf } from '../run-model/journal-parts.fixture.ts';
import { fixtureJournal } from '../run-model/run.fixture.ts';

const wal: ProbeInfo = { unit: 'bytes', label: 'Log', role: 'logBytes' };

/**
 * A run in which PostgreSQL's trials committed 200 times each, in `ms` × connections; the other targets' calls commit
 * by themselves.
 */
export function* commitJournal(ms: number): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [1, 4] })) {
    if (record.record === 'target' && record.target.name === 'PostgreSQL') {
      yield { ...record, target: { ...record.target, probeInfo: { wal_bytes: wal } } };
    } else if (record.record === 'result' && record.result.target === 'PostgreSQL') {
      const { result } = record;
      const commit = timesOf([ms * (result.variant.endsWith('connections=4') ? 4 : 1), 200]);
      const totals = { ...result.totals, commits: 200, commit };
      yield { ...record, result: { ...result, totals } };
    } else yield record;
  }
}
