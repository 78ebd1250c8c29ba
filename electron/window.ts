import { BrowserWindow, nativeTheme, screen } from 'electron';
import { pageUrl } from './addresses.ts';
import { readWindowState, rememberWindowState } from './window-state.ts';

/** The page's own background colours, so that nothing flashes before it has painted. */
const background = { light: '#f6f7f8', dark: '#14171a' };

/** Opens the one window, where it was the last time. */
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
      // Live charts must go on while the window is behind another one.
      backgroundThrottling: false,
      spellcheck: false,
    },
  });
  if (state?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  rememberWindowState(window, stateFile);
  window.loadURL(pageUrl).catch((error: unknown) => console.error('The page could not be loaded:', error));
  return window;
}
