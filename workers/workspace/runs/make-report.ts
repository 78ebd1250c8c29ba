import { answeringThread } from '../library/thread-answers.ts';
import type { ReportRequest } from './report-thread.ts';

/**
 * Long runs have millions of rows, and wide ones hundreds of charts. A run and the libraries of all formats take more
 * memory than the next report saves time.
 */
const making = answeringThread<ReportRequest, string>({
  file: new URL('./report-thread.ts', import.meta.url),
  what: 'Making the report',
  limitMs: 1_800_000,
  endsAtOnce: true,
  hint: 'Choose fewer sections, or make the report by dyno report.',
});

/** Makes a report in a thread, so that the window never waits for it. Returns its path, or its HTML. */
export const makeReport = (request: ReportRequest): Promise<string> => making.ask(request);
