import { showToast } from '../ui/overlays/toast.tsx';
import { attempt } from './bridge.ts';

/** Reports a deletion, with an action that restores the deleted item. */
export const showDeleted = (title: string, restore: () => Promise<unknown>): void =>
  showToast({
    tone: 'info',
    title,
    action: { label: 'Undo', run: () => void attempt('Could not restore it', restore) },
  });

/**
 * Reports that the unsaved changes of `name` were replaced, with an action that restores them. `onClose` is called once
 * they are restored or given up.
 */
export const showSetAside = (name: string, bringBack: () => void, onClose: () => void = () => {}): void =>
  showToast({
    tone: 'info',
    title: 'Unsaved changes were set aside',
    text: name,
    stays: true,
    onClose,
    action: { label: 'Restore', run: bringBack },
  });
