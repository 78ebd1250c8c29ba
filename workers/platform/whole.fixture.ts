/** True under `npm run test:long`: tests do everything that they sample otherwise. */
export const whole: boolean = process.env.DYNO_WHOLE === '1';

/** All cases under `npm run test:long`; otherwise the first `count`, as a smoke test. */
export const smokeOf = <T>(cases: readonly T[], count = 1): readonly T[] => (whole ? cases : cases.slice(0, count));

/** All cases under `npm run test:long`; otherwise every third one, where each case is much like the ones beside it. */
export const thirdOf = <T>(cases: readonly T[]): readonly T[] =>
  whole ? cases : cases.filter((_, at) => at % 3 === 0);

/**
 * Everything under `npm run test:long`; otherwise one for each case, in turn: each case and each of these comes at
 * least once, but not every pair. `at`: the number of the case.
 */
export const oneInTurn = <T>(all: readonly T[], at: number): readonly T[] =>
  whole ? all : all.slice(at % all.length, (at % all.length) + 1);
