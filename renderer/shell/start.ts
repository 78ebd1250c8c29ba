import { scheduleCheck } from '../builder/draft/draft-store.ts';
import { loadLibrary } from '../library/library-store.ts';
import { loadAppInfo } from '../state/app-info.ts';
import { listen } from '../state/bridge.ts';
import { loadConnections } from '../state/connections.ts';
import { goTo } from '../state/navigation.ts';
import { loadRuns } from '../state/runs.ts';
import { keepDrafts, restoreDrafts } from './kept-drafts.ts';
import { loadRecentFiles, showOpened } from './opened-things.ts';
import { reportUnsavedChanges } from './unsaved-changes.ts';

/** Loads what every page needs, then shows what a crash has left unsaved, and what Dyno was started to open. */
export async function start(): Promise<void> {
  reportUnsavedChanges();
  // A connection that the experiment in the builder names may have appeared or gone.
  listen('connections:changed', () => scheduleCheck());
  listen('run:chosen', ({ runId }) => goTo({ page: 'run', runId }));
  await Promise.all([loadAppInfo(), loadLibrary(), loadRuns(), loadConnections(), loadRecentFiles()]);
  await restoreDrafts();
  keepDrafts();
  listen('files:changed', () => void showOpened());
  await showOpened();
}
