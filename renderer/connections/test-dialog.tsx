import { createStore, useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { CheckSteps } from './check-steps.tsx';
import { cancelTest, startTest, tests } from './test-store.ts';

interface Shown {
  readonly subject: string;
  readonly title: string;
}

/** The test that the dialog shows. */
const shown = createStore<Shown | null>(null);

/** Opens a dialog that tests a saved connection or a built-in target. */
export function testOf(name: string, tested: { readonly id: string } | { readonly builtIn: string }): void {
  const subject = JSON.stringify(tested);
  shown.set({ subject, title: `Test of ${name}` });
  void startTest(subject, tested);
}

const Shown = ({ subject, title }: Shown) => {
  const test = useStore(tests)[subject];
  if (!test) return null;
  // Closing the dialog cancels the test.
  const close = () => {
    cancelTest(subject);
    shown.set(null);
  };
  return (
    <Dialog title={title} open onClose={close}>
      <div className="dialog-body">
        <CheckSteps test={test} onCancel={() => cancelTest(subject)} withNotice />
        <div className="dialog-actions">
          <Button onPress={close}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
};

export const TestDialog = () => {
  const now = useStore(shown);
  return now && <Shown {...now} />;
};
