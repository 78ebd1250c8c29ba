import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { runCli } from './cli.mjs';
import { ensureInstalled } from './install.mjs';
import { missingLibraries } from './libraries.mjs';
import { hasDisplay, root, run, say } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

// `npm start`: everything from a fresh clone to the window; without a display, the starter experiment headless.
try {
  await ensureInstalled();
  process.exitCode = hasDisplay() ? await openWindow() : await runStarter();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}

async function openWindow() {
  const electron = await ensureRuntime();
  const problem = await missingLibraries(electron);
  if (problem) throw new Error(problem);
  await ensureBuilt();
  const asRoot = process.getuid?.() === 0;
  if (asRoot) say("Running as root: Chromium's own sandbox cannot work then and is off (--no-sandbox).");
  const { code } = await run(electron, [root, ...(asRoot ? ['--no-sandbox'] : []), ...process.argv.slice(2)]);
  return code;
}

async function runStarter() {
  const report = join(root, 'dist/insert-duel-report.html');
  await mkdir(join(root, 'dist'), { recursive: true });
  say('No display (DISPLAY and WAYLAND_DISPLAY are not set): running the starter experiment without a window.');
  const code = await runCli(['run', join(root, 'experiments/insert-duel.dyno.yaml'), '--report', report]);
  say('More: npm run --silent dyno -- --help');
  return code;
}
