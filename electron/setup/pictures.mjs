import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { runUnderNode } from './cli.mjs';
import { onDisplay } from './display.mjs';
import { ensureInstalled } from './install.mjs';
import { root } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

// `npm run pictures`: the README's pictures, taken of the real app by e2e/pictures.ts, and those of the gallery's cards, each of a run of its own.
// With names of experiments: those cards alone.
const names = process.argv.slice(2);
await ensureInstalled();
const electron = await ensureRuntime();
const codes = [];
if (names.length === 0) {
  await ensureBuilt();
  const [command, ...args] = await onDisplay([electron, join(root, 'e2e/pictures.ts')]);
  codes.push((await runUnderNode(command, args, { env: { DYNO_ELECTRON: electron } })).code);
}
codes.push((await runUnderNode(electron, [join(root, 'workers/gallery-pictures.ts'), ...names])).code);
process.exitCode = codes.find((code) => code !== 0) ?? 0;
