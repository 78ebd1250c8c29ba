import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { logToStderr, root } from './project.mjs';

// `npm run bench [-- part-of-a-name]` runs every workers/**/*.bench.ts whose path contains the name, one after the
// other. Each prints its own table.
await ensureInstalled();
const node = await ensureNode();
const files = (await readdir(join(root, 'workers'), { recursive: true })).filter((file) => file.endsWith('.bench.ts'));
const wanted = files.filter((file) => file.includes(process.argv[2] ?? '')).sort();
if (wanted.length === 0) {
  logToStderr(`No benchmark matches. There are: ${files.join(', ')}`);
  process.exitCode = 1;
}
for (const file of wanted) {
  logToStderr(`\n— ${file}`);
  const { code } = await runUnderNode(node, [join(root, 'workers', file)]);
  if (code !== 0) process.exitCode = 1;
}
