import { foreignWorkParts } from '#protocol/foreign-work.ts';
import { useStore } from '../state/store.ts';
import { trustQuestion } from '../state/trust.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

/** Shows what an experiment from elsewhere would do, and asks for permission before any part of it runs. */
export const TrustDialog = () => {
  const asked = useStore(trustQuestion);
  if (!asked) return null;
  const { work, answer } = asked;
  return (
    <Dialog title={`“${work.name}” came from elsewhere`} open onClose={() => answer(false)}>
      <div className="dialog-body">
        <p>It has not run on this machine before. Check what it would do:</p>
        {foreignWorkParts(work).map(({ title, items }) => (
          <div key={title}>
            <strong>{title}</strong>
            <ul>
              {items.map(({ line, text }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two texts may be alike
                <li key={at} className="mono">
                  {text === null ? line : <StatementText name={line} text={text} />}
                </li>
              ))}
            </ul>
          </div>
        ))}
        <div className="dialog-actions">
          <Button onPress={() => answer(false)}>Cancel</Button>
          <Button kind="primary" onPress={() => answer(true)}>
            Trust and continue
          </Button>
        </div>
      </div>
    </Dialog>
  );
};

/** The longest text on one line that is shown without unfolding. */
const shortText = 120;

const StatementText = ({ name, text }: { readonly name: string; readonly text: string }) =>
  text.length <= shortText && !text.includes('\n') ? (
    `${name}: ${text}`
  ) : (
    <details>
      <summary>{name}</summary>
      <pre>{text}</pre>
    </details>
  );
