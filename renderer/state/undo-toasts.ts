import { showToast } from '../ui/overlays/toast.tsx';
import { attempt } from './bridge.ts';

/** Reports a deletion, with an action that restores the deleted item. */
export const showDeleted = (title: string, restore: () => Promise<unknown>): void =>
  showToast({
    tone: 'info',
    title,
    action: { label: 'Undo', run: () => void attempt('Could not restore it', restore) },
  });
