import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Input, SearchField } from 'react-aria-components/SearchField';
import { useStore } from '../state/store.ts';
import { commands, paletteOpen } from './commands.ts';
import { texts } from './text.ts';

const List = () => {
  const { contains } = useFilter({ sensitivity: 'base' });
  const all = commands().filter((command) => command.id !== 'palette');
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label={texts.commandPalette.searchCommands} autoFocus className="palette-search">
        <Input className="palette-input" placeholder={texts.commandPalette.typeACommandExperimentRun} />
      </SearchField>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="palette-list" aria-label={texts.commandPalette.found} tabIndex={0}>
        <Menu
          className="menu"
          aria-label={texts.commandPalette.commands}
          renderEmptyState={() => <p className="palette-empty">{texts.commandPalette.nothingMatches}</p>}
          onAction={(id) => {
            paletteOpen.set(false);
            all.find((command) => command.id === id)?.run();
          }}
        >
          {all.map((command) => (
            <MenuItem key={command.id} id={command.id} className="menu-item" textValue={command.label}>
              <span className="grow">{command.label}</span>
              {command.keys && <span className="kbd">{command.keys}</span>}
            </MenuItem>
          ))}
        </Menu>
      </section>
    </Autocomplete>
  );
};

export const CommandPalette = () => (
  <ModalOverlay className="overlay" isOpen={useStore(paletteOpen)} onOpenChange={paletteOpen.set} isDismissable>
    <Modal className="modal modal-wide">
      <Dialog className="dialog" aria-label={texts.commandPalette.commandPalette}>
        <List />
      </Dialog>
    </Modal>
  </ModalOverlay>
);
