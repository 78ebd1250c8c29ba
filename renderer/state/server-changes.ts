import type { ServerToChange } from '#protocol/server-change.ts';
import { createQuestion } from './question.ts';

/** Takes the typed names of connections, or null if the user cancels. */
const question = createQuestion<{ readonly servers: readonly ServerToChange[] }, readonly string[] | null>(null);

/** The servers whose parameters a run would change. Null if the dialog is closed. */
export const serverChangeQuestion = question.open;

/** Asks the user to type the names of the connections whose servers may change. */
export const askToChange = (servers: readonly ServerToChange[]): Promise<readonly string[] | null> =>
  question.ask({ servers });
