import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { runUnderNode } from './cli.mjs';
import { ensureInstalled } from './install.mjs';
import { hasDisplay, root, run, say } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

// `npm run pictures`: the README's pictures, taken of the real app by e2e/pictures.ts; on a virtual display where there is no other.
await ensureInstalled();
const electron = await ensureRuntime();
await ensureBuilt();
const script = join(root, 'e2e/pictures.ts');
const env = { ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1', DYNO_ELECTRON: electron };
if (!hasDisplay()) say('No display: using Xvfb.');
process.exitCode = hasDisplay()
  ? (await runUnderNode(electron, [script], { env })).code
  : (await run('xvfb-run', ['-a', '-s', '-screen 0 1920x1200x24', electron, script], { env })).code;
