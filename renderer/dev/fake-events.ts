import type { Bridge, EventName, Events } from '#protocol/ipc.ts';

export type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

/** The events of the fake bridge: what the main process would send to the page. */
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
