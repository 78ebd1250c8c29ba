import { useState } from 'react';
import { readNumbers } from '#model/text/read-numbers.ts';
import { TextField } from '../../ui/controls/fields.tsx';

interface Props {
  readonly label: string;
  readonly hideLabel: boolean;
  readonly value: unknown;
  /** Texts, numbers, or either: values that are all whole numbers are numbers. */
  readonly kind: 'list' | 'numbers' | 'values';
  readonly onChange: (list: readonly (string | number)[] | undefined) => void;
}

const written = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : '');

const wholeNumber = /^(?:0|-?[1-9]\d{0,14})$/;

function read(text: string, kind: Props['kind']): readonly (string | number)[] | undefined {
  const texts = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const areNumbers = kind === 'values' && texts.every((item) => wholeNumber.test(item));
  const items = kind === 'numbers' ? readNumbers(text).items : areNumbers ? texts.map(Number) : texts;
  return items.length === 0 ? undefined : items;
}

/**
 * A list as text with commas between the items. Items that contain commas can only be edited in the YAML. While the
 * user types, the text is not reformatted.
 */
export const ListInput = ({ label, hideLabel, value, kind, onChange }: Props) => {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && written(read(typed, kind)) === written(value) ? typed : written(value);
  const about = kind === 'numbers' ? readNumbers(shown) : null;
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      placeholder={kind === 'numbers' ? '3, 2, 1' : 'a, b, c'}
      value={shown}
      help={about?.understood ?? undefined}
      problem={about?.problem ?? undefined}
      disabled={shown !== typed && Array.isArray(value) && value.some((item) => String(item).includes(','))}
      onChange={(text) => {
        setTyped(text);
        onChange(read(text, kind));
      }}
    />
  );
};
