import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { goTo } from '../../state/navigation.ts';
import { createQuestion } from '../../state/question.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { draft, type ExperimentDraft, nameOf } from '../draft/draft-store.ts';
import { asText, listAt, readRaw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { openDraft } from '../open-draft.ts';
import { shownSection } from '../outline/shown-section.ts';
import { replaceText } from '../yaml/open-editor.ts';

/** The experiment that gets a target. Null if there is none. */
type Choice = 'open' | 'new' | null;

const question = createQuestion<
  { readonly target: string; readonly experiment: string; readonly isThere: boolean },
  Choice
>(null);

/** The question of the dialog. Null if the dialog is closed. */
export const usageQuestion = question.open;

/** The name in the builder. */
const shownName = (one: ExperimentDraft): string => asText(readRaw(one.text)?.name) || nameOf(one);

/**
 * Adds a target to an experiment: a new one made of `newText`, or the open one if the user says so. The builder then
 * shows the targets, and a toast offers to undo the change of an open experiment.
 */
export async function addToDraft(target: string, newText: string): Promise<void> {
  const open = draft.get();
  const targets = open ? listAt(readRaw(open.text), ['targets']) : [];
  const choice = open
    ? await question.ask({ target, experiment: shownName(open), isThere: targets.includes(target) })
    : 'new';
  if (choice === 'new') {
    const { text } = setIn(readYaml(newText), ['targets'], [target]);
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section: 'targets' });
  } else if (choice === 'open') addToOpen(target);
}

function addToOpen(target: string): void {
  const before = draft.get();
  if (!before) return;
  shownSection.set('targets');
  goTo({ page: 'builder' });
  const targets = listAt(readRaw(before.text), ['targets']);
  if (targets.includes(target)) return;
  edit(['targets', targets.length], target);
  const after = draft.get();
  // A text that the form cannot change shows its own message.
  if (!after || after.text === before.text) return;
  showToast({
    tone: 'info',
    title: `“${target}” is now a target of “${shownName(after)}”`,
    action: {
      label: 'Undo',
      run: () => {
        const now = draft.get();
        if (now?.key === after.key && now.text === after.text) replaceText(before.text);
        else showToast({ tone: 'info', title: `“${shownName(after)}” has changed since. Use Undo in the builder.` });
      },
    },
  });
}
