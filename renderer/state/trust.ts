import type { ForeignWork } from '#protocol/foreign-work.ts';
import { createQuestion } from './question.ts';

const question = createQuestion<{ readonly work: ForeignWork }, boolean>(false);

/** The experiment in the dialog. Null if it is closed. */
export const trustQuestion = question.open;

/** Asks whether an experiment from elsewhere may run. */
export const askTrust = (work: ForeignWork): Promise<boolean> => question.ask({ work });
