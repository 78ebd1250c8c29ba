import type { ForeignWork } from '#protocol/foreign-work.ts';
import { createStore } from './store.ts';

interface Question {
  readonly work: ForeignWork;
  readonly answer: (isTrusted: boolean) => void;
}

/** The experiment that the dialog asks about now; null if it is closed. */
export const trustQuestion = createStore<Question | null>(null);

/** Asks whether an experiment from elsewhere may do this. */
export const askTrust = (work: ForeignWork): Promise<boolean> =>
  new Promise((resolve) => {
    trustQuestion.get()?.answer(false);
    trustQuestion.set({
      work,
      answer: (isTrusted) => {
        trustQuestion.set(null);
        resolve(isTrusted);
      },
    });
  });
