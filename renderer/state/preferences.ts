import { createStore, type Store } from './store.ts';

/** A text that the window remembers between starts. */
function rememberedText(name: string): Store<string> {
  const key = `dyno.${name}`;
  const store = createStore(localStorage.getItem(key) ?? '');
  store.subscribe(() => localStorage.setItem(key, store.get()));
  return store;
}

/** The author whom the last report named. */
export const reportAuthor = rememberedText('author');
