import type { Engine } from '#engine-api/engine.ts';
import type { ErrorData } from '#model/error.ts';

/** What an attempt failed with, as the engine tells it; null where it did not. */
export const failureOf =
  ({ toError }: Pick<Engine, 'toError'>) =>
  (attempt: Promise<unknown> | number): Promise<ErrorData | null> =>
    Promise.resolve(attempt).then(
      () => null,
      (thrown: unknown) => toError(thrown),
    );
