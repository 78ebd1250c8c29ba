import { useState } from 'react';
import { readNumbers } from '#model/text/read-numbers.ts';
import { TextField } from '../../ui/controls/fields.tsx';

interface Props {
  readonly label: string;
  readonly hideLabel: boolean;
  readonly value: unknown;
  /** True if the items are numbers. */
  readonly numbers: boolean;
  readonly onChange: (list: readonly (string | number)[] | undefined) => void;
}

const written = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(', ') : '');

function read(text: string, numbers: boolean): readonly (string | number)[] | undefined {
  const items = numbers
    ? readNumbers(text).items
    : text
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '');
  return items.length === 0 ? undefined : items;
}

/**
 * A list as text with commas between the items. Items that contain commas can only be edited in the YAML. While the
 * user types, the text is not reformatted.
 */
export const ListInput = ({ label, hideLabel, value, numbers, onChange }: Props) => {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && written(read(typed, numbers)) === written(value) ? typed : written(value);
  const about = numbers ? readNumbers(shown) : null;
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      placeholder={numbers ? '3, 2, 1' : 'a, b, c'}
      value={shown}
      help={about?.understood ?? undefined}
      problem={about?.problem ?? undefined}
      disabled={shown !== typed && Array.isArray(value) && value.some((item) => String(item).includes(','))}
      onChange={(text) => {
        setTyped(text);
        onChange(read(text, numbers));
      }}
    />
  );
};
