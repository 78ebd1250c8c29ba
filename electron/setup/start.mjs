import { ensureBuilt } from './build.mjs';
import { runCli } from './cli.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode } from './node.mjs';
import { isRoot, root, run, say } from './project.mjs';
import { ensureWindow, hasDisplay } from './window.mjs';

// `npm start`: everything from a fresh clone to the window; without a display, the starter experiment headless.
try {
  await ensureInstalled();
  const node = await ensureNode();
  process.exitCode = hasDisplay() ? await openWindow(node) : await runStarter(node);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}

async function openWindow(node) {
  const window = await ensureWindow({ display: 'own' });
  await ensureBuilt(node);
  if (isRoot) say("Running as root: Chromium's own sandbox cannot work then and is off (--no-sandbox).");
  const args = [...window.args, root, ...process.argv.slice(2)];
  return window.withDisplay(
    async (env) => (await run(window.electron, args, { env: { ...env, DYNO_NODE: node } })).code,
  );
}

async function runStarter(node) {
  say('No display (DISPLAY and WAYLAND_DISPLAY are not set): running the starter experiment without a window.');
  const code = await runCli(node, ['starter', ...process.argv.slice(2)]);
  say('More: npm run --silent dyno -- --help');
  return code;
}
