import { showToast } from '../ui/overlays/toast.tsx';
import { attempt } from './bridge.ts';

/** Reports a deletion, with an action that restores what was deleted. */
export const showDeleted = (title: string, restore: () => Promise<unknown>): void =>
  showToast({
    tone: 'info',
    title,
    action: { label: 'Undo', run: () => void attempt('Could not bring it back', restore) },
  });

/**
 * Reports that the unsaved changes of `name` gave way to something else, with an action that brings them back.
 * `onClose`: they were brought back or given up.
 */
export const showSetAside = (name: string, bringBack: () => void, onClose: () => void = () => {}): void =>
  showToast({
    tone: 'info',
    title: 'Unsaved changes were set aside',
    text: name,
    stays: true,
    onClose,
    action: { label: 'Bring back', run: bringBack },
  });
