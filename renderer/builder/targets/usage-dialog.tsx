import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { texts } from '../text.ts';
import { usageQuestion } from './add-to-draft.ts';

/** Asks which experiment gets a target: the one in the builder, by its name, or a new one. */
export const UsageDialog = () => {
  const asked = useStore(usageQuestion);
  if (!asked) return null;
  const { target, experiment, isThere, answer } = asked;
  return (
    <Dialog title={texts.usageDialog.title(target)} open onClose={() => answer(null)}>
      <div className="dialog-body">
        <p>{isThere ? texts.usageDialog.isThere(target, experiment) : texts.usageDialog.isOpen(target, experiment)}</p>
        <div className="dialog-actions">
          <Button onPress={() => answer(null)}>{texts.usageDialog.cancel}</Button>
          <Button onPress={() => answer('open')}>
            {isThere ? texts.usageDialog.show(experiment) : texts.usageDialog.addTo(experiment)}
          </Button>
          <Button kind="primary" onPress={() => answer('new')}>
            {texts.usageDialog.newExperiment}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
