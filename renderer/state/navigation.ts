import { createStore } from './store.ts';

/** A page of the window. */
export type PageAddress =
  | { readonly page: 'home' }
  | { readonly page: 'experiments' }
  /** The documentation of a gallery experiment. */
  | { readonly page: 'experiment'; readonly id: string }
  /** A published story with the experiments that repeat it. */
  | { readonly page: 'story'; readonly id: string }
  | { readonly page: 'builder' }
  | { readonly page: 'connections' }
  | { readonly page: 'connection' }
  | { readonly page: 'hosts' }
  | { readonly page: 'settings' }
  | { readonly page: 'runs' }
  | { readonly page: 'run'; readonly runId: string }
  /** The runs of the experiment with this name, over time. */
  | { readonly page: 'history'; readonly experiment: string }
  /** Two or more runs side by side; the first one is the reference. */
  | { readonly page: 'compare'; readonly runIds: readonly string[] };

export const currentPage = createStore<PageAddress>({ page: 'home' });

export const goTo = (next: PageAddress): void => currentPage.set(next);
