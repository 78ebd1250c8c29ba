import { scheduleCheck } from '../builder/draft/draft-store.ts';
import { loadLibrary } from '../library/library-store.ts';
import { loadAppInfo } from '../state/app-info.ts';
import { listen } from '../state/bridge.ts';
import { loadConnections } from '../state/connections.ts';
import { liveRun } from '../state/live-run.ts';
import { readLoadHosts } from '../state/load-hosts.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { loadRuns, runProgress } from '../state/runs.ts';
import { closeErrors } from '../ui/overlays/toast.tsx';
import { keepDrafts, restoreDrafts } from './kept-drafts.ts';
import { loadRecentFiles, showOpened } from './opened-things.ts';
import { fetchPages } from './pages.ts';
import { reportUnsavedChanges } from './unsaved-changes.ts';

/** An error belongs to the page on which it appeared, or to the live run. */
function closeStaleErrors(): void {
  currentPage.subscribe(closeErrors);
  let live = liveRun(runProgress.get())?.runId;
  runProgress.subscribe(() => {
    const now = liveRun(runProgress.get())?.runId;
    if (now !== live) closeErrors();
    live = now;
  });
}

/**
 * Loads the data that every page needs. Then it restores drafts that were left unsaved, and shows files that Dyno was
 * started to open.
 */
export async function start(): Promise<void> {
  const startPage = currentPage.get();
  closeStaleErrors();
  // A connection in the builder's experiment may have been added or removed.
  listen('connections:changed', () => scheduleCheck());
  listen('run:chosen', ({ runId }) => goTo({ page: 'run', runId }));
  await Promise.all([loadAppInfo(), loadLibrary(), loadRuns(), loadConnections(), readLoadHosts(), loadRecentFiles()]);
  await restoreDrafts(startPage);
  reportUnsavedChanges();
  keepDrafts();
  listen('files:changed', () => void showOpened());
  await showOpened();
  fetchPages();
}
