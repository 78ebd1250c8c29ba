import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover, type PopoverProps } from 'react-aria-components/Popover';
import { Button, type ButtonKind, IconButton } from '../controls/button.tsx';
import type { IconName } from '../icon.tsx';

interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly disabled?: boolean;
  readonly run: () => void;
}

interface Props {
  readonly label: string;
  readonly icon?: IconName;
  /** The text beside the icon. Without it the label is the tooltip. */
  readonly text?: string;
  /** The kind of a button with a text. Default: normal. */
  readonly kind?: ButtonKind;
  /** The place of the list beside the button. */
  readonly placement?: PopoverProps['placement'];
  readonly actions: readonly MenuAction[];
}

/** A button that opens a list of actions. */
export const ActionMenu = ({
  label,
  icon = 'more',
  text,
  kind = 'normal',
  placement = 'bottom end',
  actions,
}: Props) => (
  <MenuTrigger>
    {text === undefined ? (
      <IconButton icon={icon} label={label} />
    ) : (
      <Button kind={kind} icon={icon} aria-label={label}>
        {text}
      </Button>
    )}
    <Popover className="popover" placement={placement}>
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
