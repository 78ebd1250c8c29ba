import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { DynoError } from '#model/error.ts';
import { environment } from './environment.ts';
import type { Installation } from './installation.ts';

/** Runs a command of the command line in a home, and resolves with its output. Throws the error that it prints. */
export async function runCommand(
  { node, cli, env }: Installation,
  home: string,
  args: readonly string[],
): Promise<string> {
  const child = spawn(node, [cli, ...args], {
    env: environment({ ...env, DYNO_HOME: home, NODE_NO_WARNINGS: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, said, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done)),
  ]);
  if (code === 0) return output;
  throw printedError(said) ?? new DynoError('other', `dyno ${args[0]} ended with ${code}: ${said.trim()}`);
}

/** The error that `terminalErrorText` (workers/cli/dispatch.ts) has written after other lines; null: there is none. */
export function printedError(said: string): DynoError | null {
  const [, code = null, message, hint = null] =
    /(?:^|\n)error(?: \(([^)]+)\))?: ([\s\S]*?)(?:\n {2}try: ([\s\S]*))?$/.exec(said.trim()) ?? [];
  return message === undefined ? null : new DynoError('other', message, { code, hint });
}
