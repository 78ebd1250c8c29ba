import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { IconButton } from './button.tsx';
import type { IconName } from './icon.tsx';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly disabled?: boolean;
  readonly run: () => void;
}

interface Props {
  readonly label: string;
  readonly icon?: IconName;
  readonly actions: readonly MenuAction[];
}

/** An icon button that opens a list of actions. */
export const ActionMenu = ({ label, icon = 'more', actions }: Props) => (
  <MenuTrigger>
    <IconButton icon={icon} label={label} />
    <Popover className="popover" placement="bottom end">
      <AriaMenu className="menu" aria-label={label} onAction={(id) => actions.find((a) => a.id === id)?.run()}>
        {actions.map((action) => (
          <MenuItem key={action.id} id={action.id} className="menu-item" isDisabled={action.disabled ?? false}>
            {action.label}
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);
