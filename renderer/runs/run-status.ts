import type { RunEntry } from '#protocol/ipc.ts';
import { texts } from './text.ts';

export const statusText: Readonly<Record<RunEntry['status'], string>> = {
  running: texts.runStatus.running,
  complete: texts.runStatus.complete,
  cancelled: texts.runStatus.cancelled,
  interrupted: texts.runStatus.interrupted,
  unreadable: texts.runStatus.unreadable,
};

/** True if the run ended before its end, and no process runs it. */
export const hasEndedEarly = ({ status }: Pick<RunEntry, 'status'>): boolean =>
  status === 'interrupted' || status === 'cancelled';

/** True if trials are missing and no process runs them. */
export const canResume = (run: Pick<RunEntry, 'status' | 'trialsDone' | 'trialsPlanned'>): boolean =>
  hasEndedEarly(run) && run.trialsDone < (run.trialsPlanned ?? Number.POSITIVE_INFINITY);
