import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from './notice.tsx';

interface Props {
  /** The reason why the test could not run. */
  readonly problem: string | null;
  /** The result of the test that has ended. */
  readonly outcome: ReactNode;
  /** The text while it runs; null if it does not. */
  readonly testing: string | null;
  readonly cancel: string;
  readonly onCancel: () => void;
  /** Its steps, and what follows from them. */
  readonly children: ReactNode;
}

/** A test in steps, running or finished: what screen readers hear of it, and below it the steps. */
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
