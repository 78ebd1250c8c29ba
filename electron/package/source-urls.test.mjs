import { expect, it } from 'vitest';
import { entriesIn, withFolders, withPlaceholders } from './source-urls.mjs';

const code = `
const workerFile = fileURLToPath(new URL('../../worker.ts', import.meta.url));
const thread = new Worker(new URL('./host-thread.ts', import.meta.url), { workerData });
const text = fileURLToPath(new URL(\`requirements/\${tool}.txt\`, import.meta.url));
const require = createRequire(import.meta.url);`;

it('finds the programs and threads that a module starts', () => {
  expect(entriesIn(code)).toEqual([
    { path: '../../worker.ts', isThread: false },
    { path: './host-thread.ts', isThread: true },
  ]);
});

it('keeps URLs that are relative to the source file, wherever the bundle puts the code', () => {
  const placed = withPlaceholders(code, 'workers/orchestrator/worker/fork.ts');
  const urls = (fileName) => {
    const chunk = withFolders(placed, fileName, { files: '', programs: '' });
    // Evaluated as the chunk would be, with every URL as the result.
    const read = new Function(
      'meta',
      'URL',
      `const Worker = class { constructor(url) { this.url = url; } };
       const fileURLToPath = String, createRequire = String, tool = 'x', workerData = {};
       ${chunk.replaceAll('import.meta', 'meta')}; return [workerFile, String(thread.url), text, require];`,
    );
    return read({ url: `file:///bundle/${fileName}` }, URL);
  };
  const inPrograms = [
    'file:///bundle/workers/worker.js',
    'file:///bundle/workers/orchestrator/worker/host-thread.js',
    'file:///bundle/workers/orchestrator/worker/requirements/x.txt',
    'file:///bundle/workers/orchestrator/worker/fork.ts',
  ];
  expect(urls('chunks/a.js')).toEqual(inPrograms);
  expect(urls('main.js')).toEqual(inPrograms);
  expect(urls('workers/orchestrator/worker/fork.js')).toEqual(inPrograms);
});

it('looks for programs and for files in their own folders, and for threads in the bundle', () => {
  const folders = { files: '../', programs: '../dyno/' };
  const chunk = withFolders(withPlaceholders(code, 'workers/platform/x.ts'), 'chunks/a.js', folders);
  expect(chunk).toContain('new URL("worker.js", new URL("../../dyno/", import.meta.url))');
  expect(chunk).toContain('new Worker(new URL("workers/platform/host-thread.js", new URL("../", import.meta.url))');
  expect(chunk).toContain('new URL("workers/platform/x.ts", new URL("../../", import.meta.url)).href');
});
