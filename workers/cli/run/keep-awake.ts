import { spawn } from 'node:child_process';
import { childEnvironment } from '#platform/child-environment.ts';

/** Programs that keep a machine awake while another process runs. */
const keepers: Readonly<Partial<Record<NodeJS.Platform, (pid: number) => readonly [string, ...string[]]>>> = {
  linux: (pid) => [
    'systemd-inhibit',
    ...['--what=sleep:idle', '--who=Dyno', '--why=An experiment is running', '--mode=block'],
    ...['tail', `--pid=${pid}`, '-f', '/dev/null'],
  ],
  darwin: (pid) => ['caffeinate', '-i', '-w', String(pid)],
};

/**
 * Keeps the machine awake until disposal or until this process ends. A machine without the program, or without the
 * permission, follows its own sleep settings.
 */
export function keepAwake(keeper = keepers[process.platform]): Disposable {
  if (!keeper) return { [Symbol.dispose]() {} };
  const [program, ...args] = keeper(process.pid);
  const child = spawn(program, args, { stdio: 'ignore', env: childEnvironment() });
  child.on('error', () => {
    // The program is not installed.
  });
  child.unref();
  return {
    [Symbol.dispose]() {
      child.kill();
    },
  };
}
