import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog } from 'electron';
import { toErrorData } from '#model/error.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import { bringForward } from './desktop.ts';
import { createSend, serveRequests } from './ipc.ts';
import { collectOpenRequests, type OpenRequests } from './open-requests.ts';
import { registerPageScheme, servePage } from './protocol.ts';
import { lockDown } from './security.ts';
import { openWindow } from './window.ts';
import { identifyOnWindows } from './windows-identity.ts';
import { setWorkerDefaults } from './worker-defaults.ts';

const home = homeOf();

function main(): void {
  app.setName('Dyno');
  if (app.isPackaged) setWorkerDefaults();
  // Chromium falls back to software without a graphics device (a virtual display, X over a network), which can take
  // half a minute and fail.
  if (process.platform === 'linux' && !existsSync('/dev/dri')) app.disableHardwareAcceleration();
  ensureHome(home);
  mkdirSync(join(home.root, 'electron'), { recursive: true });
  app.setPath('userData', join(home.root, 'electron'));
  registerPageScheme();
  // The lock lies in userData, so each home has one window, and two homes do not affect each other.
  if (!app.requestSingleInstanceLock()) {
    console.error(
      `Dyno is already open on ${home.root}; its window comes to the front. For a second one, set DYNO_HOME.`,
    );
    app.exit(0);
    return;
  }
  const requests = collectOpenRequests();
  // There is no await at top level, because Electron emits `ready` only after the main module has finished.
  app
    .whenReady()
    .then(() => start(requests))
    .catch(fail);
}

/** Opens the window first. While its page loads, this process loads the handlers of the page's requests. */
async function start(requests: OpenRequests): Promise<void> {
  lockDown();
  identifyOnWindows();
  const built = join(app.getAppPath(), 'dist');
  servePage(join(built, 'renderer'));
  const window = openWindow(join(built, 'preload.cjs'), join(home.root, 'electron/window.json'));
  app.on('second-instance', () => bringForward(window));
  const send = createSend(window);
  const behind = import('./behind-window.ts').then(({ standBehind }) => standBehind(home, window, send, requests));
  serveRequests(
    window,
    behind.then(({ handlers }) => handlers),
  );
  await behind;
}

function fail(thrown: unknown): void {
  const { message, hint } = toErrorData(thrown);
  dialog.showErrorBox('Dyno cannot start', hint ? `${message}\n\n${hint}` : message);
  app.exit(1);
}

try {
  main();
} catch (thrown) {
  fail(thrown);
}
