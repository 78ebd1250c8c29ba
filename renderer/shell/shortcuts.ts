import { useEffect } from 'react';
import { listen } from '../state/bridge.ts';
import { runWindowCommand } from './commands.ts';

function commandOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey) {
    if (event.key === 'k') return 'palette';
    if (event.key === 'Enter') return 'run';
    if (event.key === 's') return 'save';
    return null;
  }
  const target = event.target instanceof HTMLElement ? event.target : null;
  const typing = target?.isContentEditable || target?.closest('input, textarea, .yaml-editor');
  return event.key === '?' && !typing ? 'help' : null;
}

/** Handles the global shortcuts and the commands of the application menu. */
export function useShortcuts(): void {
  useEffect(() => {
    // Capture phase: the editor handles Ctrl+Enter otherwise.
    const onKey = (event: KeyboardEvent) => {
      const id = commandOf(event);
      if (!id) return;
      event.preventDefault();
      event.stopPropagation();
      // A key that is held down runs its command once.
      if (event.repeat) return;
      runWindowCommand(id);
    };
    window.addEventListener('keydown', onKey, { capture: true });
    const stop = listen('menu:command', ({ command }) => runWindowCommand(command));
    return () => {
      window.removeEventListener('keydown', onKey, { capture: true });
      stop();
    };
  }, []);
}
