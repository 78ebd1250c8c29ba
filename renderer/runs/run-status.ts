import type { RunEntry } from '#protocol/ipc.ts';

export const statusText: Readonly<Record<RunEntry['status'], string>> = {
  running: 'Running',
  complete: 'Complete',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
  unreadable: 'Unreadable',
};

/** True if trials are missing and no process runs them. */
export const canResume = (run: Pick<RunEntry, 'status' | 'trialsDone' | 'trialsPlanned'>): boolean =>
  run.status === 'interrupted' ||
  (run.status === 'cancelled' && run.trialsDone < (run.trialsPlanned ?? Number.POSITIVE_INFINITY));
