import type { CellFacts, RunFacts } from '../shared/facts.ts';

/** The cells whose work looks for rows: a plan may find them well or badly. */
export const findingOperations = ({ measured }: RunFacts): readonly CellFacts[] =>
  measured.filter(({ settings: { operation } }) =>
    ['readByKey', 'readRange', 'update', 'delete', 'statement'].includes(operation),
  );
