import type { Caller } from '#engine-api/operation.ts';

/** Makes run() from start(). */
export const promised =
  <C, R>(start: (call: C, caller: Caller<R>) => void) =>
  (call: C): Promise<R> =>
    new Promise((answered, failed) => start(call, { answered, failed }));
