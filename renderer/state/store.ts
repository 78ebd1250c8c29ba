import { useSyncExternalStore } from 'react';

/** A value outside React to which views can subscribe. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  update(change: (value: T) => T): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>();
  const store: Store<T> = {
    get: () => initial,
    set(next) {
      if (Object.is(next, initial)) return;
      initial = next;
      for (const listener of [...listeners]) listener();
    },
    update: (change) => store.set(change(initial)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return store;
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);

/** Runs an action and sets `busy` meanwhile. Returns null without running it if `busy` is already set. */
export async function once<T>(busy: Store<boolean>, action: () => Promise<T>): Promise<T | null> {
  if (busy.get()) return null;
  busy.set(true);
  try {
    return await action();
  } finally {
    busy.set(false);
  }
}
