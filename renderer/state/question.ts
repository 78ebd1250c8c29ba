import { createStore, type Store } from './store.ts';

/** An open question, and the function that takes its answer. */
type Open<Asked, Answer> = Asked & { readonly answer: (answer: Answer) => void };

/** A question of the window to its user. */
interface Question<Asked, Answer> {
  /** The current question of the dialog. Null if it is closed. */
  readonly open: Store<Open<Asked, Answer> | null>;
  ask(asked: Asked): Promise<Answer>;
}

/** Creates a question. `cancelled` is the answer if the user cancels. A new question cancels an open one. */
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
