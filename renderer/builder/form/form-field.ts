import { experimentSchema } from '#experiment/schema/experiment.ts';
import { factsOf, type KeyFacts, keyTitle } from '#model/file-key.ts';
import { sentence } from '#model/format/sentence.ts';
import { numberRules } from '#model/settings/number-rules.ts';
import { alternatives, type Shape, shapeOf, stepInto } from '#model/shape.ts';
import type { NumberRules } from '#model/text/read-number.ts';
import type { KeyPath } from '../draft/raw-experiment.ts';

/**
 * An input of the form. It is derived from the record of a setting, an engine option or a key of the file, so that a
 * new record gets its input without further code.
 */
export interface FormField extends Pick<KeyFacts, 'choices' | 'first' | 'only' | 'without'> {
  /** The key in the file, or `engine.option`. */
  readonly name: string;
  /** The name of the field in the form, without the unit. */
  readonly label: string;
  readonly title: string;
  readonly description: string;
  /**
   * The kind of input. Lists, numbers and values (texts or whole numbers) are typed with commas. Nested values can only
   * be edited in the YAML.
   */
  readonly kind: 'choice' | 'number' | 'text' | 'list' | 'numbers' | 'values' | 'nested';
  /** The options of a choice, as they stand in the file. Empty for other kinds. */
  readonly options: readonly string[];
  /** True if the options are true and false. */
  readonly isBoolean: boolean;
  /** The bounds of a number. */
  readonly numbers: NumberRules;
  /** The default as text. Empty if it depends on other keys. */
  readonly defaultValue: string;
  /** True if the schema has the default, so that a file without the key means the same. */
  readonly hasDefault: boolean;
  readonly required: boolean;
}

const kinds = {
  number: 'number',
  picklist: 'choice',
  boolean: 'choice',
  record: 'nested',
  strict_object: 'nested',
} as const satisfies Readonly<Record<string, FormField['kind']>>;

function kindOf({ type, item }: Shape): FormField['kind'] {
  if (type === 'array') return item?.type === 'number' ? 'numbers' : item?.type === 'union' ? 'values' : 'list';
  return Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : 'text';
}

/** The field of a key whose value has this shape. */
export function fieldOf(name: string, shape: Shape): FormField {
  const { label = spaced(name), help = '', unit, usual, ...more } = factsOf(shape) ?? ({} as Partial<KeyFacts>);
  const forms = alternatives(shape);
  // A key that takes a number or a word is a number field whose default is the word.
  const form = forms.find(({ type }) => type === 'number') ?? forms[0] ?? shape;
  const kind = kindOf(form);
  const isBoolean = form.type === 'boolean';
  const options = isBoolean ? ['true', 'false'] : kind === 'choice' ? (form.options ?? []).map(String) : [];
  return {
    name,
    label,
    title: keyTitle(label, unit),
    description: help,
    kind,
    options,
    isBoolean,
    numbers: kind === 'number' ? numberRules(name, form) : {},
    defaultValue: String(shape.default ?? usual ?? ''),
    hasDefault: shape.default !== undefined,
    required: shape.type !== 'optional',
    ...more,
  };
}

const file: readonly Shape[] = [shapeOf(experimentSchema)];

/** The shape of the key at a path. Undefined if the file has no such key. */
const shapeAt = (path: KeyPath): Shape | undefined => path.reduce(stepInto, file)[0];

/** The field of the key at a path of the file. */
export const fieldAt = (path: KeyPath): FormField => fieldOf(String(path.at(-1)), shapeAt(path) ?? { type: 'unknown' });

/** The title of the key at a path. Undefined if its schema has none. */
export function labelAt(path: KeyPath): string | undefined {
  const shape = shapeAt(path);
  return shape && factsOf(shape)?.label;
}

/** The key as it is listed in the documentation of the file: `measure.stages[].seconds`, `checks.NAME.about`. */
export const documentedKey = (path: KeyPath): string =>
  path.reduce<string>((key, step, i) => {
    if (typeof step === 'number') return `${key}[]`;
    return [...(key === '' ? [] : [key]), hasNames(path.slice(0, i)) ? 'NAME' : step].join('.');
  }, '');

/** True if the keys below a path of the file are names, such as those of columns, and no words of the file. */
export const hasNames = (path: KeyPath): boolean =>
  path
    .reduce(stepInto, file)
    .flatMap(alternatives)
    .some(({ type }) => type === 'record');

/** Makes "Rows per call" of `rowsPerCall`. */
export const spaced = (key: string): string =>
  sentence(key.replaceAll(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`));
