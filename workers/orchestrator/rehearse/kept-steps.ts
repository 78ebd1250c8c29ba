import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMapping } from '#model/is-mapping.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import { makeFolder } from '#platform/make-folder.ts';

/** The steps of a rehearsal whose results are files of its folder. */
const steps = ['statements', 'tables', 'tries', 'run'] as const;
/** The name of a step. */
type StepName = (typeof steps)[number];

/**
 * The results of the steps of a rehearsal, so that a rehearsal that was left goes on where it was. A step with other
 * inputs is done again, and so are those after it, because its result is an input of theirs.
 */
export interface KeptSteps {
  readonly folder: string;
  /** The kept result of a step with these inputs; null: there is none. */
  read<T>(step: StepName, inputs: unknown): T | null;
  keep(step: StepName, inputs: unknown, result: unknown): void;
  /** Deletes all results. */
  forget(): void;
}

/** Opens the folder of a rehearsal, which only its owner can read: statistics have values of the server. */
export function openSteps(folder: string): KeptSteps {
  makeFolder(folder, 0o700);
  const fileOf = (step: StepName) => join(folder, `${step}.json`);
  const keyOf = (inputs: unknown) => createHash('sha256').update(JSON.stringify(inputs)).digest('hex');
  return {
    folder,
    read<T>(step: StepName, inputs: unknown) {
      const found = readJson(fileOf(step));
      // Only this file writes the results, and a file of another version has another key.
      return isMapping(found) && found.inputs === keyOf(inputs) ? (found.result as T) : null;
    },
    keep(step, inputs, result) {
      writeAtomically(fileOf(step), JSON.stringify({ inputs: keyOf(inputs), result }));
    },
    forget() {
      for (const step of steps) rmSync(fileOf(step), { force: true });
    },
  };
}
