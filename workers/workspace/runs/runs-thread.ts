import type { Home } from '#platform/paths.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { answerRequests } from '../library/thread-requests.ts';
import { openRunEntries } from './run-entries.ts';

/** A request of `openRuns` to its thread: all runs of a home, or the one with this id. */
export interface RunEntriesRequest {
  readonly home: Home;
  readonly id: string | null;
}

const opened = new Map<string, ReturnType<typeof openRunEntries>>();

answerRequests(async ({ home, id }: RunEntriesRequest): Promise<readonly RunEntry[]> => {
  const entries = opened.get(home.runList) ?? openRunEntries(home);
  opened.set(home.runList, entries);
  return id === null ? entries.list() : [await entries.entry(id)];
});
