import type { Toast } from '../ui/toast.tsx';
import { goTo } from './navigation.ts';
import { runProgress } from './runs.ts';

/** A toast action that shows this window's live run, which keeps another run from starting; undefined without one. */
export function linkToLiveRun(): Toast['action'] {
  const live = Object.values(runProgress.get()).find((progress) => progress.live);
  return live && { label: 'Show it', run: () => goTo({ page: 'run', runId: live.runId }) };
}
