import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isUpToDate, stampAt } from '../setup/build.mjs';
import { sinceLastTime, withProgress } from '../setup/progress.mjs';
import { logToStderr, root } from '../setup/project.mjs';
import { makeAppFolder } from './app-folder.mjs';
import { formats, formatsFor } from './formats.mjs';
import { makeTree } from './linux/tree.mjs';
import { ensureTool } from './tools.mjs';

const sources = ['electron', 'experiments', 'renderer', 'workers', 'package.json', 'package-lock.json', 'LICENSE'];

/**
 * Makes packages into dist/packages: `words` name formats and systems (formats.mjs). `quick` makes them for tests into
 * dist/package instead, uncompressed, and makes nothing anew if no source has changed. `official` refuses a third
 * party's copy of Electron. Resolves with the files; a format that fails is left out, with a message.
 */
export async function makePackages(words, { quick = false, official = false } = {}) {
  process.umask(0o022);
  const arch = process.arch;
  const names = formatsFor(words);
  const made = [];
  let isComplete = true;
  for (const platform of new Set(names.map((name) => formats[name].platform))) {
    const work = join(root, 'dist/package', platform === null ? 'driver' : `${platform}-${arch}`);
    const folder = quick ? work : join(root, 'dist/packages');
    const wanted = names.filter((name) => formats[name].platform === platform);
    const about = platform === null ? await withoutApp() : await ensureApp({ platform, arch, work });
    if (about.electron && about.electron.from !== null) {
      const text = `Electron ${about.electron.version} in it is from ${about.electron.from}, not from Electron's own host.`;
      if (official) throw new Error(text);
      logToStderr(text);
    }
    await mkdir(folder, { recursive: true });
    for (const name of wanted) {
      const { fileName, tool, make } = formats[name];
      const file = join(folder, fileName(about));
      if (
        quick &&
        platform !== null &&
        existsSync(file) &&
        (await stat(file)).mtimeMs > (await stat(join(work, 'built'))).mtimeMs
      ) {
        made.push(file);
        continue;
      }
      const progress = await sinceLastTime(`package-${name}${quick ? '-quick' : ''}`);
      try {
        if (tool) await ensureTool(tool.program, tool.packages);
        await rm(file, { force: true });
        await withProgress(`Making ${fileName(about)}`, progress, () => make({ ...about, file, quick }));
        made.push(file);
      } catch (error) {
        // The other formats do not depend on this one. A partial file must not look like a package.
        await rm(file, { force: true });
        logToStderr(`No ${fileName(about)}: ${error instanceof Error ? error.message : error}`);
        isComplete = false;
      }
    }
    if (!quick && about.bom)
      await copyFile(about.bom, join(folder, `dyno-${about.version}-${platform}-${arch}.cdx.json`));
  }
  if (!quick) await writeChecksums(join(root, 'dist/packages'));
  return { files: made, isComplete };
}

/** The input of a package that does not contain the app. */
const withoutApp = async () => JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** Builds the app's folder unless it is newer than all sources. Resolves with the input of the formats. */
async function ensureApp({ platform, arch, work }) {
  const [stamp, note] = [join(work, 'built'), join(work, 'about.json')];
  if (await isUpToDate(sources, stamp)) return JSON.parse(await readFile(note, 'utf8'));
  const started = new Date();
  const { app, version, description, electron } = await makeAppFolder({ platform, arch });
  const tree = platform === 'linux' ? await makeTree(app, join(work, 'root')) : null;
  const inside = { linux: join(tree ?? '', 'lib/dyno'), darwin: join(app, 'Dyno.app/Contents') }[platform] ?? app;
  const resources = join(inside, platform === 'darwin' ? 'Resources' : 'resources');
  const about = { app, tree, version, description, arch, electron, bom: join(resources, 'dyno/sbom.cdx.json') };
  await writeFile(note, JSON.stringify(about));
  await stampAt(stamp, started);
  return about;
}

/** SHA256SUMS of everything in the folder, in the form of `sha256sum --check`. */
async function writeChecksums(folder) {
  const lines = [];
  for (const name of (await readdir(folder)).filter((one) => one !== 'SHA256SUMS').sort()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest('hex')}  ${name}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}
