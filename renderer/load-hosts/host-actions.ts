import type { SavedLoadHost } from '#model/load-hosts.ts';
import { attempt, request } from '../state/bridge.ts';
import { showDeleted } from '../state/undo-toasts.ts';
import { focusAfterRemoval } from '../ui/controls/focus-after-removal.ts';
import { showToast } from '../ui/overlays/toast.tsx';

/**
 * Saves a load host in place of the host with the name `before`. Returns false if it fails; a toast then gives the
 * reason.
 */
export async function saveHost(host: SavedLoadHost, before: string | null): Promise<boolean> {
  const saved = await attempt(`Could not save “${host.name}”`, () => request('hosts:save', { host, before }));
  if (saved) showToast({ tone: 'info', title: `Saved “${host.name}”` });
  return saved !== null;
}

export async function removeHost({ name }: SavedLoadHost): Promise<void> {
  const moveFocus = focusAfterRemoval();
  const removed = await attempt(`Could not remove “${name}”`, () => request('hosts:delete', { name }));
  if (!removed) return;
  moveFocus();
  showDeleted(`Removed “${name}”`, () => request('hosts:restore', { undo: removed.undo }));
}
