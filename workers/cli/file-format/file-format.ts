import { experimentJsonSchema } from '#experiment/schema/json-schema.ts';
import { defaultSettings, settingNames } from '#model/settings/settings.ts';
import { alternatives, type JsonSchema, keyRows, keyTable, valueText } from './json-schema-table.ts';
import { code, markdownTable } from './markdown.ts';

type Root = JsonSchema & { readonly definitions: Readonly<Record<string, JsonSchema>> };

// The generator of the schema is typed for any JSON; json-schema.test.ts checks its shape.
const root = experimentJsonSchema() as unknown as Root;

const property = (name: string): JsonSchema => {
  const found = root.properties?.[name];
  if (!found) throw new Error(`The schema of experiment files has no key “${name}”.`);
  return found;
};

/** The blocks of docs/file-format.md, from the JSON Schema that checks experiment files. */
export const fileFormatBlocks: Readonly<Record<string, () => string>> = {
  'file keys': () =>
    markdownTable(
      ['key', 'value', 'default', 'what it is'],
      Object.entries(root.properties ?? {}).map(([name, schema]) => [
        code(name),
        schema.properties || schema.additionalProperties || schema.items ? 'see below' : valueText(schema),
        root.required?.includes(name) ? 'required' : '',
        schema.description ?? '',
      ]),
    ),
  settings: () =>
    markdownTable(
      ['setting', 'label', 'value', 'default', 'what it is'],
      settingNames.map((name) => {
        const { title = '', ...schema } = (property('workload').properties?.[name] ?? {}) as JsonSchema & {
          title?: string;
        };
        const value = String(defaultSettings[name]);
        return [code(name), title, valueText(schema), value === '' ? 'empty' : code(value), schema.description ?? ''];
      }),
    ),
  'column types': () => typeTable('column', []),
  'parameter types': () => typeTable('parameter', typesOf('column')),
  'step forms': () => keyTable({ properties: { step: { anyOf: alternatives(root.definitions.step ?? {}) } } }),
  ...Object.fromEntries(
    [
      'dataset',
      'tables',
      'setup',
      'teardown',
      'statements',
      'transactions',
      'scenarios',
      'checks',
      'session',
      'server',
      'prices',
      'rehearsal',
      'judge',
      'goals',
      'equal',
      'measure',
      'published',
      'gallery',
    ].map((name) => [`keys of ${name}`, () => keyTable({ properties: { [name]: property(name) } })]),
  ),
};

/** One row for each type of a definition and each of its keys, except `type` and `nulls`, which all columns have. */
function typeTable(definition: string, without: readonly string[]): string {
  const forms = alternatives(root.definitions[definition] ?? {}).filter((form) => !without.includes(typeOf(form)));
  return markdownTable(
    ['type', 'key', 'value', 'default', 'what it is'],
    forms.flatMap((form) => {
      const { type, nulls: _, ...properties } = form.properties ?? {};
      const first = [code(typeOf(form)), '', '', '', type?.description ?? ''];
      const rows = keyRows({ ...form, properties }).map((row) => ['', ...row]);
      return rows.length === 0 || type?.description
        ? [first, ...rows]
        : rows.with(0, [code(typeOf(form)), ...(rows[0] ?? []).slice(1)]);
    }),
  );
}

const typeOf = (form: JsonSchema): string => String(form.properties?.type?.const ?? '');
const typesOf = (definition: string): readonly string[] => alternatives(root.definitions[definition] ?? {}).map(typeOf);
