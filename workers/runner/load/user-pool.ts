/** Those who do units of work, each a number that only the crowd itself understands. */
export interface Crowd {
  /** Of who has just joined, arrived or ended a unit: the pause that its own script has before the next one, ms. */
  readonly ownPauseMs: number;
  /** Of who has just joined or ended a unit: the load's think time comes before the next one, too. */
  readonly isNewUnit: boolean;
  /** A user of a closed load. */
  join(): number;
  /** Somebody who comes for so many units, and leaves by itself. */
  arrive(units: number): number;
  isUser(who: number): boolean;
  /** A user leaves, because the load has become less. */
  leave(who: number): void;
  /** Whose unit begins now. */
  begin(who: number): void;
  /** Who goes on after a unit, or {@link gone}. */
  next(who: number, succeeded: boolean, endMs: number): number;
}

export const gone = -1;

/** Nobody has a script: all there is to know of anybody is how many units are left; users have no end of them. */
export const plainCrowd: Crowd = {
  ownPauseMs: 0,
  isNewUnit: true,
  join: () => Number.POSITIVE_INFINITY,
  arrive: (units) => units,
  isUser: (who) => who === Number.POSITIVE_INFINITY,
  leave: () => {},
  begin: () => {},
  next: (who) => (who > 1 ? who - 1 : gone),
};
