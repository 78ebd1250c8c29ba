import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

/*
 * Vitest runs this once, before the tests of the window. It builds the window as one module, whose URL is in
 * DYNO_TEST_WINDOW. Node evaluates this module anew for each test in a tenth of the time of its sources. The module
 * imports its packages from the project, so its folder is inside of the project.
 */
export default async function buildWindow() {
  const parent = fileURLToPath(new URL('../../.build/', import.meta.url));
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'test-window-'));
  await build({
    configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)),
    logLevel: 'warn',
    build: {
      ssr: 'dev/whole-window.fixture.tsx',
      outDir: folder,
      target: 'node24',
      minify: false,
      // A part that is loaded later would share its state with the windows of all tests.
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'window.mjs' } },
    },
  });
  process.env.DYNO_TEST_WINDOW = pathToFileURL(join(folder, 'window.mjs')).href;
  return () => rm(folder, { recursive: true, force: true });
}
