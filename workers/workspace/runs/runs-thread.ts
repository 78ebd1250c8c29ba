import type { RunFacts } from '#analysis/history/run-facts.ts';
import type { Home } from '#platform/paths.ts';
import { answerRequests } from '../library/thread-requests.ts';
import { type HistoryRequest, openRunEntries } from './run-entries.ts';

/**
 * A request of `openRuns` to its thread: all runs of a home, the one with this id, the history of an experiment, or the
 * runs that measured the same as another one.
 */
export type RunEntriesRequest = { readonly home: Home } & (
  | { readonly ask: 'list' }
  | { readonly ask: 'entry'; readonly id: string }
  | { readonly ask: 'history'; readonly of: HistoryRequest }
  /** As JSON, because a long text is passed on faster than many objects. */
  | { readonly ask: 'historyText'; readonly of: HistoryRequest }
  | { readonly ask: 'alike'; readonly like: string | RunFacts }
);

const opened = new Map<string, ReturnType<typeof openRunEntries>>();

answerRequests((request: RunEntriesRequest): Promise<unknown> => {
  const { home } = request;
  const entries = opened.get(home.runIndex) ?? openRunEntries(home);
  opened.set(home.runIndex, entries);
  switch (request.ask) {
    case 'list':
      return entries.list();
    case 'entry':
      return entries.entry(request.id);
    case 'history':
      return entries.history(request.of);
    case 'historyText':
      return entries.history(request.of).then((history) => JSON.stringify(history));
    case 'alike':
      return entries.alike(request.like);
  }
});
