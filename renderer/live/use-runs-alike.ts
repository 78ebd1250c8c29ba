import { useEffect, useState } from 'react';
import type { RunsAlike } from '#protocol/runs-alike.ts';
import { request } from '../state/bridge.ts';

const none: RunsAlike = { ids: [], times: [] };

/**
 * The runs that measured the same as a run. There are none until they are known, and where they cannot be read: a
 * comparison then says that a difference may be drift.
 */
export function useRunsAlike(runId: string): RunsAlike {
  const [alike, setAlike] = useState(none);
  useEffect(() => {
    let isCurrent = true;
    request('history:alike', { runId }).then(
      (known) => {
        if (isCurrent) setAlike(known);
      },
      () => {},
    );
    return () => {
      isCurrent = false;
      setAlike(none);
    };
  }, [runId]);
  return alike;
}
