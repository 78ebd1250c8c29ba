import { spawn } from 'node:child_process';
import { childEnvironment } from '#platform/child-environment.ts';

/** Programs that keep a machine awake for as long as another process lives. */
const keepers: Readonly<Partial<Record<NodeJS.Platform, (pid: number) => readonly [string, ...string[]]>>> = {
  linux: (pid) => [
    'systemd-inhibit',
    ...['--what=sleep:idle', '--who=Dyno', '--why=An experiment is running', '--mode=block'],
    ...['tail', `--pid=${pid}`, '-f', '/dev/null'],
  ],
  darwin: (pid) => ['caffeinate', '-i', '-w', String(pid)],
};

/**
 * Keeps the machine from going to sleep until this is disposed of, or this process ends in whatever way. A machine
 * without the program, or one that does not permit it, sleeps as it is set to.
 */
export function keepAwake(keeper = keepers[process.platform]): Disposable {
  if (!keeper) return { [Symbol.dispose]() {} };
  const [program, ...args] = keeper(process.pid);
  const child = spawn(program, args, { stdio: 'ignore', env: childEnvironment() });
  child.on('error', () => {
    // The program is not there.
  });
  child.unref();
  return {
    [Symbol.dispose]() {
      child.kill();
    },
  };
}
