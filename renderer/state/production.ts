import type { ToConfirm } from '#model/production.ts';
import { createQuestion } from './question.ts';

/** The answer: the typed hosts; null if the user cancels. */
const question = createQuestion<{ readonly hosts: readonly ToConfirm[] }, readonly string[] | null>(null);

/** The production connections whose hosts the dialog asks for now; null if it is closed. */
export const productionQuestion = question.open;

/** Has the user type the hosts of production connections. */
export const askToConfirm = (hosts: readonly ToConfirm[]): Promise<readonly string[] | null> => question.ask({ hosts });
