import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { modKey } from '../ui/text/mod-key.ts';
import { About } from './about.tsx';
import { helpOpen } from './commands.ts';
import { texts } from './text.ts';
import { startTour } from './tour/tour-store.ts';

const shortcuts = [
  [`${modKey} K`, texts.helpDialog.commandPalette],
  [`${modKey} Enter`, texts.helpDialog.runTheExperimentInThe],
  [`${modKey} S`, texts.helpDialog.saveTheExperimentOrConnection],
  [texts.helpDialog.shiftY(modKey), texts.helpDialog.showOrHideTheYaml],
  [`${modKey} Z`, texts.helpDialog.undoInTheYamlAnd],
  [`${modKey} Space`, texts.helpDialog.completeAKeyOrValue],
  ['Esc, Tab', texts.helpDialog.leaveTheYamlInIt],
  ['F8', texts.helpDialog.nextProblemInTheYaml],
  ['F1', texts.helpDialog.documentation],
  [`${modKey} Shift .`, texts.helpDialog.endEverythingNowOnAll],
  ['?', texts.helpDialog.thisList],
] as const;

export const HelpDialog = () => (
  <Dialog title={texts.helpDialog.keyboardShortcuts} open={useStore(helpOpen)} onClose={() => helpOpen.set(false)}>
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
          {texts.helpDialog.takeTheTour}
        </Button>
      </div>
    </div>
  </Dialog>
);
