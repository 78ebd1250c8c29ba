import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { ensureInstalled } from '../setup/install.mjs';
import { ensureNode, isNewEnough, runUnderNode } from '../setup/node.mjs';
import { logToStderr, root } from '../setup/project.mjs';

// `npm run package [-- FORMAT|SYSTEM…]` makes packages into dist/packages: .deb, .rpm, .tar.gz and a self-extracting
// installer for Linux, a .zip and an installer for Windows, and the npm package of the driver. --official refuses a
// third party's Electron; --quick makes uncompressed packages for tests.
try {
  if (isNewEnough(process.versions.node)) await makeHere();
  else {
    await ensureInstalled();
    const { code } = await runUnderNode(await ensureNode(), [import.meta.filename, ...process.argv.slice(2)]);
    process.exitCode = code;
  }
} catch (error) {
  logToStderr(error.message);
  process.exitCode = 1;
}

async function makeHere() {
  await ensureInstalled();
  const words = process.argv.slice(2);
  // The import comes late, because it needs the installed dependencies.
  const { makePackages } = await import('./package.mjs');
  const { files, isComplete } = await makePackages(
    words.filter((word) => !word.startsWith('--')),
    { quick: words.includes('--quick'), official: words.includes('--official') },
  );
  for (const file of files) {
    const { size } = await stat(file);
    process.stdout.write(`${relative(root, file)}  ${(size / 1e6).toFixed(1)} MB\n`);
  }
  if (!isComplete) process.exitCode = 1;
}
