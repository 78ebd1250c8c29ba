import type { Cell } from '#protocol/plan.ts';

/** A cell as a key of maps and sets. */
export const keyOf = ({ variant, target }: Cell): string => JSON.stringify([variant, target]);
