import type { Enough } from './run-model.ts';

/** The number of the last complete round of a run that made no more repeats; 0: none. */
export const lastRound = (enough: Enough): number => ('precision' in enough ? enough.precision.round : enough.round);
