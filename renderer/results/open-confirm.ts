import { confirmText } from '#analysis/findings/shared/confirm.ts';
import type { Confirm } from '#analysis/findings/shared/finding.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { openDraft } from '../builder/open-draft.ts';
import { attempt } from '../state/bridge.ts';

/**
 * Opens a copy of the run's experiment, changed so that it would confirm a finding. Nothing is saved or run by that.
 */
export async function openConfirm(model: RunModel, confirm: Confirm): Promise<void> {
  const text = await attempt('Could not make the experiment', async () => confirmText(model, confirm));
  if (text !== null && text !== undefined) openDraft({ id: null, origin: 'mine', text });
}
