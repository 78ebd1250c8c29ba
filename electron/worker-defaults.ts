import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Sets what `npm start` and the command `dyno` set for the Node of workers, for a packaged window that nothing started
 * before: a compile cache of the user's own, and no warning at each start that node:sqlite is experimental.
 */
export function setWorkerDefaults(environment: NodeJS.ProcessEnv = process.env): void {
  const cache =
    process.platform === 'win32'
      ? (environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'))
      : environment.XDG_CACHE_HOME || join(homedir(), '.cache');
  environment.NODE_COMPILE_CACHE ||= join(cache, 'dyno', 'compiled');
  environment.NODE_NO_WARNINGS ||= '1';
}
