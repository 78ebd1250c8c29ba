import { ensureBuilt } from './build.mjs';
import { runCli } from './cli.mjs';
import { ensureInstalled } from './install.mjs';
import { missingLibraries } from './libraries.mjs';
import { hasDisplay, root, run, say } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';
import { sandboxProblem } from './sandbox.mjs';

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
  const problem = (await missingLibraries(electron)) ?? (await sandboxProblem(electron));
  if (problem) throw new Error(problem);
  await ensureBuilt();
  const asRoot = process.getuid?.() === 0;
  if (asRoot) say("Running as root: Chromium's own sandbox cannot work then and is off (--no-sandbox).");
  const args = [...(asRoot ? ['--no-sandbox'] : []), ...process.argv.slice(2)];
  const { code } = await run(electron, [root, ...args]);
  return code;
}

async function runStarter() {
  say('No display (DISPLAY and WAYLAND_DISPLAY are not set): running the starter experiment without a window.');
  const code = await runCli(['starter', ...process.argv.slice(2)]);
  say('More: npm run --silent dyno -- --help');
  return code;
}
