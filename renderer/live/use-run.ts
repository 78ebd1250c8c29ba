import { useEffect, useState, useSyncExternalStore } from 'react';
import { acquireFeed, type RunFeed, releaseFeed } from './run-feed.ts';

const noSubscription = () => () => {};
const noVersion = () => 0;

/** Watches a run while the view is mounted; null before its first effect. */
export function useRun(runId: string): RunFeed | null {
  const [feed, setFeed] = useState<RunFeed | null>(null);
  useEffect(() => {
    setFeed(acquireFeed(runId));
    return () => releaseFeed(runId);
  }, [runId]);
  useSyncExternalStore(feed?.subscribe ?? noSubscription, feed?.version ?? noVersion);
  return feed;
}
