import { goTo } from '../shell/navigation.ts';
import type { Toast } from '../ui/toast.tsx';
import { runProgress } from './runs-store.ts';

/** The way to the run that is live in this window: why another one cannot be started. */
export function wayToLiveRun(): Toast['action'] {
  const live = Object.values(runProgress.get()).find((progress) => progress.live);
  return live && { label: 'Show it', run: () => goTo({ page: 'run', runId: live.runId }) };
}
