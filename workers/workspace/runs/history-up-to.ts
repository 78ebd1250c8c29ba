import type { RunModel } from '#analysis/run-model/run-model.ts';
import { chosenSize } from '#experiment/schema/sizes.ts';
import type { Home } from '#platform/paths.ts';
import type { History } from '#protocol/history.ts';
import type { SectionName } from '#protocol/report-choices.ts';
import { isFolderFormat, type ReportFormat } from '#protocol/report-formats.ts';
import { openRuns } from './runs.ts';

/**
 * The history of the experiment of a run up to this run, if its report shows it. Null for a report without a history,
 * and for a run that is not a complete run of the home.
 */
export async function historyUpTo(
  home: Home,
  { plan: { experiment }, runId, startedAt }: RunModel,
  sections: readonly SectionName[],
  format: ReportFormat,
): Promise<History | null> {
  // Tables always have a history, and sets of pictures have none.
  const isWanted = isFolderFormat(format) ? format === 'csv' || format === 'parquet' : sections.includes('history');
  if (!isWanted) return null;
  const { name } = experiment;
  const of = { name, size: chosenSize(experiment), last: null, since: null, until: startedAt };
  const history = await openRuns(home).history(of);
  return history.runs.at(-1)?.id === runId ? history : null;
}
