import { toJsonSchema } from '@valibot/to-json-schema';
import { columnSchema, fieldSchema } from '#model/dataset/column-specs.ts';
import { type SettingName, settingNames, settingSchemas } from '#model/settings/settings.ts';
import { parameterSchema, stepSchema } from '#model/statements/statements.ts';
import { experimentSchema, factorSchema, levelSchema, sectionEntries } from './experiment.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * JSON Schema (draft-07, which editors support best) of the experiment file, derived from the schema of the parser.
 * Factors named like a setting accept that setting's levels, so that editors complete them. `dyno schema >
 * experiments/dyno.schema.json` and `npm run format` write experiments/dyno.schema.json.
 */
export function experimentJsonSchema(): Json {
  const { $defs: definitions, ...root } = convert(experimentSchema, {
    column: columnSchema,
    field: fieldSchema,
    parameter: parameterSchema,
    step: stepSchema,
    level: levelSchema,
    ...Object.fromEntries(Object.entries(sectionEntries).map(([name, { wrapped }]) => [`${name}Change`, wrapped])),
  }) as Json & {
    readonly $defs: Json;
  };
  const properties = root.properties as Record<string, Json>;
  const factor = convert(factorSchema, { level: levelSchema });
  const [list, bundles] = factor.anyOf as readonly [Json, Json];
  const settingFactor = (name: SettingName): Json => {
    const { title, description, ...level } = convert(settingSchemas[name]);
    return { title, description, anyOf: [{ ...list, items: level }, reference] };
  };
  const reference = { $ref: '#/definitions/bundles' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Dyno experiment',
    ...root,
    properties: {
      ...properties,
      factors: {
        ...properties.factors,
        properties: Object.fromEntries(settingNames.map((name) => [name, settingFactor(name)])),
        additionalProperties: { anyOf: [list, reference] },
      },
    },
    definitions: { ...definitions, bundles },
  };
}

type Convertible = Parameters<typeof toJsonSchema>[0];

/** The JSON Schema of the file's text, before defaults. Some rules need the parser: JSON Schema cannot say them. */
function convert(schema: Convertible, definitions: Readonly<Record<string, Convertible>> = {}): Json {
  const options = {
    typeMode: 'input',
    errorMode: 'ignore',
    target: 'draft-07',
    // The facts of keys are for the form.
    ignoreActions: ['metadata'],
    definitions,
  } satisfies Parameters<typeof toJsonSchema>[1];
  const { $schema: _, ...rest } = toJsonSchema(schema, options);
  // The library uses the later drafts' name for definitions.
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/definitions/')) as Json;
}
