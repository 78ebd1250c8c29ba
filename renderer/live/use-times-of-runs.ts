import { useEffect, useState } from 'react';
import type { RunEntry } from '#protocol/ipc.ts';
import type { TimesOfRuns } from '#protocol/times-of-runs.ts';
import { request } from '../state/bridge.ts';

const noTimes: readonly TimesOfRuns[] = [];

/**
 * The times of the runs of an experiment. They are empty until they are known, and where they cannot be read: a
 * comparison then says that a difference may be drift.
 */
export function useTimesOfRuns(of: Pick<RunEntry, 'name' | 'size'> | null): readonly TimesOfRuns[] {
  const [times, setTimes] = useState(noTimes);
  const [experiment, size] = [of?.name ?? null, of?.size ?? null];
  useEffect(() => {
    if (experiment === null) return;
    let isCurrent = true;
    request('history:times', { experiment, size }).then(
      (known) => {
        if (isCurrent) setTimes(known.times);
      },
      () => {},
    );
    return () => {
      isCurrent = false;
      setTimes(noTimes);
    };
  }, [experiment, size]);
  return times;
}
