import type { PasswordNeed, Passwords } from '#model/connections.ts';
import type { Asked } from '#protocol/ipc.ts';
import { request } from './bridge.ts';
import { createStore } from './store.ts';
import { askTrust } from './trust.ts';

interface Question {
  readonly needs: readonly PasswordNeed[];
  /** Null if the user cancels. */
  readonly answer: (answer: Answer | null) => void;
}

interface Answer {
  readonly passwords: Passwords;
  /** Whether the main process keeps them in memory until Dyno quits. */
  readonly remember: boolean;
}

/** The passwords that the dialog asks for now; null if it is closed. */
export const question = createStore<Question | null>(null);

const ask = (needs: readonly PasswordNeed[]): Promise<Answer | null> =>
  new Promise((resolve) => {
    question.get()?.answer(null);
    question.set({
      needs,
      answer: (answer) => {
        question.set(null);
        resolve(answer);
      },
    });
  });

/**
 * Sends a request; if the answer has a question, whether an experiment from elsewhere is trusted, then for missing
 * passwords, asks it and sends the request again. Null if the user cancels.
 */
export async function withPasswords<T extends object>(
  send: (passwords: Passwords) => Promise<T | Asked>,
): Promise<T | null> {
  let first = await send({});
  if ('foreign' in first) {
    if (!(await askTrust(first.foreign))) return null;
    await request('experiments:trust', { trustId: first.trustId });
    first = await send({});
  }
  if ('foreign' in first) return null;
  if (!('needs' in first)) return first;
  const answered = await ask(first.needs);
  if (answered === null) return null;
  const { passwords, remember } = answered;
  if (remember) await request('connections:remember', { passwords });
  const answer = await send(passwords);
  return 'needs' in answer || 'foreign' in answer ? null : answer;
}
