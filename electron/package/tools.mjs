import { run } from '../setup/project.mjs';
import { getTools, onPath } from '../setup/window/system-packages.mjs';

/** Runs a program, and throws an error with the end of its output if it fails. */
export async function mustRun(program, args, options = {}) {
  const { code, output } = await run(program, args, { capture: true, ...options });
  if (code !== 0)
    throw new Error(`${program} failed (exit code ${code}):\n${output.trim().split('\n').slice(-12).join('\n')}`);
  return output;
}

/**
 * Ensures that a program is installed. Root on Debian installs it by apt-get; otherwise the error contains the command
 * to type.
 */
export async function ensureTool(program, packages) {
  if (onPath(program)) return;
  await getTools(`${program} is not installed.`, packages);
  if (!onPath(program))
    throw new Error(`${program} is still missing after the installation of ${packages['apt-get']}.`);
}
