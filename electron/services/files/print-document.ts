import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BrowserWindow, session } from 'electron';
import { DynoError } from '#model/error.ts';
import { makePrivateFolder } from '#platform/private-folder.ts';

/**
 * Shows the system's print dialog for an HTML document that needs no other file. The document runs no script, loads
 * nothing and is deleted afterwards. Resolves with false if the user cancels.
 * @throws DynoError 'other' if the system cannot print.
 */
export async function printDocument(parent: BrowserWindow, html: string): Promise<boolean> {
  const folder = makePrivateFolder('print');
  const file = join(folder, 'report.html');
  await writeFile(file, html, { mode: 0o600 });
  const hidden = new BrowserWindow({
    parent,
    show: false,
    webPreferences: {
      session: lockedSession(),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      spellcheck: false,
    },
  });
  try {
    await hidden.loadFile(file);
    return await shown(hidden);
  } finally {
    if (!hidden.isDestroyed()) hidden.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A session in memory, without permissions and without requests to hosts. */
function lockedSession(): Electron.Session {
  const own = session.fromPartition('print');
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  own.setPermissionCheckHandler(() => false);
  own.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !/^(file|data|devtools):/.test(url) }));
  return own;
}

const shown = (window: BrowserWindow): Promise<boolean> =>
  new Promise((resolve, reject) => {
    // The main window may be closed while the dialog is open, and this window with it.
    window.once('closed', () => resolve(false));
    window.webContents.print({ printBackground: false }, (isPrinted, reason) => {
      if (isPrinted || /cancel/i.test(reason)) resolve(isPrinted);
      else
        reject(
          new DynoError('other', `The system did not print: ${reason}.`, {
            hint: 'Export the report, open it in a browser and print it there.',
          }),
        );
    });
  });
