import { useEffect, useState } from 'react';
import { type ErrorData, toErrorData } from '#model/error.ts';
import type { History } from '#protocol/history.ts';
import { request } from '../state/bridge.ts';

/** A history that was asked for: null until the answer. */
interface Asked {
  readonly history: History | null;
  readonly error: ErrorData | null;
}

/**
 * The history of an experiment's runs of one size. It is read anew when `runs`, a text about these runs, has changed.
 */
export function useHistory(experiment: string, size: string | null, runs: string): Asked {
  const [asked, setAsked] = useState<Asked>({ history: null, error: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the runs decide the answer
  useEffect(() => {
    let isCurrent = true;
    const take = (next: Asked) => {
      if (isCurrent) setAsked(next);
    };
    request('history:of', { experiment, size }).then(
      ({ history }) => take({ history: JSON.parse(history), error: null }),
      (thrown) => take({ history: null, error: toErrorData(thrown) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [experiment, size, runs]);
  return asked;
}
