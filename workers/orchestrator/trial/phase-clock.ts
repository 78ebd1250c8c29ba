import { phaseText } from '#analysis/text/phase-text.ts';
import { sentence } from '#model/format/sentence.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { Phase } from '#protocol/measurement.ts';
import type { PlannedTrial } from '#protocol/plan.ts';

export interface PhaseClock {
  /** Begins a phase; `drainedFrom` (ms, process.hrtime) separates the drain from the measured phase before it. */
  enter(phase: Phase, drainedFrom?: number): void;
  stop(): void;
  readonly phaseMs: Readonly<Partial<Record<Phase, number>>>;
}

/** A monotonic clock that records the duration of each phase in the journal. The wall clock only labels. */
export function phaseClock(
  trial: PlannedTrial,
  /** The variant's name in tables. */
  variant: string,
  write: (record: JournalRecord) => void,
  onActivity: (text: string) => void,
): PhaseClock {
  const phaseMs: Partial<Record<Phase, number>> = {};
  const now = () => Number(process.hrtime.bigint() / 1_000n) / 1e3;
  let current: Phase | null = null;
  let since = now();
  const end = (drainedFrom?: number) => {
    const at = now();
    if (current === 'measure' && drainedFrom !== undefined && drainedFrom >= since && drainedFrom <= at) {
      phaseMs.drain = at - drainedFrom;
      phaseMs.measure = drainedFrom - since;
    } else if (current) phaseMs[current] = (phaseMs[current] ?? 0) + at - since;
    since = at;
  };
  return {
    enter(phase, drainedFrom) {
      if (phase === current) return;
      end(drainedFrom);
      current = phase;
      write({ record: 'phase', at: new Date().toISOString(), trial: trial.number, phase });
      onActivity(`${sentence(phaseText[phase])}: ${variant} on ${trial.target}`);
    },
    stop() {
      end();
      current = null;
    },
    phaseMs,
  };
}
