import type { ProbeInfo } from '#contract/engine.ts';
import type { JournalRecord } from '#contract/journal.ts';
import { Histogram } from '#stats/histogram.ts';
import { fixtureJournal } from './run.fixture.ts';

const wal: ProbeInfo = { unit: 'bytes', label: 'Log', role: 'logBytes' };

/** A run in which PostgreSQL's trials committed 200 times each, in `ms` × connections, those of the first repeat `times` as long; the other targets' calls commit by themselves. */
export function* commitJournal(ms: number, times = 1): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [1, 4] })) {
    if (record.record === 'target' && record.target.name === 'PostgreSQL') {
      yield { ...record, target: { ...record.target, probeInfo: { wal_bytes: wal } } };
    } else if (record.record === 'result' && record.result.target === 'PostgreSQL') {
      const { result } = record;
      const histogram = new Histogram();
      const first = result.repeat === 1 ? times : 1;
      histogram.recordMany(ms * first * (result.variant.endsWith('connections=4') ? 4 : 1) * 1e6, 200);
      const totals = { ...result.totals, commits: 200, commit: histogram.encode() };
      yield { ...record, result: { ...result, totals } };
    } else yield record;
  }
}
