import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { usageQuestion } from './add-to-draft.ts';

/** Asks which experiment gets a target: the open one, by its name, or a new one. */
export const UsageDialog = () => {
  const asked = useStore(usageQuestion);
  if (!asked) return null;
  const { target, experiment, isThere, answer } = asked;
  return (
    <Dialog title={`Use “${target}” in an experiment`} open onClose={() => answer(null)}>
      <div className="dialog-body">
        <p>
          {isThere
            ? `“${experiment}” is open in the builder, and already has “${target}” among its targets.`
            : `“${experiment}” is open in the builder. Add “${target}” to its targets, or use it in a new experiment.`}
        </p>
        <div className="dialog-actions">
          <Button onPress={() => answer(null)}>Cancel</Button>
          <Button onPress={() => answer('open')}>{isThere ? `Show “${experiment}”` : `Add to “${experiment}”`}</Button>
          <Button kind="primary" onPress={() => answer('new')}>
            New experiment
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
