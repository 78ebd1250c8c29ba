import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode, runUnderNode } from './node.mjs';
import { root } from './project.mjs';
import { windowDriver } from './window/drive-window.mjs';

// `npm run pictures [-- experiment…]` takes the pictures of README.md and docs/ of the real app (e2e/pictures.ts), then
// runs every experiment of the gallery and draws the pictures of their cards. With names of experiments, it draws only
// their cards. With `--redraw` it draws cards from the figures of their last runs, and runs nothing.
const names = process.argv.slice(2);
await ensureInstalled();
const node = await ensureNode();
const codes = [];
if (names.length === 0) {
  const drive = await windowDriver(node);
  await ensureBuilt(node);
  const { code } = await drive([join(root, 'e2e/pictures.ts')]);
  codes.push(code);
}
codes.push((await runUnderNode(node, [join(root, 'workers/gallery-pictures.ts'), ...names])).code);
process.exitCode = codes.find((code) => code !== 0) ?? 0;
