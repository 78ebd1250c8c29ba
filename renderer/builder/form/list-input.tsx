import { useState } from 'react';
import { TextField } from '../../ui/fields.tsx';

interface Props {
  readonly label: string;
  readonly hideLabel: boolean;
  readonly value: unknown;
  /** Numbers, not texts. */
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

/** A list with commas between its items; such that hold commas themselves are for the YAML. What is being typed stays as it is, also where the list would be written otherwise. */
export const ListInput = ({ label, hideLabel, value, numbers, onChange }: Props) => {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed !== null && written(read(typed, numbers)) === written(value) ? typed : written(value);
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      placeholder={numbers ? '3, 2, 1' : 'a, b, c'}
      value={shown}
      disabled={shown !== typed && Array.isArray(value) && value.some((item) => String(item).includes(','))}
      onChange={(text) => {
        setTyped(text);
        onChange(read(text, numbers));
      }}
    />
  );
};
