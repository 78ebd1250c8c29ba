import { createStore } from './store.ts';

/** Where the window is. A run opens on the tab that suits its state unless one is named. */
export type PageAddress =
  | { readonly page: 'experiments' }
  /** What there is to know of an experiment of the gallery. */
  | { readonly page: 'experiment'; readonly id: string }
  | { readonly page: 'builder' }
  | { readonly page: 'connections' }
  | { readonly page: 'connection' }
  | { readonly page: 'runs' }
  | { readonly page: 'run'; readonly runId: string };

export const currentPage = createStore<PageAddress>({ page: 'experiments' });

export const goTo = (next: PageAddress): void => currentPage.set(next);
