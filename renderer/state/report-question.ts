import type { ReportChoices } from '#presentation/report/report.ts';
import { createQuestion } from './question.ts';

/** Takes the choices, or null if the user cancels. */
const question = createQuestion<{ readonly runId: string }, ReportChoices | null>(null);

/** The run whose report the dialog asks about. Null if it is closed. */
export const reportQuestion = question.open;

/** Asks the user what the report contains. */
export const askForReport = (runId: string): Promise<ReportChoices | null> => question.ask({ runId });
