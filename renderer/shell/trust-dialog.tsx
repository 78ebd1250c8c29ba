import { foreignWorkParts } from '#protocol/foreign-work.ts';
import { useStore } from '../state/store.ts';
import { trustQuestion } from '../state/trust.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { texts } from './text.ts';

/** Shows what an experiment from elsewhere would do, before anything of it runs, and asks whether it may. */
export const TrustDialog = () => {
  const asked = useStore(trustQuestion);
  if (!asked) return null;
  const { work, answer } = asked;
  return (
    <Dialog title={texts.trustDialog.cameFromElsewhere(work.name)} open onClose={() => answer(false)}>
      <div className="dialog-body">
        <p>{texts.trustDialog.itHasNotRunHere}</p>
        {foreignWorkParts(work).map(({ title, lines }) => (
          <div key={title}>
            <strong>{title}</strong>
            <ul>
              {lines.map((line) => (
                <li key={line} className="mono">
                  {line}
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div className="dialog-actions">
          <Button onPress={() => answer(false)}>{texts.trustDialog.cancel}</Button>
          <Button kind="primary" onPress={() => answer(true)}>
            {texts.trustDialog.trustAndContinue}
          </Button>
        </div>
      </div>
    </Dialog>
  );
};
