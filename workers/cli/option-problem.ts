import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { toErrorData } from '#model/error.ts';
import { type Command, text, type Values } from './command.ts';

/**
 * The reason why the value of an option cannot be used: it is none of the possible words, not of its form, or a file
 * that cannot be written. Null: all can. The check runs before the work that produces the files.
 */
export function optionProblem(values: Values, options: Command['options']): string | null {
  const printed: string[] = [];
  for (const [option, { isOutput, oneOf, problem }] of Object.entries(options)) {
    const file = text(values, option);
    if (file === undefined) continue;
    if (oneOf && !oneOf.includes(file))
      return `error: --${option} takes ${oneOf.map((one) => `“${one}”`).join(' or ')}.`;
    const wrong = problem?.(file);
    if (wrong) return `error: --${option} ${wrong}`;
    if (!isOutput) continue;
    if (file === '-') printed.push(option);
    if (printed.length > 1)
      return `error: --${printed.join(' and --')} cannot both go to standard output.\n  try: Name a file for one of them.`;
    if (file === '-') continue;
    const why = whyNot(resolve(file));
    if (why)
      return `error: --${option} ${file} cannot be written: ${why}\n  try: Choose a file in a folder that exists and that you can write to.`;
  }
  return null;
}

function whyNot(file: string): string | null {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.isDirectory()) return 'it is a folder.';
    // A file is first written beside its final place; a device or pipe is written directly.
    if (found) accessSync(file, constants.W_OK);
    if (!found || found.isFile()) accessSync(dirname(found ? realpathSync(file) : file), constants.W_OK);
    return null;
  } catch (thrown) {
    return toErrorData(thrown).message;
  }
}
