import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { experimentJsonSchema } from '#contract/json-schema.ts';
import { generatedDocs, root } from './generated-docs.ts';

// `npm run docs` renews everything that is generated: the marked blocks of docs/*.md, and the JSON Schema of experiment files.
for (const { path, name, current, renewed } of generatedDocs()) {
  if (current === renewed) continue;
  writeFileSync(path, renewed);
  console.log(`renewed docs/${name}`);
}
writeFileSync(join(root, 'experiments/dyno.schema.json'), `${JSON.stringify(experimentJsonSchema(), null, 2)}\n`);
