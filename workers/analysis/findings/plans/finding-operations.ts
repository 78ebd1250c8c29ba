import type { CellFacts, RunFacts } from '../shared/facts.ts';

/** The cells whose work searches for rows, so that plans matter. */
export const findingOperations = ({ measured }: RunFacts): readonly CellFacts[] =>
  measured.filter(({ settings: { operation } }) =>
    ['readByKey', 'readRange', 'update', 'delete', 'statement'].includes(operation),
  );
