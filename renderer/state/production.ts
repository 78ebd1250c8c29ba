import type { ToConfirm } from '#model/production.ts';
import { createStore } from './store.ts';

interface Question {
  readonly hosts: readonly ToConfirm[];
  /** The typed hosts; null if the user cancels. */
  readonly answer: (typed: readonly string[] | null) => void;
}

/** The production connections whose hosts the dialog asks for now; null if it is closed. */
export const productionQuestion = createStore<Question | null>(null);

/** Has the user type the hosts of production connections. */
export const askToConfirm = (hosts: readonly ToConfirm[]): Promise<readonly string[] | null> =>
  new Promise((resolve) => {
    productionQuestion.get()?.answer(null);
    productionQuestion.set({
      hosts,
      answer: (typed) => {
        productionQuestion.set(null);
        resolve(typed);
      },
    });
  });
