import type { Caller } from '#engine-api/operation.ts';

/** run() of what start() does. */
export const promised =
  <C, R>(start: (call: C, caller: Caller<R>) => void) =>
  (call: C): Promise<R> =>
    new Promise((answered, failed) => start(call, { answered, failed }));
