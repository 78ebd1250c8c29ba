import { useSyncExternalStore } from 'react';
import { createStore, useStore } from './store.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
export type Theme = 'light' | 'dark';

const key = 'dyno.theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');

function stored(): ThemeChoice {
  const value = localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** The theme that the user has chosen. */
export const themeChoice = createStore<ThemeChoice>(stored());

function apply(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = choice;
}
apply(themeChoice.get());
themeChoice.subscribe(() => {
  localStorage.setItem(key, themeChoice.get());
  apply(themeChoice.get());
});

export function toggleTheme(): void {
  const now = themeChoice.get() === 'system' ? (dark.matches ? 'dark' : 'light') : themeChoice.get();
  themeChoice.set(now === 'dark' ? 'light' : 'dark');
}

const watchSystem = (listener: () => void) => {
  dark.addEventListener('change', listener);
  return () => dark.removeEventListener('change', listener);
};

/** The current theme: the user's choice, or else the system's theme. */
export function useTheme(): Theme {
  const choice = useStore(themeChoice);
  const system = useSyncExternalStore(watchSystem, () => dark.matches);
  return choice === 'system' ? (system ? 'dark' : 'light') : choice;
}
