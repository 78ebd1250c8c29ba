import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import { isOurPage, pageUrl } from './addresses.ts';
import { readWindowState, rememberWindowState } from './window-state.ts';

/** The page's background colours, so that the window does not flash before the first paint. */
const background = { light: '#f5f6f7', dark: '#101214' };

/** Opens the window at its last position. */
export function openWindow(preload: string, stateFile: string): BrowserWindow {
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const state = readWindowState(stateFile, screens);
  const window = new BrowserWindow({
    title: 'Dyno',
    width: 1360,
    height: 860,
    ...state?.bounds,
    minWidth: 720,
    minHeight: 480,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // Live charts must continue while another window covers this one.
      backgroundThrottling: false,
      spellcheck: false,
    },
  });
  if (state?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  rememberWindowState(window, stateFile);
  const load = () =>
    window.loadURL(pageUrl).catch((error: unknown) => console.error('The page could not be loaded:', error));
  // The window never stays on another page, should one get past what security.ts and the preload script refuse.
  window.webContents.on('did-navigate', (_event, url) => {
    if (!isOurPage(url)) void load();
  });
  void load();
  return window;
}

const rarelyMs = 30_000;

/**
 * Reloads a page whose process crashed, after `forgetPage` has ended the old page's requests. After repeated crashes it
 * shows an error instead.
 */
export function reviveWindow(window: BrowserWindow, forgetPage: () => void): void {
  let revivedAt = Number.NEGATIVE_INFINITY;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    console.error(`The page’s process is gone: ${reason} (${exitCode}).`);
    forgetPage();
    if (performance.now() - revivedAt < rarelyMs) {
      // A message box is used, because showErrorBox holds up the main process and with it the live runs until somebody
      // answers.
      void dialog.showMessageBox(window, {
        type: 'error',
        message: 'Dyno’s window keeps failing',
        detail: `The page’s process ended again (${reason}). Runs go on and are kept; close Dyno and open it again.`,
      });
      return;
    }
    revivedAt = performance.now();
    // The page is loaded again after the event, because during it Electron still removes the old page.
    setImmediate(() => {
      if (!window.isDestroyed()) window.webContents.reload();
    });
  });
}
