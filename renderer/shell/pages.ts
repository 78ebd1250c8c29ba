import { lazy } from 'react';

// Home comes with the window; every other page is fetched when the window rests after its start, or when it is asked
// for: the window starts a third sooner without their charts and editors.
const loaders = {
  library: () => import('../library/library-view.tsx'),
  experiment: () => import('../library/experiment-page.tsx'),
  builder: () => import('../builder/builder-view.tsx'),
  connections: () => import('../connections/connections-view.tsx'),
  connection: () => import('../connections/connection-view.tsx'),
  hosts: () => import('../load-hosts/load-hosts-view.tsx'),
  runs: () => import('../runs/runs-view.tsx'),
  run: () => import('../live/run-view.tsx'),
  compare: () => import('../live/compare-view.tsx'),
};

export const LibraryView = lazy(async () => ({ default: (await loaders.library()).LibraryView }));
export const ExperimentPage = lazy(async () => ({ default: (await loaders.experiment()).ExperimentPage }));
export const BuilderView = lazy(async () => ({ default: (await loaders.builder()).BuilderView }));
export const ConnectionsView = lazy(async () => ({ default: (await loaders.connections()).ConnectionsView }));
export const ConnectionView = lazy(async () => ({ default: (await loaders.connection()).ConnectionView }));
export const LoadHostsView = lazy(async () => ({ default: (await loaders.hosts()).LoadHostsView }));
export const RunsView = lazy(async () => ({ default: (await loaders.runs()).RunsView }));
export const RunView = lazy(async () => ({ default: (await loaders.run()).RunView }));
export const CompareView = lazy(async () => ({ default: (await loaders.compare()).CompareView }));

/** Fetches all pages, one after the other, whenever the window has nothing else to do. */
export function fetchPages(rest = Object.values(loaders)): void {
  const [next, ...others] = rest;
  if (next) requestIdleCallback(() => void next().then(() => fetchPages(others)));
}
