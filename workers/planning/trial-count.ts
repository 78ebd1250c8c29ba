import { formatCount } from '#model/format/format.ts';
import type { Plan } from '#protocol/plan.ts';
import { repeatsOf } from './repeats.ts';
import { searchLines, searchTrials } from './search-lines.ts';

interface TrialCount {
  /** Equals `most`, unless the run itself decides the number. */
  readonly least: number;
  readonly most: number;
}

/** The number of trials of a run; approximate for a search. */
export function trialCount(plan: Plan): TrialCount {
  const { trials, measure } = plan;
  if (measure.search) {
    const counts = searchLines(plan).map((line) => searchTrials(line, measure));
    return {
      least: counts.reduce((sum, { least }) => sum + least, 0),
      most: counts.reduce((sum, { most }) => sum + most, 0),
    };
  }
  const { min } = repeatsOf(measure);
  return { least: trials.filter(({ repeat }) => repeat <= min).length, most: trials.length };
}

/** "12 trials"; "10 to 60 trials". */
export function formatTrialCount({ least, most }: TrialCount): string {
  const number = least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`;
  return `${number} ${most === 1 ? 'trial' : 'trials'}`;
}
