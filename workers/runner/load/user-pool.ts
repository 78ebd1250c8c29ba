/**
 * The virtual users of a worker, by numbers that only the pool interprets. Each runs one unit of work after another.
 */
export interface UserPool {
  /** Pause in the script before the next unit, in ms, of the user who was last added or last ended a unit. */
  readonly scriptPauseMs: number;
  /** True if the load's think time also precedes the next unit of that user. */
  readonly thinksNext: boolean;
  /** Adds a user of a closed load, who stays until the load decreases. */
  addUser(): number;
  /** Adds a user who arrives in an open load and leaves after this many units. */
  addArrival(units: number): number;
  /** True if addUser() added this user. */
  isOfClosedLoad(user: number): boolean;
  /** Removes a user because the load has decreased. */
  remove(user: number): void;
  /** The next call belongs to a unit of this user. */
  begin(user: number): void;
  /** The user who continues after a unit of this one, or {@link gone}. */
  next(user: number, succeeded: boolean, endMs: number): number;
}

export const gone = -1;

/** Users without a script. A user's number is its count of remaining units: Infinity for users of a closed load. */
export const scriptlessUsers: UserPool = {
  scriptPauseMs: 0,
  thinksNext: true,
  addUser: () => Number.POSITIVE_INFINITY,
  addArrival: (units) => units,
  isOfClosedLoad: (user) => user === Number.POSITIVE_INFINITY,
  remove: () => {},
  begin: () => {},
  next: (user) => (user > 1 ? user - 1 : gone),
};
