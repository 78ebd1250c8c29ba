import { spawn } from 'node:child_process';
import { childEnvironment } from './child-environment.ts';

/** The signals that stop a process and the milliseconds it has after each. The last signal cannot be refused. */
export type StopSignals = readonly (readonly [NodeJS.Signals, number])[];

/** SIGTERM shuts most servers down cleanly, which may include a checkpoint. */
export const terminate: StopSignals = [
  ['SIGTERM', 20_000],
  ['SIGKILL', 5_000],
];

/**
 * Arguments: pairs of a signal and fifths of a second. It looks often, because the system may give a free pid to
 * another process.
 */
const guardScript = `read word && exit
pid=$1
shift
while [ $# -gt 0 ]; do
  kill -"$1" "$pid" || exit
  kill -CONT "$pid"
  for _ in $(seq "$2"); do
    sleep 0.2
    kill -0 "$pid" || exit
  done
  shift 2
done`;

/**
 * A shell that waits at the end of a pipe: when this process dies without a word (kill -9), it stops the process with
 * that pid; a negative one stands for a process group. On Windows it does nothing. Returns a function that dismisses
 * the guard once the process is gone.
 */
export function guard(pid: number, signals: StopSignals = terminate): () => void {
  if (process.platform === 'win32') return () => {};
  const steps = signals.flatMap(([signal, ms]) => [signal.replace('SIG', ''), String(Math.ceil(ms / 200))]);
  const shell = spawn('/bin/sh', ['-c', guardScript, 'dyno-guard', String(pid), ...steps], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: childEnvironment(),
    detached: true,
  });
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  return () => shell.stdin.end('done\n');
}
