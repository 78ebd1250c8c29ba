import type { ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  readonly title: string;
  /** The text of the button that answers the question. */
  readonly action: string;
  /** True: the dialog is wider, for several columns. Default: false. */
  readonly isWide?: boolean;
  /** False: the answer is not complete. Default: true. */
  readonly isReady?: boolean;
  /** True: the button has the focus at first. Default: false. */
  readonly focusAction?: boolean;
  readonly onCancel: () => void;
  readonly onAnswer: () => void;
  readonly children: ReactNode;
}

/** A dialog with fields that the user fills and answers with Enter or a button, or cancels. */
export const QuestionDialog = ({
  title,
  action,
  isWide = false,
  isReady = true,
  focusAction = false,
  onCancel,
  onAnswer,
  children,
}: Props) => (
  <Dialog title={title} open wide={isWide} onClose={onCancel}>
    <form
      className="dialog-body"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAnswer();
      }}
    >
      {children}
      <div className="dialog-actions">
        <Button onPress={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isDisabled={!isReady} autoFocus={focusAction}>
          {action}
        </Button>
      </div>
    </form>
  </Dialog>
);
