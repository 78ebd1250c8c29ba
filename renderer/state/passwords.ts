import type { PasswordNeed, Passwords } from '#model/connections.ts';
import { createStore } from './store.ts';

interface Question {
  readonly needs: readonly PasswordNeed[];
  /** Null if the user cancels. */
  readonly answer: (passwords: Passwords | null) => void;
}

/** The passwords that the dialog asks for now; null if it is closed. */
export const question = createStore<Question | null>(null);

const ask = (needs: readonly PasswordNeed[]): Promise<Passwords | null> =>
  new Promise((resolve) => {
    question.get()?.answer(null);
    question.set({
      needs,
      answer: (passwords) => {
        question.set(null);
        resolve(passwords);
      },
    });
  });

/**
 * Sends a request; if the answer lists missing passwords, asks for them and sends it again. Null if the user cancels.
 */
export async function withPasswords<T extends object>(
  send: (passwords: Passwords) => Promise<T | { readonly needs: readonly PasswordNeed[] }>,
): Promise<T | null> {
  const first = await send({});
  if (!('needs' in first)) return first;
  const passwords = await ask(first.needs);
  if (passwords === null) return null;
  const answer = await send(passwords);
  return 'needs' in answer ? null : answer;
}
