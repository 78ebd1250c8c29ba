import { useState } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { TextField as AriaTextField, Input, Text } from 'react-aria-components/TextField';
import { formatUpTo } from '#model/format/format.ts';
import { type NumberRules, readNumber } from '#model/text/read-number.ts';
import { type FieldProps, labelClass } from './fields.tsx';

/** The value of a number field: a number, a text that is not understood as one, or null if it is empty. */
export type NumberEntry = number | string | null;

interface Props extends FieldProps, Pick<NumberRules, 'unit' | 'whole' | 'min' | 'max'> {
  /** Null shows the placeholder, because the default applies. */
  readonly value: NumberEntry;
  readonly placeholder?: string;
  /** An empty field has a problem, and its value is an empty text. */
  readonly required?: boolean;
  /** Gets a text as typed where it is no number, so that the owner keeps it and refuses it. */
  readonly onChange: (value: NumberEntry) => void;
}

const decimalSign: '.' | ',' =
  new Intl.NumberFormat(globalThis.navigator?.language).formatToParts(0.5).find(({ type }) => type === 'decimal')
    ?.value === ','
    ? ','
    : '.';

/** The least number whose digits alone are hard to count. */
const long = 10_000;

/** The number or text that a field holds after the user has typed `text`. */
export function entryOf(text: string, rules: NumberRules, required: boolean): NumberEntry {
  if (text.trim() === '') return required ? '' : null;
  return readNumber(text, { decimalSign, ...rules }).value ?? text;
}

/** The reason why a number is not right; null: it is. */
export const numberProblem = (value: number, rules: NumberRules): string | null =>
  readNumber(String(value), { ...rules, decimalSign: '.' }).problem;

/**
 * An input of a number. The text stays as it was typed; below it stands what was understood, or why nothing was.
 * Another value from elsewhere (Undo, the YAML) replaces the text.
 */
export const NumberField = ({
  label,
  hideLabel,
  help,
  problem: given,
  disabled,
  value,
  placeholder = '',
  required = false,
  unit,
  whole,
  min,
  max,
  onChange,
}: Props) => {
  const rules = { unit, whole, min, max, decimalSign };
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: NumberEntry } | null>(null);
  const isTyped = typed !== null && typed.value === value;
  // The text has no commas, because a digit more would put them in wrong places.
  const text = isTyped ? typed.text : String(value ?? '');
  // A number from the file is right as it is; only its bounds are judged.
  const read = readNumber(!isTyped && typeof value === 'number' ? String(value) : text, {
    ...rules,
    ...(isTyped ? {} : { decimalSign: '.' }),
  });
  const isMissing = required && text.trim() === '';
  const problem = given ?? read.problem ?? (isMissing ? 'A number is needed here.' : undefined);
  const isLong = unit !== 'digits' && read.value !== null && Math.abs(read.value) >= long && /^\d+$/.test(text);
  const understood = (isTyped ? read.understood : null) ?? (isLong ? `= ${formatUpTo(read.value)}` : null);
  return (
    <AriaTextField
      className="field"
      value={text}
      onChange={(next) => {
        const entry = entryOf(next, rules, required);
        setTyped({ text: next, value: entry });
        onChange(entry);
      }}
      isDisabled={disabled ?? false}
      isInvalid={problem !== undefined && problem !== null}
      inputMode="decimal"
    >
      <Label className={labelClass(hideLabel)}>{label}</Label>
      <Input className="input input-number" placeholder={placeholder} autoComplete="off" />
      {problem ? (
        <FieldError className="help help-problem">
          {understood && given === undefined ? `${understood}. ${problem}` : problem}
        </FieldError>
      ) : (
        (understood || help) && (
          <Text slot="description" className="help">
            {understood && <span className="understood">{understood}</span>}
            {help}
          </Text>
        )
      )}
    </AriaTextField>
  );
};
