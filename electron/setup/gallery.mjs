import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { root } from './project.mjs';

// `npm run gallery [-- experiment…] [--on target,target]` runs the experiments of the gallery at their small sizes on
// every engine that is on this machine (workers/integration/gallery/run-gallery.ts). It takes hours for all of them.
await ensureInstalled();
const node = await ensureNode();
const { code } = await runUnderNode(node, [
  join(root, 'workers/integration/gallery/run-gallery.ts'),
  ...process.argv.slice(2),
]);
process.exitCode = code;
