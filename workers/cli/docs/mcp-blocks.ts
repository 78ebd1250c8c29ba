import { toJsonSchema } from '@valibot/to-json-schema';
import { type JsonSchema, keyTable } from '../file-format/json-schema-table.ts';
import { code, markdownTable } from '../file-format/markdown.ts';
import type { Tool } from '../mcp/tool.ts';
import { readingTools, runTools } from '../mcp/tools.ts';

/** The blocks of docs/mcp.md, from the schemas that clients get. */
export const mcpBlocks: Readonly<Record<string, () => string>> = {
  'mcp tools': () =>
    markdownTable(
      ['tool', 'what it does', 'needs `--allow-runs`'],
      [...readingTools, ...runTools].map((one) => [
        `[${code(one.name)}](#${one.name})`,
        one.description,
        runTools.includes(one) ? 'yes' : '',
      ]),
    ),
  'mcp arguments': () => [...readingTools, ...runTools].map(toolSection).join('\n\n'),
};

const toolSection = ({ name, input, output }: Tool): string =>
  [`### ${name}`, 'Arguments:', keyTable(jsonSchemaOf(input)), 'Answer:', keyTable(given(jsonSchemaOf(output)))].join(
    '\n\n',
  );

/** The schema as clients get it: an argument with a default may be left out. */
const jsonSchemaOf = (schema: Tool['input']) => toJsonSchema(schema, { typeMode: 'input' }) as JsonSchema;

/** A schema of answers, which have all their members. */
const given = ({ required: _, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  ...(schema.items && { items: given(schema.items) }),
  ...(schema.anyOf && { anyOf: schema.anyOf.map(given) }),
  ...(schema.properties && {
    properties: Object.fromEntries(Object.entries(schema.properties).map(([key, one]) => [key, given(one)])),
  }),
});
