import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from './notice.tsx';

interface Props {
  /** The reason why the test could not run. */
  readonly problem: string | null;
  /** The result of the finished test. */
  readonly outcome: ReactNode;
  /** The text while the test runs. Null if it does not run. */
  readonly testing: string | null;
  readonly cancel: string;
  readonly onCancel: () => void;
  /** The steps, and the content below them. */
  readonly children: ReactNode;
}

/** A running or finished test: a message for screen readers, and the steps below it. */
export const TestProgress = ({ problem, outcome, testing, cancel, onCancel, children }: Props) => (
  <div className="check">
    <div role="status" className="check-outcome">
      {problem !== null && <Notice tone="error" title={problem} />}
      {outcome}
      {testing !== null && (
        <div className="row">
          <span className="grow muted">{testing}</span>
          <Button onPress={onCancel}>{cancel}</Button>
        </div>
      )}
    </div>
    {children}
  </div>
);
