import { setIn } from '#experiment/experiment-file.ts';
import { goTo } from '../../state/navigation.ts';
import { draft } from '../draft/draft-store.ts';
import { listAt, readRaw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { openDraft } from '../open-draft.ts';

/** Adds a target to the experiment in the builder; without one, opens `newText` with this target alone. */
export function addToDraft(target: string, newText: string): void {
  const open = draft.get();
  if (!open) {
    openDraft({ id: null, origin: 'mine', text: setIn(newText, ['targets'], [target]) });
    return;
  }
  goTo({ page: 'builder' });
  const targets = listAt(readRaw(open.text), ['targets']);
  if (!targets.includes(target)) edit(['targets', targets.length], target);
}
