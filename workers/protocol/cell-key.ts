import type { Cell } from './plan.ts';

/** The cell of a value that belongs to one, without its other members. */
export const cellOf = ({ variant, target }: Cell): Cell => ({ variant, target });

/** A cell as text, for keys of maps and sets. */
export const keyOf = ({ variant, target }: Cell): string => JSON.stringify([variant, target]);
