import type { Bridge, EventName, Events, Requests } from '#protocol/ipc.ts';
import type { Channel } from '#protocol/ipc-arguments.ts';

export type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

/** The events that the main process would send to the page. */
export function createFakeEvents(): { readonly emit: Emit; readonly on: Bridge['on'] } {
  const listeners = new Map<EventName, Set<(payload: never) => void>>();
  return {
    emit(event, payload) {
      for (const listener of listeners.get(event) ?? []) listener(payload as never);
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set);
      set.add(listener as (payload: never) => void);
      return () => set.delete(listener as (payload: never) => void);
    },
  };
}

/**
 * The handlers of all requests whose channels begin with a prefix such as `'runs:'`. An empty prefix handles all
 * others.
 */
export type FakeHandlers<Prefix extends string = ''> = {
  readonly [C in Extract<Channel, `${Prefix}${string}`>]: (
    argument: Requests[C]['argument'],
  ) => Promise<Requests[C]['answer']>;
};
