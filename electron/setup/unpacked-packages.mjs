import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir, run } from './project.mjs';

/**
 * Debian packages that an ordinary user has unpacked instead of installing them, for Electron and Xvfb alone. What their installation would
 * have made (the cache of image loaders, compiled settings, the list of fonts) is made here.
 */
export const unpackedFolder = join(cacheDir, 'system-packages');

/** Where a program of our own copy of Xvfb looks for others: relative to its working folder, and as long as the path it had. */
const programsOfXvfb = './xkbbin';

/** Environment with which programs find what is unpacked; empty where nothing is. */
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

/** The unpacked Xvfb as a command with its working folder; null where there is none. */
export function unpackedXvfb() {
  const program = join(unpackedFolder, 'Xvfb');
  if (!existsSync(program)) return null;
  return { program, args: ['-xkbdir', join(unpackedFolder, 'usr/share/X11/xkb')], cwd: unpackedFolder };
}

/** Folders of libraries: "usr/lib/x86_64-linux-gnu" and its like, on systems old and new. */
const libraryFolders = (folder) =>
  ['usr/lib', 'lib'].flatMap((path) => {
    const above = join(folder, path);
    if (!existsSync(above)) return [];
    const triplets = readdirSync(above).filter((name) => name.endsWith('-linux-gnu'));
    return [...triplets.map((name) => join(above, name)), above];
  });

/** Makes in a folder of unpacked packages what their installation would have made. */
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

/** A program that packages keep beside their libraries: unpacked, else the system's own. */
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
 * Xvfb runs xkbcomp, which compiles the keyboard's map, from /usr/bin and from nowhere else: the path is a constant in the program. Our copy has
 * a path of the same length there, in the folder that it is started in.
 */
async function adoptXvfb(folder) {
  const original = join(folder, 'usr/bin/Xvfb');
  if (!existsSync(original)) return;
  const bytes = await readFile(original);
  const constant = Buffer.from('\0/usr/bin\0');
  const at = bytes.indexOf(constant);
  if (at === -1 || bytes.indexOf(constant, at + 1) !== -1)
    throw new Error('This Xvfb is not like those that Dyno knows: it has to be installed.');
  bytes.write(programsOfXvfb, at + 1, 'latin1');
  await writeFile(join(folder, 'Xvfb'), bytes);
  await chmod(join(folder, 'Xvfb'), 0o755);
  await mkdir(join(folder, programsOfXvfb));
  const installed = '/usr/bin/xkbcomp';
  const xkbcomp = existsSync(join(folder, installed)) ? join(folder, installed) : installed;
  await writeFile(join(folder, programsOfXvfb, 'xkbcomp'), await readFile(xkbcomp), { mode: 0o755 });
}
