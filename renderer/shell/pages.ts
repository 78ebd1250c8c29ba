import { fetchedPage } from './fetched-page.tsx';

// The home page is part of the window's code. All other pages are loaded when the window is idle after its start, or
// when they are opened. Without their charts and editors the window starts a third sooner.
const library = fetchedPage(async () => (await import('../library/library-view.tsx')).LibraryView);
const experiment = fetchedPage(async () => (await import('../library/experiment-page.tsx')).ExperimentPage);
const story = fetchedPage(async () => (await import('../library/story-page.tsx')).StoryPage);
const builder = fetchedPage(async () => (await import('../builder/builder-view.tsx')).BuilderView);
const connections = fetchedPage(async () => (await import('../connections/connections-view.tsx')).ConnectionsView);
const connection = fetchedPage(async () => (await import('../connections/connection-view.tsx')).ConnectionView);
const hosts = fetchedPage(async () => (await import('../load-hosts/load-hosts-view.tsx')).LoadHostsView);
const settings = fetchedPage(async () => (await import('./settings/settings-view.tsx')).SettingsView);
const runs = fetchedPage(async () => (await import('../runs/runs-view.tsx')).RunsView);
const run = fetchedPage(async () => (await import('../live/run-view.tsx')).RunView);
const history = fetchedPage(async () => (await import('../history/history-view.tsx')).HistoryView);
const compare = fetchedPage(async () => (await import('../live/compare-view.tsx')).CompareView);

export const LibraryView = library.View;
export const ExperimentPage = experiment.View;
export const StoryPage = story.View;
export const BuilderView = builder.View;
export const ConnectionsView = connections.View;
export const ConnectionView = connection.View;
export const LoadHostsView = hosts.View;
export const SettingsView = settings.View;
export const RunsView = runs.View;
export const RunView = run.View;
export const HistoryView = history.View;
export const CompareView = compare.View;

type Fetched = { fetch(): Promise<void> };
const all: readonly Fetched[] = [
  library,
  experiment,
  story,
  builder,
  connections,
  connection,
  hosts,
  settings,
  runs,
  run,
  history,
  compare,
];

/** Loads all pages, one after the other, when the window is idle. */
export function fetchPages([next, ...others] = all): void {
  if (next) requestIdleCallback(() => void next.fetch().then(() => fetchPages(others)));
}
