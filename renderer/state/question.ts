import { createStore, type Store } from './store.ts';

/** An open question, with the function that takes the answer. */
type Open<Asked, Answer> = Asked & { readonly answer: (answer: Answer) => void };

/** A question of the window to its user. */
interface Question<Asked, Answer> {
  /** The dialog's current question; null if it is closed. */
  readonly open: Store<Open<Asked, Answer> | null>;
  ask(asked: Asked): Promise<Answer>;
}

/** `cancelled`: the answer of whoever cancels. A new question cancels the one that is open. */
export function createQuestion<Asked extends object, Answer>(cancelled: Answer): Question<Asked, Answer> {
  const open = createStore<Open<Asked, Answer> | null>(null);
  return {
    open,
    ask: (asked) =>
      new Promise((resolve) => {
        open.get()?.answer(cancelled);
        open.set({
          ...asked,
          answer: (answer) => {
            open.set(null);
            resolve(answer);
          },
        });
      }),
  };
}
