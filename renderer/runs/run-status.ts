import type { RunEntry } from '#protocol/ipc.ts';

/** True if the run was interrupted and no process runs it. */
export const hasEndedEarly = ({ status }: Pick<RunEntry, 'status'>): boolean =>
  status === 'interrupted' || status === 'cancelled';

/** True if trials are missing and no process runs them. */
export const canResume = (run: Pick<RunEntry, 'status' | 'trialsDone' | 'trialsPlanned'>): boolean =>
  hasEndedEarly(run) && run.trialsDone < (run.trialsPlanned ?? Number.POSITIVE_INFINITY);
