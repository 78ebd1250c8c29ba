import { scheduleCheck } from '../builder/draft/draft-store.ts';
import { openExperiment } from '../library/library-actions.ts';
import { library, loadLibrary } from '../library/library-store.ts';
import { loadAppInfo } from '../state/app-info.ts';
import { listen } from '../state/bridge.ts';
import { loadConnections } from '../state/connections.ts';
import { currentPage } from '../state/navigation.ts';
import { loadRuns, runs } from '../state/runs.ts';
import { reportUnsavedChanges } from './unsaved-changes.ts';

const starter = 'Insert duel';

/** Loads what every page needs. On first start, without any run, opens the starter experiment. */
export async function start(): Promise<void> {
  reportUnsavedChanges();
  // A connection that the experiment in the builder names may have appeared or gone.
  listen('connections:changed', () => scheduleCheck());
  await Promise.all([loadAppInfo(), loadLibrary(), loadRuns(), loadConnections()]);
  const entries = library.get() ?? [];
  const fresh = runs.get()?.length === 0 && entries.every((entry) => entry.origin === 'gallery');
  const first = entries.find((entry) => entry.name === starter) ?? entries[0];
  if (fresh && first && currentPage.get().page === 'experiments') await openExperiment(first);
}
