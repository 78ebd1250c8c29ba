import { readdirSync, readFileSync } from 'node:fs';

/** Process ids of client workers below a process (Linux: from /proc), newest last. */
export const workersBelow = (pid: number): readonly number[] => below(pid, 'workers/worker.');

/** Process ids of the pages of a window, whose main process this is, newest last. */
export const pagesBelow = (pid: number): readonly number[] => below(pid, '--type=renderer');

const below = (pid: number, command: string): readonly number[] =>
  descendants(pid).filter((child) => commandLine(child).includes(command));

function descendants(pid: number): readonly number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), parentOf(Number(name))]),
  );
  const below = (root: number): number[] =>
    [...parents].flatMap(([child, parent]) => (parent === root ? [child, ...below(child)] : []));
  return below(pid).sort((a, b) => a - b);
}

function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // pid (name) state parent …; the name may hold anything, so count from its last bracket.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return -1;
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
