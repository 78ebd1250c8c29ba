import { currentPage, goTo } from '../state/navigation.ts';
import { runs } from '../state/runs.ts';
import { startRun } from '../state/start-run.ts';
import { createStore } from '../state/store.ts';
import { showToast } from '../ui/overlays/toast.tsx';
import { annotateRun } from './run-actions.ts';

/** The runs with which the new run is compared: first the run whose experiment it runs again. */
interface RunAgain {
  readonly originals: readonly string[];
}

/** The question of the dialog; null if it is closed. */
export const differenceDialog = createStore<RunAgain | null>(null);

/** Asks for a difference from the experiment of a run, runs it, and compares the new run with these runs. */
export const runWithDifference = (...originals: readonly string[]): void => differenceDialog.set({ originals });

/** Runs an experiment. When the run is complete, it is compared with the original ones. */
export async function startWithDifference(text: string, title: string, originals: readonly string[]): Promise<void> {
  const started = await startRun(text);
  if (!started) return;
  const { runId } = started;
  differenceDialog.set(null);
  goTo({ page: 'run', runId });
  await annotateRun(runId, { title });
  compareWhenComplete(runId, originals);
}

/** Shows the comparison when the run is complete; if the user has gone to another page meanwhile, offers it. */
function compareWhenComplete(runId: string, originals: readonly string[]): void {
  const compare = () => goTo({ page: 'compare', runIds: [...originals, runId] });
  let stop = () => {};
  const look = () => {
    const status = runs.get()?.find(({ id }) => id === runId)?.status;
    if (status === undefined || status === 'running') return;
    stop();
    if (status !== 'complete') return;
    const here = currentPage.get();
    if (here.page === 'run' && here.runId === runId) compare();
    else
      showToast({
        tone: 'info',
        title: 'The run with a difference is complete',
        action: { label: 'Compare', run: compare },
      });
  };
  stop = runs.subscribe(look);
  look();
}
