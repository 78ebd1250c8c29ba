import { openDraft } from '../../builder/open-draft.ts';
import { runDraft } from '../../builder/run-draft.ts';
import { useRunText } from '../../builder/run-sentence.ts';
import { checkProblem, useCheckOf } from '../../state/use-check-of.ts';
import { Button } from '../../ui/controls/button.tsx';

interface Props {
  /** The text of the experiment; null: the user has not given all of it. */
  readonly text: string | null;
  /** The sentence about what the user has not given; null: nothing is missing. */
  readonly lacks: string | null;
  /** The section that the builder shows. */
  readonly section: 'workload' | 'factors';
  /** The experiment is open in the builder. */
  readonly onOpened: () => void;
  readonly onClose: () => void;
}

/** The last row of a dialog that makes an experiment: what is missing or what a run costs, and the buttons. */
export const DraftActions = ({ text, lacks, section, onOpened, onClose }: Props) => {
  const check = useCheckOf(text);
  const checked = check?.checked ?? null;
  const problem = lacks ?? checkProblem(check);
  const runText = useRunText(checked);
  const open = () => {
    if (text === null) return false;
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section });
    onOpened();
    onClose();
    return true;
  };
  return (
    <div className="dialog-actions test-sql-actions">
      <p className="grow muted" aria-live="polite">
        {problem ?? runText}
      </p>
      <Button onPress={onClose}>Cancel</Button>
      <Button isDisabled={text === null} onPress={open}>
        Open in the builder
      </Button>
      <Button
        kind="primary"
        icon="play"
        isDisabled={problem !== null || checked === null}
        onPress={() => {
          if (open()) void runDraft();
        }}
      >
        Run
      </Button>
    </div>
  );
};
