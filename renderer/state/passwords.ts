import type { PasswordNeed, Passwords } from '#contract/connections.ts';
import { createStore } from './store.ts';

interface Question {
  readonly needs: readonly PasswordNeed[];
  /** Null: the user would rather not. */
  readonly answer: (passwords: Passwords | null) => void;
}

/** What is being asked for just now; the dialog shows it. */
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

/** Sends a request that may need passwords, and asks for those that it needs. Null where the user cancels. */
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
