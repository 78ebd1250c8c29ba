import { useState } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { TextField as AriaTextField, Input, Text } from 'react-aria-components/TextField';
import { formatUpTo } from '#model/format/format.ts';
import { type NumberRules, readNumber } from '#model/text/read-number.ts';
import { type FieldProps, labelClass } from './fields.tsx';

/** The value of a number field: a number, a text that is not a valid number, or null if the field is empty. */
export type NumberEntry = number | string | null;

interface Props extends FieldProps, Pick<NumberRules, 'unit' | 'whole' | 'min' | 'max'> {
  /** The value. Null shows the placeholder, because the default applies. */
  readonly value: NumberEntry;
  readonly placeholder?: string;
  /** The default. The owner may store null in its place; the field then keeps the typed text. */
  readonly usual?: NumberEntry;
  /** True if the field is required. An empty field then has a problem, and its value is an empty text. */
  readonly required?: boolean;
  /** Receives a text that is not a valid number as typed, so that the owner can store and refuse it. */
  readonly onChange: (value: NumberEntry) => void;
}

const decimalSign: '.' | ',' =
  new Intl.NumberFormat(globalThis.navigator?.language).formatToParts(0.5).find(({ type }) => type === 'decimal')
    ?.value === ','
    ? ','
    : '.';

/** The least number for which the field also shows thousands separators. */
const long = 10_000;

/** The number or text of a field after the user has typed `text`. */
export function entryOf(text: string, rules: NumberRules, required: boolean): NumberEntry {
  if (text.trim() === '') return required ? '' : null;
  return readNumber(text, { decimalSign, ...rules }).value ?? text;
}

/** The problem of a number. Null if it is valid. */
export const numberProblem = (value: number, rules: NumberRules): string | null =>
  readNumber(String(value), { ...rules, decimalSign: '.' }).problem;

/**
 * An input for a number. It keeps the typed text, and shows the parsed value or the problem below it. A change from
 * elsewhere (Undo, the YAML) replaces the text.
 */
export const NumberField = ({
  label,
  hideLabel,
  help,
  problem: given,
  disabled,
  value,
  placeholder = '',
  usual = null,
  required = false,
  unit,
  whole,
  min,
  max,
  onChange,
}: Props) => {
  const rules = { unit, whole, min, max, decimalSign };
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: NumberEntry } | null>(null);
  const isTyped = typed !== null && typed.value === (value ?? (typed.value === usual ? usual : null));
  // The text has no thousands separators, because another digit would move them.
  const text = isTyped ? typed.text : String(value ?? '');
  // A number from the file has a valid form, so only its bounds are checked.
  const read = readNumber(!isTyped && typeof value === 'number' ? String(value) : text, {
    ...rules,
    ...(isTyped ? {} : { decimalSign: '.' }),
  });
  const isMissing = required && text.trim() === '';
  const problem = given ?? read.problem ?? (isMissing ? 'Enter a number.' : undefined);
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
