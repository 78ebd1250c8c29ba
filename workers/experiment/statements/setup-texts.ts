import type { Experiment } from '../schema/experiment.ts';
import { type TextChoice, textFor } from './statement-mix.ts';

/** A statement of `setup` or `teardown` as a target runs it. */
interface SetupText {
  readonly name: string;
  readonly text: string;
}

/** The statements of `setup` that have a text for a target, in the order of the file. */
export const setupTexts = ({ setup }: Pick<Experiment, 'setup'>, choice: TextChoice): readonly SetupText[] =>
  textsIn(setup, choice);

/** The statements of `teardown` that have a text for a target, in the order of the file. */
export const teardownTexts = ({ teardown }: Pick<Experiment, 'teardown'>, choice: TextChoice): readonly SetupText[] =>
  textsIn(teardown, choice);

const textsIn = (section: Experiment['setup'] = {}, choice: TextChoice): readonly SetupText[] =>
  Object.entries(section).flatMap(([name, written]) => {
    const text = textFor(written, choice);
    return text === null ? [] : [{ name, text }];
  });
