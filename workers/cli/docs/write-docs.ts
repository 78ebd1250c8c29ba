import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { experimentJsonSchema } from '#experiment/schema/json-schema.ts';
import { generatedFiles } from './generated-docs.ts';
import { root } from './rooms.ts';

// `npm run docs` renews everything that is generated: the marked blocks of CONTRIBUTING.md, experiments/README.md and
// docs/*.md, the references of TypeScript's projects, and the JSON Schema of experiment files.
for (const { name, current, renewed } of generatedFiles()) {
  if (current === renewed) continue;
  writeFileSync(join(root, name), renewed);
  console.log(`renewed ${name}`);
}
// The formatter, which npm run docs calls next, formats the schema; a file with equal content is not rewritten.
const schemaFile = join(root, 'experiments/dyno.schema.json');
const schema = JSON.stringify(experimentJsonSchema(), null, 2);
if (!isDeepStrictEqual(JSON.parse(readFileSync(schemaFile, 'utf8')), JSON.parse(schema))) {
  writeFileSync(schemaFile, `${schema}\n`);
  console.log('renewed experiments/dyno.schema.json');
}
