import { tellUnsaved } from '../builder/tell-unsaved.ts';
import { loadConnections } from '../connections/connections-store.ts';
import { openExperiment } from '../library/library-actions.ts';
import { library, loadLibrary } from '../library/library-store.ts';
import { loadRuns, runs } from '../runs/runs-store.ts';
import { loadAppInfo } from './app-info.ts';
import { place } from './navigation.ts';

const starter = 'Insert duel';

/** Loads what every page needs; where nothing was ever run, opens the starter experiment ready to run. */
export async function start(): Promise<void> {
  tellUnsaved();
  await Promise.all([loadAppInfo(), loadLibrary(), loadRuns(), loadConnections()]);
  const entries = library.get() ?? [];
  const fresh = runs.get()?.length === 0 && entries.every((entry) => entry.origin === 'gallery');
  const first = entries.find((entry) => entry.name === starter) ?? entries[0];
  if (fresh && first && place.get().page === 'experiments') await openExperiment(first);
}
