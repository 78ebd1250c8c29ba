import type { Home } from '#platform/paths.ts';
import type { ReportFormat } from '#protocol/report-formats.ts';
import { answerRequests } from '../library/thread-requests.ts';
import { historyUpTo } from './history-up-to.ts';
import { loadRun } from './load-run.ts';
import { type ReportFileOptions, reportContent, writeReport } from './report-file.ts';

/** A request of the window to the thread that makes reports: a file or folder, or the HTML of a report. */
export interface ReportRequest {
  readonly home: Home;
  /** The run file. */
  readonly file: string;
  readonly options: Omit<ReportFileOptions, 'history'>;
  /** Null: the answer is the HTML. */
  readonly output: { readonly path: string; readonly format: ReportFormat } | null;
}

answerRequests(async ({ home, file, options: choices, output }: ReportRequest): Promise<string> => {
  const model = await loadRun(home, file);
  const history = await historyUpTo(home, model, choices.sections, output?.format ?? 'html');
  const options = { ...choices, history };
  if (output === null) return `${await reportContent(model, 'html', options)}`;
  await writeReport(model, output.path, output.format, options);
  return output.path;
});
