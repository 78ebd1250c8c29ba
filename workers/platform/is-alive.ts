import { readFileSync } from 'node:fs';

/**
 * True if there is a process of this id that has not ended. A killed process keeps its id until its parent asks for it
 * (a zombie), which the first process of a container may never do.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM')) return false;
  }
  return !isZombie(pid);
}

/** proc_pid_stat(5): the state follows the name, which is in parentheses. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
