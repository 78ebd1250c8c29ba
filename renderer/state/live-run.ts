import type { RunProgress } from '#protocol/ipc.ts';
import type { Toast } from '../ui/overlays/toast.tsx';
import { goTo } from './navigation.ts';
import { runProgress } from './runs.ts';

/** The progress of this window's live run, if there is one. */
export const liveRun = (all: Readonly<Record<string, RunProgress>>): RunProgress | undefined =>
  Object.values(all).find(({ live }) => live);

/**
 * The toast action that shows this window's live run, because it prevents other runs from starting. Undefined without a
 * live run.
 */
export function linkToLiveRun(): Toast['action'] {
  const live = liveRun(runProgress.get());
  return live && { label: 'Show it', run: () => goTo({ page: 'run', runId: live.runId }) };
}
