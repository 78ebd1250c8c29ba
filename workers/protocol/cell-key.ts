import type { Cell } from './plan.ts';

/** The cell alone of something that belongs to one. */
export const cellOf = ({ variant, target }: Cell): Cell => ({ variant, target });

/** A cell as a key of maps and sets. */
export const keyOf = ({ variant, target }: Cell): string => JSON.stringify([variant, target]);
