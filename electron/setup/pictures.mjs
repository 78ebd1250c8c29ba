import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { runUnderNode } from './cli.mjs';
import { onDisplay } from './display.mjs';
import { ensureInstalled } from './install.mjs';
import { root } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

// `npm run pictures`: the README's pictures, taken of the real app by e2e/pictures.ts.
await ensureInstalled();
const electron = await ensureRuntime();
await ensureBuilt();
const [command, ...args] = await onDisplay([electron, join(root, 'e2e/pictures.ts')]);
const window = await runUnderNode(command, args, { env: { DYNO_ELECTRON: electron } });
// Then those of the gallery's cards, each of a run of its own.
const cards = await runUnderNode(electron, [join(root, 'workers/gallery-pictures.ts')]);
process.exitCode = window.code || cards.code;
