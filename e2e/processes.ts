import { commandOf, pidsBelow } from '#platform/processes.fixture.ts';

/** Process ids of client workers below a process (Linux: from /proc), newest last. */
export const workersBelow = (pid: number): readonly number[] => below(pid, 'workers/worker.');

/** Process ids of the pages of a window, whose main process this is, newest last. */
export const pagesBelow = (pid: number): readonly number[] => below(pid, '--type=renderer');

const below = (pid: number, command: string): readonly number[] =>
  pidsBelow(pid).filter((child) => commandOf(child).includes(command));
