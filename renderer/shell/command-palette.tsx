import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Input, SearchField } from 'react-aria-components/SearchField';
import { useStore } from '../state/store.ts';
import { commands, paletteOpen } from './commands.ts';

const List = () => {
  const { contains } = useFilter({ sensitivity: 'base' });
  const all = commands().filter((command) => command.id !== 'palette');
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label="Search commands" autoFocus className="palette-search">
        <Input className="palette-input" placeholder="Type a command, experiment, run or connection" />
      </SearchField>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className="palette-list" aria-label="Found" tabIndex={0}>
        <Menu
          className="menu"
          aria-label="Commands"
          renderEmptyState={() => <p className="palette-empty">No matches.</p>}
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
      <Dialog className="dialog" aria-label="Command palette">
        <List />
      </Dialog>
    </Modal>
  </ModalOverlay>
);
