import type { ProbeInfo } from '#engine-api/probe.ts';
import type { JournalRecord, TargetRecord } from '#protocol/journal.ts';
import type { NumberedCall } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { fixtureJournal } from '../run-model/run.fixture.ts';

const pages: ProbeInfo = { unit: 'count', label: 'Pages read', role: 'pagesRead' };
const tablePages = 1_000;
const tablePageBytes = 8_192;

/** The times and reads of a trial's calls, with an emptied and with a filled cache. */
const emptied = [
  { ms: 300, read: tablePages },
  { ms: 100, read: 50 },
  { ms: 50, read: 3 },
] as const;
const asItWas = [
  { ms: 60, read: 0 },
  { ms: 50, read: 0 },
  { ms: 50, read: 0 },
] as const;

/**
 * A run with three calls per trial. The cache was emptied before the calls of multiRow. Calls of the second repeat take
 * a fifth longer. Only PostgreSQL counts the pages that it reads; `pageBytes` null: it does not report their size.
 */
export function* callJournal(pageBytes: number | null = tablePageBytes): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [1], repeats: 2 })) {
    if (record.record === 'header') yield { ...record, plan: reportedPerCall(record.plan) };
    else if (record.record === 'target' && record.target.name === 'PostgreSQL')
      yield { ...record, target: countingPages(record.target, pageBytes) };
    else if (record.record === 'result') {
      const { result } = record;
      const isCounted = result.target === 'PostgreSQL';
      const perCall = (result.variant.includes('multiRow') ? emptied : asItWas).map(
        ({ ms, read }): NumberedCall => ({
          ms: ms * (result.repeat === 2 ? 1.2 : 1),
          rows: 1_000,
          probeDelta: isCounted ? { blks_read: read } : {},
        }),
      );
      yield {
        ...record,
        result: { ...result, perCall, storedBytes: { tableBytes: tablePages * tablePageBytes, indexBytes: 0 } },
      };
    } else yield record;
  }
}

const countingPages = (target: TargetRecord, pageBytes: number | null): TargetRecord => ({
  ...target,
  probeInfo: { blks_read: pages },
  fingerprint: target.fingerprint && { ...target.fingerprint, ...(pageBytes !== null && { pageBytes }) },
});

const reportedPerCall = (plan: Plan): Plan => ({
  ...plan,
  measure: { ...plan.measure, until: 'calls', calls: 3 },
  variants: plan.variants.map((variant) =>
    variant.settings.method === 'multiRow'
      ? { ...variant, settings: { ...variant.settings, cache: 'cold' as const } }
      : variant,
  ),
});
