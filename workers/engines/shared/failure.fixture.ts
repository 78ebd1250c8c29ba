import type { Engine } from '#engine-api/engine.ts';
import type { ErrorData } from '#model/error.ts';

/** The error of an attempt in the engine's words; null if there was none. */
export const failureOf =
  ({ toError }: Pick<Engine, 'toError'>) =>
  (attempt: Promise<unknown> | number): Promise<ErrorData | null> =>
    Promise.resolve(attempt).then(
      () => null,
      (thrown: unknown) => toError(thrown),
    );
