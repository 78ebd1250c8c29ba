import type { ReactNode } from 'react';
import { checkProblem, useCheckOf } from '../state/use-check-of.ts';
import { Notice } from '../ui/display/notice.tsx';
import { QuestionDialog } from '../ui/overlays/question-dialog.tsx';
import { useRunText } from './run-sentence.ts';

interface Props {
  readonly title: string;
  /** The text of the button that runs the experiment. */
  readonly action: string;
  /** The text of the experiment; null: the fields do not make one. */
  readonly text: string | null;
  /** The reason why the fields make no experiment; null: they make one, or are not filled yet. */
  readonly problem: string | null;
  readonly onCancel: () => void;
  readonly onRun: (text: string) => void;
  readonly children: ReactNode;
}

/** A dialog whose fields make an experiment. It checks the experiment, says what it costs, and runs it. */
export const RunQuestion = ({ title, action, text, problem: ownProblem, onCancel, onRun, children }: Props) => {
  const check = useCheckOf(text);
  const problem = ownProblem ?? checkProblem(check);
  const checked = problem === null && check?.checked?.plan ? check.checked : null;
  const runText = useRunText(checked);
  return (
    <QuestionDialog
      title={title}
      action={action}
      isReady={text !== null && checked !== null}
      onCancel={onCancel}
      onAnswer={() => text !== null && onRun(text)}
    >
      {children}
      {problem !== null && <Notice tone="error" title={problem} />}
      <p className="muted" role="status">
        {runText}
      </p>
    </QuestionDialog>
  );
};
