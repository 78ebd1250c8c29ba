import type { PasswordNeed, Passwords } from '#model/connections.ts';
import type { Answers, Asked } from '#protocol/ipc.ts';
import { request } from './bridge.ts';
import { askToConfirm } from './production.ts';
import { createQuestion } from './question.ts';
import { askToChange } from './server-changes.ts';
import { askTrust } from './trust.ts';

interface Answer {
  readonly passwords: Passwords;
  /** True if the main process keeps the passwords in memory until Dyno quits. */
  readonly remember: boolean;
}

const question = createQuestion<{ readonly needs: readonly PasswordNeed[] }, Answer | null>(null);

/** The passwords that the dialog asks for. Null if it is closed. */
export const passwordQuestion = question.open;

/**
 * Sends a request. While the answer contains a question, it asks the user and sends the request again with the answers:
 * trust in an experiment from elsewhere, the hosts of production connections, missing passwords, the names of
 * connections whose servers a run changes. Returns null if the user cancels.
 */
export async function withAnswers<T extends object>(send: (answers: Answers) => Promise<T | Asked>): Promise<T | null> {
  let answers: Answers = { passwords: {}, confirmed: [], changed: [] };
  const asked = new Set<string>();
  for (;;) {
    const answer = await send(answers);
    const kind = ['foreign', 'toConfirm', 'needs', 'toChange'].find((one) => one in answer);
    if (kind === undefined) return answer as T;
    // A question is asked only once. If it comes again, the given answer was wrong.
    if (asked.has(kind)) return null;
    asked.add(kind);
    if ('foreign' in answer) {
      if (!(await askTrust(answer.foreign))) return null;
      await request('experiments:trust', { trustId: answer.trustId });
    } else if ('toConfirm' in answer) {
      const confirmed = await askToConfirm(answer.toConfirm);
      if (confirmed === null) return null;
      answers = { ...answers, confirmed };
    } else if ('toChange' in answer) {
      const changed = await askToChange(answer.toChange);
      if (changed === null) return null;
      answers = { ...answers, changed };
    } else if ('needs' in answer) {
      const given = await question.ask({ needs: answer.needs });
      if (given === null) return null;
      if (given.remember) await request('connections:remember', { passwords: given.passwords });
      answers = { ...answers, passwords: given.passwords };
    }
  }
}
