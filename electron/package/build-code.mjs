import { cp, glob, mkdir, rm } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { dynamicImportVarsPlugin, importGlobPlugin } from 'rolldown/experimental';
import { build as buildByVite } from 'vite';
import { root } from '../setup/project.mjs';
import { sourceUrls, urlsOfSources } from './source-urls.mjs';

/**
 * Builds everything that plain Node runs (the command line, the workers, the supervisor of servers…) into `folder`, in
 * the layout of the project. `onDisk` names the packages that are not bundled. Resolves with the files of its modules.
 */
export async function buildPrograms(folder, onDisk) {
  const files = await bundle({
    input: { 'workers/cli': 'workers/cli.ts' },
    folder,
    external: (id) => onDisk.some((name) => id === name || id.startsWith(`${name}/`)),
    // `import(`./${id}/engine.ts`)` in workers/engines/load.ts: every file that this can name becomes a chunk.
    plugins: [sourceUrls(root), dynamicImportVarsPlugin(), importGlobPlugin()],
  });
  // Files that programs of other languages read.
  for await (const file of glob('workers/managed-servers/**/*.{py,sql,java,txt}', { cwd: root })) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(root, file), join(folder, file));
  }
  return files;
}

/**
 * Builds the window into the folder `dist` of `app`: Electron's main process, the page, and the preload script.
 * `programs` is the path from there to the folder of what plain Node runs: `isBuilt` if that is of buildPrograms, else
 * it has the source files. Resolves with the files of its modules.
 */
export async function buildWindow(app, { programs, isBuilt }) {
  const folder = join(app, 'dist');
  const external = (id) => id === 'electron';
  await rm(join(folder, 'chunks'), { recursive: true, force: true });
  const modules = new Set([
    ...(await bundle({
      input: { main: 'electron/main.ts' },
      folder,
      external,
      plugins: [isBuilt ? sourceUrls(root, programs) : urlsOfSources(root, programs)],
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

async function bundle({ input, folder, external, plugins, file = '[name].js' }) {
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
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    });
    return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  } finally {
    await build.close();
  }
}
