import { codeParts } from '../text/code-pattern.ts';
import type { ColumnSpec, FieldSpec, FrequencySpec, ValueSpec } from './column-specs.ts';
import { referredKey } from './referred-key.ts';

/** Longest text of a column; `ascii`: true if all of it is ASCII. */
export interface TextSize {
  readonly maxLength: number;
  readonly ascii: boolean;
}

/** Longest word of a vocabulary; a space or a punctuation mark follows each word. */
export const longestWord = 14;
/** A punctuation mark and a space. */
const afterWord = 2;

type OneOfSpec = ColumnSpec & { readonly type: 'oneOf' };

/** Size of a text of at most `maxWords` words. */
export const wordsSize = (maxWords: number): TextSize => ({
  maxLength: maxWords * (longestWord + afterWord),
  ascii: true,
});

/** The whole numbers of a list of values; null if the list has texts. */
export const numbersOf = ({ values }: OneOfSpec): readonly number[] | null =>
  values?.every((value) => typeof value === 'number') ? values : null;

/** Size of the longest text of a list of values. */
export const oneOfSize = ({ values }: OneOfSpec): TextSize => ({
  maxLength: values === undefined ? longestWord : Math.max(...values.map((value) => String(value).length)),
  ascii: values === undefined || values.map(String).every(isAscii),
});

/** Size of the longest text of a column of given frequencies. */
export const frequentSize = ({ values = [], maxLength = usualLongest }: FrequencySpec): TextSize => ({
  maxLength: Math.max(maxLength, ...values.map((value) => String(value).length)),
  ascii: values.map(String).every(isAscii),
});

/** Length of the longest text of a column of given frequencies that does not say it. */
export const usualLongest = 60;

/** Size of an object as JSON text. */
export function objectSize(fields: Readonly<Record<string, FieldSpec>>): TextSize {
  const sizes = Object.entries(fields).map(([name, field]) => {
    const { maxLength, ascii } = fieldSize(field);
    return { maxLength: name.length + '"":,'.length + Math.max(maxLength, 'null'.length), ascii };
  });
  return {
    maxLength: sizes.reduce((sum, { maxLength }) => sum + maxLength, '{}'.length),
    ascii: sizes.every(({ ascii }) => ascii),
  };
}

function fieldSize(field: FieldSpec): TextSize {
  if (field.type === 'object') return objectSize(field.fields);
  if (field.type !== 'list') return leafSize(field);
  const { maxLength, ascii } = fieldSize(field.of);
  return { maxLength: field.maxLength * (Math.max(maxLength, 'null'.length) + 1) + '[]'.length, ascii };
}

/** Size of a value as JSON text. Decimals are numbers, timestamps ISO text, bytes hexadecimal digits. */
function leafSize(spec: ValueSpec): TextSize {
  const quoted = (length: number, ascii = true): TextSize => ({ maxLength: length + 2, ascii });
  switch (spec.type) {
    case 'uuid4':
    case 'uuid7':
    case 'uuidSequential':
      return quoted(36);
    case 'sequence':
    case 'integer':
    case 'decimal':
      return { maxLength: 20, ascii: true };
    case 'boolean':
      return { maxLength: 5, ascii: true };
    case 'timestamp':
      return quoted(27);
    case 'text':
      return quoted(spec.length ?? spec.maxLength ?? spec.minLength ?? 1, spec.alphabet !== 'unicode');
    case 'bytes':
      return quoted(2 * (spec.length ?? spec.maxLength ?? spec.minLength ?? 1));
    case 'name':
      return quoted(spec.maxLength, false);
    case 'code':
      return quoted(2 * codeParts(spec.pattern).length);
    case 'oneOf': {
      const { maxLength, ascii } = oneOfSize(spec);
      return quoted(spec.values === undefined ? maxLength : longestEscaped(spec.values.map(String)), ascii);
    }
    case 'frequencies': {
      if (spec.as !== 'text')
        return spec.as === 'date' || spec.as === 'timestamp' ? quoted(27) : { maxLength: 20, ascii: true };
      const { maxLength, ascii } = frequentSize(spec);
      return quoted(Math.max(maxLength, longestEscaped((spec.values ?? []).map(String))), ascii);
    }
    case 'words':
      return quoted(wordsSize(spec.maxWords).maxLength);
    case 'reference':
      return leafSize(referredKey(spec).key);
  }
}

const longestEscaped = (values: readonly string[]): number =>
  Math.max(0, ...values.map((value) => JSON.stringify(value).length));

const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
