import { useState } from 'react';
import { TextField } from '../../ui/controls/fields.tsx';
import { texts } from '../text.ts';

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
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0) return undefined;
  return numbers ? items.map((item) => (Number.isNaN(Number(item)) ? item : Number(item))) : items;
}

/**
 * A list as text with commas between the items; items that contain commas can be edited in the YAML only. While the
 * user types, the text stays as typed, even if the list's usual text is another one.
 */
export const ListInput = ({ label, hideLabel, value, numbers, onChange }: Props) => {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && written(read(typed, numbers)) === written(value) ? typed : written(value);
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      placeholder={numbers ? '3, 2, 1' : texts.listInput.aBC}
      value={shown}
      disabled={shown !== typed && Array.isArray(value) && value.some((item) => String(item).includes(','))}
      onChange={(text) => {
        setTyped(text);
        onChange(read(text, numbers));
      }}
    />
  );
};
