import { expect } from 'vitest';
import { DynoError } from '#model/error.ts';

/** The error of an attempt, which has to be an error of Dyno's. */
export const errorOf = (attempt: Promise<unknown>): Promise<DynoError> =>
  attempt.then(
    () => expect.unreachable('it did not fail'),
    (thrown) => (thrown instanceof DynoError ? thrown : expect.unreachable(String(thrown))),
  );
