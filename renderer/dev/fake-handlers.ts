import type { Channel, Requests } from '#protocol/ipc.ts';

/** Handlers of the requests whose channels begin with a prefix: `'runs:'`; of all requests without one. */
export type FakeHandlers<Prefix extends string = ''> = {
  readonly [C in Extract<Channel, `${Prefix}${string}`>]: (
    argument: Requests[C]['argument'],
  ) => Promise<Requests[C]['answer']>;
};
