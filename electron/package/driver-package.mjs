import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { npm, root } from '../setup/project.mjs';
import { buildDriver } from './build-code.mjs';
import { thirdPartyText } from './licences.mjs';
import { bundledPackages } from './runtime-packages.mjs';
import { mustRun } from './tools.mjs';

const readJson = async (file) => JSON.parse(await readFile(join(root, file), 'utf8'));

/**
 * Makes the npm package @dyno/driver: one module, the declarations of its types, docs/driver.md as its README, and the
 * licences of what is bundled. Its version is Dyno's.
 */
export async function makeDriver({ file }) {
  const folder = join(root, 'dist/driver');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const modules = await buildDriver(folder);
  await mustRun(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-b', join(root, 'e2e')]);
  await copyDeclarations('e2e/driver/index', folder);
  const manifest = await readJson('package.json');
  await writeFile(join(folder, 'package.json'), JSON.stringify(driverManifest(manifest), null, 2));
  await writeFile(join(folder, 'README.md'), withoutLinks(await readFile(join(root, 'docs/driver.md'), 'utf8')));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const bundled = bundledPackages(await readJson('package-lock.json'), modules);
  const all = bundled.map((one) => ({ ...one, folder: join(root, one.path) }));
  await writeFile(join(folder, 'THIRD-PARTY.txt'), thirdPartyText(all, 'The driver of Dyno contains these packages.'));
  // npm gives the file the name that formats.mjs has.
  const { code, output } = await npm(['pack', folder, '--pack-destination', dirname(file)], { capture: true });
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
}

/** The package.json of the driver, from the project's. */
export const driverManifest = ({ version, license, devDependencies }) => ({
  name: '@dyno/driver',
  version,
  description: 'Drives the window of Dyno by Playwright: open an experiment, change it, run it, read its results.',
  license,
  type: 'module',
  exports: { '.': { types: './types/e2e/driver/index.d.ts', default: './index.js' } },
  engines: { node: '>=22' },
  peerDependencies: { 'playwright-core': `^${devDependencies['playwright-core']}` },
});

/** Copies the declarations of a module, and of those that they refer to, into `types`. */
async function copyDeclarations(path, folder, copied = new Set()) {
  if (copied.has(path)) return;
  copied.add(path);
  const text = await readFile(await declarationsOf(path), 'utf8');
  const target = join(folder, 'types', `${path}.d.ts`);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, asDeclared(text, path));
  for (const [, specifier] of text.matchAll(ownImport)) await copyDeclarations(pathOf(specifier, path), folder, copied);
}

/** The project's own modules in declarations. */
const ownImport = /(?<=from |import\()'((?:#|\.\.?\/)[^']*\.ts)'/g;

const pathOf = (specifier, from) =>
  (specifier.startsWith('#') ? `workers/${specifier.slice(1)}` : join(dirname(from), specifier)).replace(/\.ts$/, '');

/** A user's compiler resolves modules by the names of their JavaScript. */
export const asDeclared = (text, path) =>
  text.replace(ownImport, (_, specifier) => {
    const up = '../'.repeat(path.split('/').length - 1);
    return `'${specifier.startsWith('#') ? `${up}${pathOf(specifier, path)}` : specifier.replace(/\.ts$/, '')}.js'`;
  });

/** The file that `tsc -b` wrote: each room of workers/ has a folder of its own in .build. */
async function declarationsOf(path) {
  const file = join(root, '.build', `${path.replace(/^workers\//, '')}.d.ts`);
  if (!existsSync(file)) throw new Error(`The compiler has not declared ${path}.`);
  return file;
}

/** A document for readers who do not have the others. */
export const withoutLinks = (text) => text.replaceAll(/\[([^\]]+)\]\((?!https:)[^)]*\)/g, '$1');
