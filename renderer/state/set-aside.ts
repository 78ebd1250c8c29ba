import { createStore } from './store.ts';

/** Unsaved changes that were replaced by another experiment or connection. */
interface SetAside {
  readonly key: number;
  readonly name: string;
  readonly restore: () => void;
  readonly discard: () => void;
}

export const setAsideItems = createStore<readonly SetAside[]>([]);

let nextKey = 1;

/**
 * Keeps the unsaved changes of `name`, which were replaced, until the user restores or discards them. `onClose` is then
 * called.
 */
export function keepAside(name: string, bringBack: () => void, onClose: () => void): void {
  const key = nextKey++;
  const close = () => {
    setAsideItems.update((all) => all.filter((one) => one.key !== key));
    onClose();
  };
  const restore = () => {
    close();
    bringBack();
  };
  setAsideItems.update((all) => [...all, { key, name, restore, discard: close }]);
}
