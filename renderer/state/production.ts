import type { ToConfirm } from '#model/production.ts';
import { createQuestion } from './question.ts';

/** Takes the typed hosts, or null if the user cancels. */
const question = createQuestion<{ readonly hosts: readonly ToConfirm[] }, readonly string[] | null>(null);

/** The production connections whose hosts the dialog asks for. Null if it is closed. */
export const productionQuestion = question.open;

/** Asks the user to type the hosts of production connections. */
export const askToConfirm = (hosts: readonly ToConfirm[]): Promise<readonly string[] | null> => question.ask({ hosts });
