import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { modKey } from '../ui/text/mod-key.ts';
import { About } from './about.tsx';
import { helpOpen } from './commands.ts';
import { startTour } from './tour/tour-store.ts';

const shortcuts = [
  [`${modKey} K`, 'Command palette'],
  [`${modKey} Enter`, 'Run the experiment in the builder'],
  [`${modKey} S`, 'Save the experiment or connection'],
  [`${modKey} Shift Y`, 'Show or hide the YAML beside the form'],
  [`${modKey} Z`, 'Undo in the YAML and the form'],
  [`${modKey} Space`, 'Complete a key or value in the YAML'],
  ['Esc, Tab', 'Leave the YAML (in it, Tab indents)'],
  ['F8', 'Next problem in the YAML'],
  [`${modKey} ,`, 'Settings'],
  ['F1', 'Documentation'],
  [`${modKey} Shift .`, 'End all work now, on all targets'],
  ['?', 'This list'],
] as const;

export const HelpDialog = () => (
  <Dialog title="Keyboard shortcuts" open={useStore(helpOpen)} onClose={() => helpOpen.set(false)}>
    <div className="dialog-body">
      <dl className="shortcut-list">
        {shortcuts.map(([keys, text]) => (
          <div key={keys}>
            <dt>
              <kbd className="kbd">{keys}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <About />
      <div className="dialog-actions">
        <Button
          onPress={() => {
            helpOpen.set(false);
            startTour();
          }}
        >
          Take the tour
        </Button>
      </div>
    </div>
  </Dialog>
);
