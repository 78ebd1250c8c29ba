import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir, run } from '../project.mjs';

/**
 * Folder of the Debian packages that an ordinary user has unpacked instead of installing, for Electron and Xvfb only.
 * finishUnpacked makes what their installation would have made: the cache of image loaders, compiled settings, the list
 * of fonts.
 */
export const unpackedFolder = join(cacheDir, 'system-packages');

/**
 * The folder in which our copy of Xvfb looks for xkbcomp: a path relative to its working folder, as long as /usr/bin.
 */
const programsOfXvfb = './xkbbin';

/** Environment in which programs find the unpacked packages; empty without any. */
export function unpackedEnvironment(folder = unpackedFolder) {
  if (!existsSync(folder)) return {};
  const libraries = libraryFolders(folder);
  const before = (path, others) => (others ? `${path}:${others}` : path);
  return {
    DYNO_UNPACKED_PACKAGES: folder,
    LD_LIBRARY_PATH: before(libraries.join(':'), process.env.LD_LIBRARY_PATH),
    LIBGL_DRIVERS_PATH: libraries.map((path) => join(path, 'dri')).join(':'),
    XDG_DATA_DIRS: before(join(folder, 'usr/share'), process.env.XDG_DATA_DIRS || '/usr/local/share:/usr/share'),
    FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    GDK_PIXBUF_MODULE_FILE: join(folder, 'pixbuf-loaders'),
  };
}

/** Command and working folder of the unpacked Xvfb; null without one. */
export function unpackedXvfb() {
  const program = join(unpackedFolder, 'Xvfb');
  if (!existsSync(program)) return null;
  return { program, args: ['-xkbdir', join(unpackedFolder, 'usr/share/X11/xkb')], cwd: unpackedFolder };
}

/** Folders of libraries below a folder, such as "usr/lib/x86_64-linux-gnu" and "lib". */
const libraryFolders = (folder) =>
  ['usr/lib', 'lib'].flatMap((path) => {
    const above = join(folder, path);
    if (!existsSync(above)) return [];
    const triplets = readdirSync(above).filter((name) => name.endsWith('-linux-gnu'));
    return [...triplets.map((name) => join(above, name)), above];
  });

/** Completes a folder of unpacked packages with the results of their install scripts. */
export async function finishUnpacked(folder) {
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${unpackedFolder}/usr/share/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`,
  );
  const env = unpackedEnvironment(folder);
  const schemas = join(folder, 'usr/share/glib-2.0/schemas');
  const compile = inLibraries(folder, 'glib-2.0/glib-compile-schemas');
  if (compile && existsSync(schemas)) await mustRun(compile, [schemas], env);
  const query = inLibraries(folder, 'gdk-pixbuf-2.0/gdk-pixbuf-query-loaders');
  const loaders = query ? await mustRun(query, [], env) : '';
  await writeFile(join(folder, 'pixbuf-loaders'), loaders.replaceAll(folder, unpackedFolder));
  await adoptXvfb(folder);
}

/** Path of a program that packages keep beside their libraries: the unpacked one, else the system's. */
const inLibraries = (folder, program) =>
  [...libraryFolders(folder), ...libraryFolders('/')]
    .map((path) => join(path, program))
    .find((path) => existsSync(path));

async function mustRun(program, args, env) {
  const { code, stdout, output } = await run(program, args, { capture: true, env });
  if (code !== 0) throw new Error(`${program} failed: ${output.trim()}`);
  return stdout;
}

/**
 * Makes a copy of Xvfb that finds the unpacked xkbcomp, which compiles the keyboard map. The path /usr/bin is a
 * constant in Xvfb's program; the copy has a path of the same length instead, relative to its working folder.
 */
async function adoptXvfb(folder) {
  const original = join(folder, 'usr/bin/Xvfb');
  if (!existsSync(original)) return;
  const bytes = await readFile(original);
  const constant = Buffer.from('\0/usr/bin\0');
  const at = bytes.indexOf(constant);
  if (at === -1 || bytes.indexOf(constant, at + 1) !== -1)
    throw new Error('Dyno cannot use this version of Xvfb without installing it.');
  bytes.write(programsOfXvfb, at + 1, 'latin1');
  await writeFile(join(folder, 'Xvfb'), bytes);
  await chmod(join(folder, 'Xvfb'), 0o755);
  await mkdir(join(folder, programsOfXvfb));
  const installed = '/usr/bin/xkbcomp';
  const xkbcomp = existsSync(join(folder, installed)) ? join(folder, installed) : installed;
  await writeFile(join(folder, programsOfXvfb, 'xkbcomp'), await readFile(xkbcomp), { mode: 0o755 });
}
