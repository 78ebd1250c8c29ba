import { code, codeList, markdownTable } from './markdown.ts';

/** The parts of JSON Schema (draft-07) that the schema of experiment files uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** A Markdown table of an object's keys, nested ones included. */
export const keyTable = (schema: JsonSchema): string =>
  markdownTable(['key', 'value', 'default', 'what it is'], keyRows(schema));

/** One row for each key of an object, nested keys as paths: `repeats.min`, `stages[].seconds`, `NAME.text`. */
export const keyRows = (schema: JsonSchema, path = ''): readonly (readonly string[])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const key = `${path}${name}`;
    const kind = schema.required?.includes(name) ? 'required' : defaultText(property.default);
    return [
      [code(key), valueText(property), kind, property.description ?? ''],
      ...(isTyped(property) ? [] : alternatives(property).flatMap((one) => nestedRows(one, key))),
    ];
  });

const nestedRows = (schema: JsonSchema, key: string): readonly (readonly string[])[] => [
  ...keyRows(schema, `${key}.`),
  ...(typeof schema.additionalProperties === 'object' ? nestedRows(schema.additionalProperties, `${key}.NAME`) : []),
  ...(schema.items ? alternatives(schema.items).flatMap((one) => nestedRows(one, `${key}[]`)) : []),
];

/** The alternative forms of a value; the value itself if there is only one. */
export const alternatives = ({ anyOf, oneOf, ...schema }: JsonSchema): readonly JsonSchema[] =>
  anyOf ?? oneOf ?? [schema];

/** True if a value has one of several forms that its key `type` distinguishes, each documented under its own type. */
const isTyped = (schema: JsonSchema): boolean =>
  alternatives(schema).length > 1 &&
  alternatives(schema).every(({ properties }) => properties?.type?.const !== undefined);

/** The possible values: "`a` · `b`", "whole number, 1 to 1,000", "list of …". */
export function valueText(schema: JsonSchema): string {
  const choices = alternatives(schema);
  if (isTyped(schema))
    return `keys, type: ${codeList(choices.map(({ properties }) => String(properties?.type?.const)))}`;
  if (choices.length > 1) return [...new Set(choices.map(valueText))].join(', or ');
  const { $ref, const: constant, enum: words, type, items, properties, additionalProperties } = choices[0] ?? {};
  if ($ref) return `a ${$ref.replace('#/definitions/', '')}`;
  if (constant !== undefined) return code(String(constant));
  if (words) return codeList(words);
  if (items) return `list of: ${valueText(items)}`;
  if (properties) return 'keys';
  if (typeof additionalProperties === 'object') return `NAME: ${valueText(additionalProperties)}`;
  if (type === 'integer' || type === 'number') return numberText(choices[0] ?? {});
  if (type === 'null') return code('null');
  return type === 'boolean' ? '`true` · `false`' : type === 'string' ? 'text' : 'any';
}

function numberText({ type, minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const noun = type === 'integer' ? 'whole number' : 'number';
  const bounded = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const least = exclusiveMinimum === undefined ? minimum : exclusiveMinimum;
  const from =
    least !== undefined && bounded(least)
      ? `${exclusiveMinimum === undefined ? 'from' : 'above'} ${inEnglish(least)}`
      : '';
  const to = maximum !== undefined && bounded(maximum) ? `to ${inEnglish(maximum)}` : '';
  return [noun, from, to].filter((part) => part !== '').join(' ');
}

/** Years and other small numbers have no thousands separator. */
const inEnglish = (number: number): string =>
  number.toLocaleString('en', { maximumFractionDigits: 9, useGrouping: Math.abs(number) >= 10_000 });

function defaultText(value: unknown): string {
  if (value === undefined || (typeof value === 'object' && value !== null)) return '';
  return value === '' ? 'empty' : code(String(value));
}
