import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { acquireFeed, type RunFeed, releaseFeed } from './run-feed.ts';

/** Watches runs while the view is mounted; empty before its first effect. The list keeps its identity. */
export function useRuns(runIds: readonly string[]): readonly RunFeed[] {
  const [feeds, setFeeds] = useState<readonly RunFeed[]>([]);
  useEffect(() => {
    setFeeds(runIds.map(acquireFeed));
    return () => runIds.forEach(releaseFeed);
  }, [runIds]);
  const subscribe = useCallback(
    (listener: () => void) => {
      const stops = feeds.map((feed) => feed.subscribe(listener));
      return () => {
        for (const stop of stops) stop();
      };
    },
    [feeds],
  );
  useSyncExternalStore(subscribe, () => feeds.reduce((sum, feed) => sum + feed.version(), 0));
  return feeds;
}

/** Watches a run while the view is mounted; null before its first effect. */
export function useRun(runId: string): RunFeed | null {
  const [feed = null] = useRuns(useMemo(() => [runId], [runId]));
  return feed;
}
