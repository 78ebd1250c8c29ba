import { ensureBuilt } from './build.mjs';
import { runCli } from './cli.mjs';
import { ensureInstalled } from './install.mjs';
import { ensureNode } from './node.mjs';
import { isRoot, logToStderr, root, run } from './project.mjs';
import { ensureWindow, hasDisplay } from './window/ensure-window.mjs';

// `npm start` installs and builds what is missing, then opens the window. Without a display it runs the starter
// experiment on the command line.
try {
  await ensureInstalled();
  const node = await ensureNode();
  process.exitCode = hasDisplay() ? await openWindow(node) : await runStarter(node);
} catch (error) {
  logToStderr(error.message);
  process.exitCode = 1;
}

async function openWindow(node) {
  const window = await ensureWindow({ display: 'own' });
  await ensureBuilt(node);
  if (isRoot) logToStderr("Running as root, for whom Chromium's sandbox does not work: it is off (--no-sandbox).");
  const args = [...window.args, root, ...process.argv.slice(2)];
  return window.withDisplay(
    async (env) => (await run(window.electron, args, { env: { ...env, DYNO_NODE: node } })).code,
  );
}

async function runStarter(node) {
  logToStderr('No display (DISPLAY and WAYLAND_DISPLAY are not set): running the starter experiment without a window.');
  const code = await runCli(node, ['starter', ...process.argv.slice(2)]);
  logToStderr('For more commands: npm run --silent dyno -- --help');
  return code;
}
