import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { root } from '../../setup/project.mjs';
import { iconPng, markFile } from '../icons.mjs';

const here = import.meta.dirname;
const others = `Dyno contains software of others. Its licences are in these files below lib/dyno:
LICENSE and LICENSES.chromium.html (Electron, Chromium), resources/dyno/node/LICENSE (Node.js), and
resources/dyno/THIRD-PARTY.txt (all other packages).
`;
const sizes = [16, 24, 32, 48, 64, 128, 256, 512];

/**
 * Moves the app's folder into a tree such as /usr is: bin/, lib/dyno/, share/ with the desktop entry, icons, MIME types
 * and licences. All Linux packages hold this tree. Returns the tree's folder.
 */
export async function makeTree(app, folder) {
  const tree = join(folder, 'usr');
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(tree, 'lib'), { recursive: true });
  await rename(app, join(tree, 'lib/dyno'));
  await mkdir(join(tree, 'bin'));
  await symlink('../lib/dyno/bin/dyno', join(tree, 'bin/dyno'));
  const files = {
    'applications/dyno.desktop': join(here, 'dyno.desktop'),
    'mime/packages/dyno.xml': join(here, 'dyno.xml'),
    'icons/hicolor/scalable/apps/dyno.svg': markFile,
  };
  for (const [path, source] of Object.entries(files)) await cp(source, join(tree, 'share', path));
  await mkdir(join(tree, 'share/doc/dyno'), { recursive: true });
  await writeFile(
    join(tree, 'share/doc/dyno/copyright'),
    `${await readFile(join(root, 'LICENSE'), 'utf8')}\n${others}`,
  );
  for (const size of sizes) {
    const file = join(tree, `share/icons/hicolor/${size}x${size}/apps/dyno.png`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, iconPng(size));
  }
  return tree;
}
