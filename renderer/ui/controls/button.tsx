import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { Icon, type IconName } from '../icon.tsx';
import { Hint } from './tooltip.tsx';

export type ButtonKind = 'primary' | 'normal' | 'quiet' | 'danger';

interface Props extends Omit<ButtonProps, 'children' | 'className'> {
  readonly kind?: ButtonKind;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

export const Button = ({ kind = 'normal', icon, children, ...rest }: Props) => (
  <AriaButton {...rest} className={`button button-${kind}`}>
    {icon && <Icon name={icon} />}
    {children}
  </AriaButton>
);

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'className'> {
  readonly icon: IconName;
  readonly label: string;
  /** Shown in the tooltip after the label. */
  readonly keys?: string;
}

/** A button with an icon only; its label is the accessible name and the tooltip. */
export const IconButton = ({ icon, label, keys, ...rest }: IconButtonProps) => (
  <Hint text={keys ? `${label}  ${keys}` : label}>
    <AriaButton {...rest} aria-label={label} className="button button-icon">
      <Icon name={icon} />
    </AriaButton>
  </Hint>
);
