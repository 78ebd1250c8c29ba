import { useState } from 'react';
import { type NumberEntry, numberProblem } from '../../ui/controls/number-field.tsx';
import { rowRules } from './how-hard.tsx';
import type { HowHard } from './own-sql.ts';

/** The load and the rows of the tables as the user types them. `usual`: the load at first. */
export function useLoad(usual: HowHard) {
  const [load, setLoad] = useState(usual);
  const [rows, setRows] = useState<NumberEntry>(10_000);
  return {
    load,
    setLoad,
    rows,
    setRows,
    /** Null: the field has no number that a table may have. */
    rowCount: typeof rows === 'number' && numberProblem(rows, rowRules) === null ? rows : null,
    weigh: (name: string, weight: NumberEntry) =>
      setLoad((now) => ({ ...now, weights: { ...now.weights, [name]: weight } })),
  };
}
