import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dynamicImportVarsPlugin, importGlobPlugin } from 'rolldown/experimental';
import { build as buildByVite } from 'vite';
import { root } from '../setup/project.mjs';
import { sourceUrls } from './source-urls.mjs';

/** The bundled packages. All others stay separate, because drivers load parts of themselves by path. */
const bundled = ['@codemirror/lang-sql', '@valibot/to-json-schema', 'csv-parse', 'tinyqueue', 'valibot', 'yaml'];

/**
 * Drivers of a hundred to a thousand small modules. Bundled, they cost a starting worker less of a processor: RavenDB's
 * 0.08 s instead of 0.4 s, MongoDB's 0.08 s instead of 0.12 s, both of MySQL together 0.07 s instead of 0.13 s. They
 * stay on disk too, where Dyno reads their versions.
 */
const bundledDrivers = ['mariadb', 'mongodb', 'mysql2', 'ravendb', 'undici'];

/** The names of the packages that the built programs need beside them. */
export const packagesOnDisk = (manifest) =>
  Object.keys(manifest.dependencies).filter((name) => !bundled.includes(name));

/**
 * Builds everything that plain Node runs (the command line, the workers, the supervisor of servers…) into `folder`, in
 * the layout of the project. `onDisk` names the packages that are not bundled; `files` is the path from there to the
 * project's files, as in sourceUrls. Resolves with the files of its modules.
 */
export async function buildPrograms(folder, onDisk, files = '') {
  const modules = await bundle({
    input: { 'workers/cli': 'workers/cli.ts' },
    folder,
    external: (id) => isOf(onDisk, id) && !isOf(bundledDrivers, id),
    // `import(`./${id}/engine.ts`)` in workers/engines/load.ts: every file that this can name becomes a chunk.
    plugins: [sourceUrls(root, { files }), dynamicImportVarsPlugin(), importGlobPlugin()],
  });
  return modules;
}

const isOf = (packages, id) => packages.some((name) => id === name || id.startsWith(`${name}/`));

/** Copies the files that programs of other languages read. */
export async function copyForeignFiles(folder) {
  for await (const file of glob('workers/managed-servers/**/*.{py,sql,java,txt}', { cwd: root })) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
}

/**
 * Builds the window into the folder `dist` of `app`: Electron's main process, the page, and the preload script. `files`
 * and `programs` are the paths from there to the project's files and to the folder of buildPrograms. Resolves with the
 * files of its modules.
 */
export async function buildWindow(app, { files, programs }) {
  const folder = join(app, 'dist');
  const external = (id) => id === 'electron';
  const modules = new Set([
    ...(await bundle({
      input: { main: 'electron/main.ts' },
      folder,
      external,
      plugins: [sourceUrls(root, { files, programs })],
    })),
    // A sandboxed window needs its preload script as one CommonJS file.
    ...(await bundle({ input: { preload: 'electron/preload.ts' }, folder, external, plugins: [], file: '[name].cjs' })),
  ]);
  await buildByVite({
    configFile: join(root, 'renderer/vite.config.ts'),
    build: { outDir: join(folder, 'renderer') },
    plugins: [{ name: 'collect-modules', moduleParsed: ({ id }) => void modules.add(id.replace(/\?.*/, '')) }],
    logLevel: 'warn',
  });
  return [...modules];
}

/** Builds the package @dyno/driver (e2e/driver) into one module. Resolves with the files of its modules. */
export const buildDriver = (folder) =>
  bundle({
    input: { index: 'e2e/driver/index.ts' },
    folder,
    external: (id) => id === 'playwright-core',
    plugins: [],
    isForReaders: true,
  });

/** `isForReaders`: lines stay as they are written, because people read the code of a library and its stack traces. */
async function bundle({ input, folder, external, plugins, file = '[name].js', isForReaders = false }) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    external: (id) => isBuiltin(id) || external(id),
    plugins,
  });
  try {
    const { output } = await build.write({
      dir: folder,
      format: file.endsWith('.cjs') ? 'cjs' : 'esm',
      entryFileNames: file,
      chunkFileNames: 'chunks/[name]-[hash].js',
      // Names stay, for stack traces.
      minify: !isForReaders && { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    });
    await removeOldChunks(folder, new Set(output.map(({ fileName }) => basename(fileName))));
    return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  } finally {
    await build.close();
  }
}

/** Removes chunks of earlier builds, except chunks that a program started within the last hour may still load. */
async function removeOldChunks(folder, used) {
  const chunks = join(folder, 'chunks');
  if (!existsSync(chunks)) return;
  for (const name of await readdir(chunks)) {
    const file = join(chunks, name);
    if (!used.has(name) && Date.now() - (await stat(file)).mtimeMs > 3_600_000) await rm(file, { force: true });
  }
}
