import type { Cell } from './plan.ts';

/** The cell (variant and target) of a larger object, without its other members. */
export const cellOf = ({ variant, target }: Cell): Cell => ({ variant, target });

/** A cell as text, for keys of maps and sets. */
export const keyOf = ({ variant, target }: Cell): string => JSON.stringify([variant, target]);
