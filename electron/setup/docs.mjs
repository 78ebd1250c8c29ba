import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { root } from './project.mjs';

// `npm run docs` renews the generated blocks of docs/*.md and experiments/dyno.schema.json.
await ensureInstalled();
const node = await ensureNode();
const steps = [
  [join(root, 'workers/cli/docs/write-docs.ts')],
  [
    join(root, 'node_modules/@biomejs/biome/bin/biome'),
    'format',
    '--write',
    join(root, 'experiments/dyno.schema.json'),
  ],
];
for (const args of steps) {
  const { code } = await runUnderNode(node, args);
  if (code !== 0) {
    process.exitCode = code;
    break;
  }
}
