import { useEffect } from 'react';
import { listen } from '../state/bridge.ts';
import { runWindowCommand } from './commands.ts';

function commandOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'k') return 'palette';
    if (event.key === 'Enter') return 'run';
    if (event.key === 's') return 'save';
    if (event.key === 'p') return 'printReport';
    if (event.key === ',') return 'settings';
    if (event.shiftKey && event.key.toLowerCase() === 'y') return 'yaml';
    // The key is identified by its position, because Shift changes its character on every keyboard.
    if (event.shiftKey && event.code === 'Period') return 'endAll';
    return null;
  }
  if (event.key === 'F1') return 'documentation';
  const target = event.target instanceof HTMLElement ? event.target : null;
  const typing = target?.isContentEditable || target?.closest('input, textarea, .yaml-editor');
  return event.key === '?' && !typing ? 'help' : null;
}

/** Commands that do not change anything behind an open dialog, or that must always work. */
const harmless: readonly string[] = ['theme', 'endAll'];

/** True if an open dialog covers the page, so that users could not see the effect of a command. */
const isCovered = (id: string): boolean => document.querySelector('.overlay') !== null && !harmless.includes(id);

/** Handles the global shortcuts and the commands of the application menu, unless a dialog is open. */
export function useShortcuts(): void {
  useEffect(() => {
    // The listener runs in the capture phase, because the editor would otherwise handle Ctrl+Enter.
    const onKey = (event: KeyboardEvent) => {
      const id = commandOf(event);
      if (!id || isCovered(id)) return;
      event.preventDefault();
      event.stopPropagation();
      // A held key runs its command only once.
      if (event.repeat) return;
      runWindowCommand(id);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    const stop = listen('menu:command', ({ command }) => {
      if (!isCovered(command)) runWindowCommand(command);
    });
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      stop();
    };
  }, []);
}
