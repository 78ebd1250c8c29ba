import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { toErrorData } from '#model/error.ts';
import { type Command, text, type Values } from './command.ts';

/**
 * The reason why a file in an option cannot be written; null: all can. The check runs before the work that produces the
 * files.
 */
export function outputProblem(values: Values, options: Command['options']): string | null {
  for (const [option, { isOutput }] of Object.entries(options)) {
    const file = text(values, option);
    if (!isOutput || file === undefined || file === '-') continue;
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
