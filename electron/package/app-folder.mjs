import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { packager } from '@electron/packager';
import { ensureNodePackage } from '../setup/node.mjs';
import { sinceLastTime, withProgress } from '../setup/progress.mjs';
import { root } from '../setup/project.mjs';
import { ensureRegistryPackage } from '../setup/registry-package.mjs';
import { writeElectronNote } from '../setup/window/electron.mjs';
import { buildPrograms, buildWindow, copyForeignFiles, packagesOnDisk } from './build-code.mjs';
import { electronRecord } from './electron-record.mjs';
import { ensureElectronZip } from './electron-zip.mjs';
import { checkFuses, setFuses } from './fuses.mjs';
import { iconIcns, iconIco } from './icons.mjs';
import { thirdPartyText } from './licences.mjs';
import { nativeParts } from './native-parts.mjs';
import { bundledPackages, copyPackage, runtimePackages } from './runtime-packages.mjs';
import { bomText } from './sbom.mjs';

/**
 * Makes the folder with the whole app for a system, from which all packages of that system are made:
 *
 *     dyno-window              Electron, with its fuses set
 *     bin/                     dyno, the command line; on Linux also open-window, which the desktop entry calls
 *     resources/app.asar       the main process, the page, and the preload script
 *     resources/dyno/          what plain Node runs: workers/, node_modules/, experiments/, and node/
 *
 * Resolves with its path, the version and description of Dyno, and the note about its Electron.
 */
export async function makeAppFolder({ platform, arch }) {
  const system = { platform, arch };
  const manifest = await readJson('package.json');
  const lock = await readJson('package-lock.json');
  const electron = await ensureElectronZip(system);
  const node = await ensureNodePackage(`${platform}-${arch}`);
  const work = join(root, 'dist/package', `${platform}-${arch}`);
  const [programs, window] = [join(work, 'dyno'), join(work, 'window')];
  const app = await withProgress(
    `Building Dyno for ${platform}-${arch}`,
    await sinceLastTime(`package-${platform}`),
    async () => {
      await rm(work, { recursive: true, force: true });
      const names = packagesOnDisk(manifest);
      // Plain Node cannot read app.asar, so its programs are beside it. The window is in app.asar/dist.
      const beside = '../../dyno/';
      const files = [
        ...(await buildPrograms(programs, names)),
        ...(await buildWindow(window, { files: beside, programs: beside })),
      ];
      await copyForeignFiles(programs);
      const onDisk = await withFolders(runtimePackages(lock, names, system));
      const bundled = bundledPackages(lock, files).filter(({ path }) => !onDisk.some((one) => one.path === path));
      const packages = [...onDisk, ...(await withFolders(bundled))];
      const all = [...packages, ...nativeParts(packages)];
      // Packages are copied one after the other, because a package's folder may be inside another's.
      for (const { path, folder } of onDisk) copyPackage(folder, join(programs, path), system);
      await writeManifests(manifest, { programs, window });
      await cp(join(root, 'experiments'), join(programs, 'experiments'), { recursive: true });
      await addNode(node, join(programs, 'node'));
      await writeElectronNote(join(programs, 'dist/electron.json'), electron);
      await writeFile(join(programs, 'THIRD-PARTY.txt'), thirdPartyText(all));
      const components = [...all, electronRecord(electron), nodeRecord(await versionOf(node))];
      await writeFile(join(programs, 'sbom.cdx.json'), bomText(manifest, components));
      return addElectron({ manifest, electron, programs, window, work, platform, arch });
    },
  );
  return { app, version: manifest.version, description: manifest.description, electron };
}

const readJson = async (file) => JSON.parse(await readFile(join(root, file), 'utf8'));

/** Adds each package's folder: the installed one, or (for another system) one from the registry. */
const withFolders = (packages) =>
  Promise.all(
    packages.map(async (one) => {
      const installed = join(root, one.path);
      return { ...one, folder: existsSync(installed) ? installed : await fetched(one) };
    }),
  );

const fetched = ({ name, version, integrity }) =>
  ensureRegistryPackage({
    name,
    version,
    integrity,
    programs: [],
    title: `Fetching ${name}@${version} from the npm registry`,
    otherwise: 'It belongs to the package for the other system.',
  });

/** The package.json files: Node reads "imports" and "type", Dyno its version, Electron the main module. */
async function writeManifests({ name, version, description, license }, { programs, window }) {
  const common = { name, version, description, license, type: 'module' };
  await writeFile(join(programs, 'package.json'), JSON.stringify(common, null, 2));
  const app = { ...common, productName: 'Dyno', desktopName: 'dyno.desktop', main: 'dist/main.js' };
  await writeFile(join(window, 'package.json'), JSON.stringify(app, null, 2));
}

/** The Node for everything outside Electron: its program and its licence. */
async function addNode(program, folder) {
  await mkdir(join(folder, 'bin'), { recursive: true });
  await copyFile(program, join(folder, 'bin', basename(program)));
  await chmod(join(folder, 'bin', basename(program)), 0o755);
  const licence = join(dirname(program), '../LICENSE');
  if (existsSync(licence)) await copyFile(licence, join(folder, 'LICENSE'));
}

const versionOf = async (node) => JSON.parse(await readFile(join(dirname(node), '../package.json'), 'utf8')).version;

const nodeRecord = (version) => ({ name: 'node', version, license: 'MIT', url: 'https://nodejs.org' });

/** Joins Electron, app.asar and the programs, sets the fuses, and reads them back. */
async function addElectron({ manifest, electron, programs, window, work, platform, arch }) {
  const icon = join(work, 'dyno');
  if (platform === 'win32') await writeFile(`${icon}.ico`, iconIco());
  if (platform === 'darwin') await writeFile(`${icon}.icns`, iconIcns());
  const executableName = platform === 'linux' ? 'dyno-window' : 'Dyno';
  const [made] = await packager({
    dir: window,
    out: work,
    tmpdir: false,
    name: 'Dyno',
    executableName,
    platform,
    arch,
    electronVersion: electron.version,
    electronZipDir: electron.folder,
    asar: true,
    prune: false,
    quiet: true,
    appVersion: manifest.version,
    appCopyright: 'MIT licence',
    appBundleId: 'io.github.dyno',
    icon,
    win32metadata: { FileDescription: 'Dyno', ProductName: 'Dyno', CompanyName: 'The Dyno contributors' },
    protocols: [{ name: 'Dyno', schemes: ['dyno'] }],
    extendInfo: documentTypes,
    afterInitialize: [
      async ({ buildPath }) => {
        const resources = dirname(buildPath);
        await rename(programs, join(resources, 'dyno'));
        const folder = platform === 'darwin' ? dirname(dirname(resources)) : dirname(resources);
        if (platform === 'darwin') {
          await setFuses(folder);
          return;
        }
        await keepOneLocale(join(folder, 'locales'));
        await setFuses(join(folder, platform === 'win32' ? 'electron.exe' : 'electron'));
      },
    ],
  });
  const folder = join(work, 'app');
  await rename(made, folder);
  await chmod(folder, 0o755); // the packager makes it readable only by its user
  const program = { darwin: 'Dyno.app', win32: 'Dyno.exe' }[platform] ?? executableName;
  await checkFuses(join(folder, program));
  await addCommandLine(folder, platform);
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE.dyno.txt'));
  return folder;
}

/** Dyno is in English; Chromium's own texts in other languages would take 40 MB. */
async function keepOneLocale(folder) {
  const others = (await readdir(folder)).filter((name) => name !== 'en-US.pak');
  await Promise.all(others.map((name) => rm(join(folder, name))));
}

async function addCommandLine(folder, platform) {
  if (platform === 'darwin') return;
  const names = platform === 'win32' ? ['dyno.cmd'] : ['dyno', 'open-window', 'sandbox-problem'];
  await mkdir(join(folder, 'bin'));
  for (const name of names) {
    await copyFile(new URL(`command-line/${name}`, import.meta.url), join(folder, 'bin', name));
    await chmod(join(folder, 'bin', name), 0o755);
  }
}

/** macOS's association of file names with the app. */
const documentTypes = {
  CFBundleDocumentTypes: [
    { CFBundleTypeName: 'Dyno experiment', CFBundleTypeRole: 'Editor', CFBundleTypeExtensions: ['dyno.yaml'] },
    { CFBundleTypeName: 'Dyno run', CFBundleTypeRole: 'Viewer', CFBundleTypeExtensions: ['dyno-run'] },
  ],
};
