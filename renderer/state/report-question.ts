import type { ReportChoices } from '#protocol/report-choices.ts';
import type { ReportFormat } from '#protocol/report-formats.ts';
import { createQuestion } from './question.ts';

interface ReportQuestion {
  readonly runId: string;
  /** The use of the report once the user has answered. */
  readonly purpose: 'save' | 'print';
}

interface ReportAnswer {
  readonly choices: ReportChoices;
  /** The format of the file that is saved. */
  readonly format: ReportFormat;
}

/** Takes the choices, or null if the user cancels. */
const question = createQuestion<ReportQuestion, ReportAnswer | null>(null);

/** The run whose report the dialog asks about. Null if it is closed. */
export const reportQuestion = question.open;

/** Asks the user what the report contains. */
export const askForReport = (runId: string, purpose: ReportQuestion['purpose']): Promise<ReportAnswer | null> =>
  question.ask({ runId, purpose });
