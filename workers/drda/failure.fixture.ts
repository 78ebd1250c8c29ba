import { afterAll, beforeAll, expect } from 'vitest';
import { DrdaError } from './errors.ts';

/** The error with which a call failed. */
export async function failure(call: Promise<unknown>): Promise<DrdaError> {
  const thrown: unknown = await call.then(
    (value) => new Error(`it resolved with ${String(value)}`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof DrdaError)) throw thrown;
  return thrown;
}

/** Checks behind all tests of a file that no promise was rejected without a handler. */
export function expectNothingUnhandled(): void {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  beforeAll(() => void process.on('unhandledRejection', note));
  afterAll(() => {
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
}
