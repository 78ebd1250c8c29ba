import type { RunEntry } from '#protocol/ipc.ts';
import { texts } from './text.ts';

export const statusText: Readonly<Record<RunEntry['status'], string>> = {
  running: texts.runStatus.running,
  complete: texts.runStatus.complete,
  cancelled: texts.runStatus.cancelled,
  interrupted: texts.runStatus.interrupted,
  unreadable: texts.runStatus.unreadable,
};

/** True if trials are missing and no process runs them. */
export const canResume = (run: Pick<RunEntry, 'status' | 'trialsDone' | 'trialsPlanned'>): boolean =>
  run.status === 'interrupted' ||
  (run.status === 'cancelled' && run.trialsDone < (run.trialsPlanned ?? Number.POSITIVE_INFINITY));
