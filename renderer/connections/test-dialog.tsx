import { createStore, useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CheckSteps } from './check-steps.tsx';
import { cancelTest, startTest, tests } from './test-store.ts';

interface Shown {
  readonly subject: string;
  readonly title: string;
}

/** The test whose steps are in sight over the list. */
const shown = createStore<Shown | null>(null);

/** Tests something of the list, a saved connection or what is built in, in a dialog. */
export function testOf(name: string, tested: { readonly id: string } | { readonly builtIn: string }): void {
  const subject = JSON.stringify(tested);
  shown.set({ subject, title: `Test of ${name}` });
  void startTest(subject, tested);
}

const Shown = ({ subject, title }: Shown) => {
  const test = useStore(tests)[subject];
  if (!test) return null;
  // Nothing goes on that nobody can see.
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
