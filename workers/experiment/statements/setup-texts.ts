import type { Experiment } from '../schema/experiment.ts';
import { type TextChoice, textFor } from './statement-mix.ts';

/** A statement of `setup` as a target runs it. */
interface SetupText {
  readonly name: string;
  readonly text: string;
}

/** The statements of `setup` that have a text for a target, in the order of the file. */
export const setupTexts = ({ setup = {} }: Pick<Experiment, 'setup'>, choice: TextChoice): readonly SetupText[] =>
  Object.entries(setup).flatMap(([name, written]) => {
    const text = textFor(written, choice);
    return text === null ? [] : [{ name, text }];
  });
