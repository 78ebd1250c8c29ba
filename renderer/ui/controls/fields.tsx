import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { SearchField as AriaSearchField } from 'react-aria-components/SearchField';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { TextField as AriaTextField, Input, Text, TextArea } from 'react-aria-components/TextField';
import { Icon } from '../icon.tsx';

/** The properties of all fields. */
export interface FieldProps {
  readonly label: string;
  /** True to show the label to screen readers only, if a heading already shows it. */
  readonly hideLabel?: boolean;
  readonly help?: string | undefined;
  /** The problem of the value, which replaces the help. */
  readonly problem?: string | undefined;
  readonly disabled?: boolean;
}

/** The class of a label that is visible, or only for screen readers. */
export const labelClass = (hide: boolean | undefined) => (hide ? 'visually-hidden' : 'label');

const Help = ({
  text,
  problem,
}: {
  readonly text: string | undefined;
  readonly problem: string | undefined;
}): ReactNode =>
  problem ? (
    <FieldError className="help help-problem">{problem}</FieldError>
  ) : text ? (
    <Text slot="description" className="help">
      {text}
    </Text>
  ) : null;

interface TextProps extends FieldProps {
  readonly value: string;
  readonly placeholder?: string;
  readonly multiline?: boolean;
  readonly type?: 'text' | 'password';
  readonly autoFocus?: boolean;
  readonly onChange: (value: string) => void;
}

export const TextField = ({
  label,
  hideLabel,
  help,
  problem,
  disabled,
  multiline,
  placeholder = '',
  type,
  autoFocus = false,
  value,
  onChange,
}: TextProps) => (
  <AriaTextField
    className="field"
    value={value}
    onChange={onChange}
    isDisabled={disabled ?? false}
    isInvalid={problem !== undefined}
    type={type ?? 'text'}
    autoFocus={autoFocus}
  >
    <Label className={labelClass(hideLabel)}>{label}</Label>
    {multiline ? (
      <TextArea className="input" rows={2} placeholder={placeholder} />
    ) : (
      <Input className="input" placeholder={placeholder} />
    )}
    <Help text={help} problem={problem} />
  </AriaTextField>
);

export interface Choice {
  readonly id: string;
  readonly label: string;
}

interface SelectProps extends FieldProps {
  readonly value: string | null;
  readonly placeholder?: string;
  readonly choices: readonly Choice[];
  readonly onChange: (id: string) => void;
}

export const Select = ({
  label,
  hideLabel,
  help,
  problem,
  disabled,
  value,
  placeholder,
  choices,
  onChange,
}: SelectProps) => (
  <AriaSelect
    className="field"
    value={value}
    onChange={(key) => key !== null && onChange(String(key))}
    isDisabled={disabled ?? false}
    isInvalid={problem !== undefined}
    placeholder={placeholder ?? 'Choose'}
  >
    <Label className={labelClass(hideLabel)}>{label}</Label>
    <AriaButton className="input select-button">
      <SelectValue className="select-value" />
      <Icon name="chevron" />
    </AriaButton>
    <Help text={help} problem={problem} />
    <Popover className="popover">
      <ListBox className="menu">
        {choices.map((choice) => (
          <ListBoxItem key={choice.id} id={choice.id} className="menu-item" textValue={choice.label}>
            {choice.label}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  </AriaSelect>
);

interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export const SearchField = ({ label, value, onChange }: SearchProps) => (
  <AriaSearchField className="search" aria-label={label} value={value} onChange={onChange}>
    <Icon name="search" />
    <Input className="input" placeholder={label} />
  </AriaSearchField>
);

interface CheckboxProps {
  readonly label: ReactNode;
  readonly name?: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export const Checkbox = ({ label, name, checked, disabled, onChange }: CheckboxProps) => (
  <AriaCheckbox
    className="checkbox"
    isSelected={checked}
    isDisabled={disabled ?? false}
    onChange={onChange}
    {...(name ? { 'aria-label': name } : {})}
  >
    <span className="checkbox-box">
      <Icon name="check" />
    </span>
    <span>{label}</span>
  </AriaCheckbox>
);
