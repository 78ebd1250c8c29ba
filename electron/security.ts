import { app, type BrowserWindow, session, shell } from 'electron';
import { isAllowedLink, isOurPage } from './addresses.ts';

/** Denies the page everything it does not need: permissions, navigation, and new windows. */
export function lockDown(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(isGranted(permission)));
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => isGranted(permission));
  session.defaultSession.setDevicePermissionHandler(() => false);
  session.defaultSession.on('will-download', (event) => event.preventDefault());

  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => {
      if (!isOurPage(event.url) || !event.isMainFrame) event.preventDefault();
    });
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.setWindowOpenHandler(({ url }) => {
      if (isAllowedLink(url)) void shell.openExternal(url);
      return { action: 'deny' };
    });
  });
}

/** The page may put a picture on the clipboard after a user action. It may not read the clipboard. */
const isGranted = (permission: string): boolean => permission === 'clipboard-sanitized-write';

/** True for requests from the top frame of the app's window while it shows the app's page. */
export const isTrustedSender = (event: Electron.IpcMainInvokeEvent, window: BrowserWindow): boolean =>
  !window.isDestroyed() &&
  event.senderFrame !== null &&
  event.senderFrame === window.webContents.mainFrame &&
  isOurPage(event.senderFrame.url);
