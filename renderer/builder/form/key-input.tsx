import type { ReactNode } from 'react';
import type { NumberRules } from '#model/text/read-number.ts';
import { at, type KeyPath, type Raw } from '../draft/raw-experiment.ts';
import { firstSentence } from '../form-text.ts';
import { edit } from './edit.ts';
import { FieldInput } from './field-input.tsx';
import { documentedKey, fieldAt } from './form-field.ts';
import { Helped } from './helped.tsx';

interface Props {
  readonly raw: Raw;
  /** The path of the key in the file. */
  readonly path: KeyPath;
  /** The value. Default: the value at the path. */
  readonly value?: unknown;
  /** The label. Default: the title of the key. */
  readonly label?: string;
  /** A button beside the help button. */
  readonly beside?: ReactNode;
  /** True if the form requires the key, although the file may lack it. */
  readonly required?: boolean;
  /** The help. Default: the first sentence of the key's help. The help topic has all of it. */
  readonly help?: string | undefined;
  /** The bounds. Default: the bounds of the key. */
  readonly numbers?: NumberRules | undefined;
  /** Stores a value. Default: writes it at the path. */
  readonly onChange?: (value: unknown) => void;
}

/** The input of a key of the file, with its help. An empty input removes the key. */
export const KeyInput = ({
  raw,
  path,
  value = at(raw, path),
  label,
  beside,
  required,
  numbers,
  help,
  onChange,
}: Props) => {
  const known = fieldAt(path);
  const field = { ...known, required: required ?? known.required, numbers: numbers ?? known.numbers };
  return (
    <Helped about={label ?? field.title} help={documentedKey(path)} beside={beside}>
      <FieldInput
        field={field}
        value={value}
        label={label}
        help={help ?? firstSentence(field.description)}
        onChange={onChange ?? ((next) => edit(path, next))}
      />
    </Helped>
  );
};
