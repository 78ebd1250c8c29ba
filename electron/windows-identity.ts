import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, shell } from 'electron';

const id = 'io.github.dyno';

/**
 * Windows shows notifications, and groups windows in the taskbar, by an app's id (AppUserModelID), which must also be
 * in its shortcut in the Start menu. The installer's language cannot write it there, so the installed app does.
 */
export function identifyOnWindows(): void {
  if (process.platform !== 'win32') return;
  app.setAppUserModelId(id);
  const shortcut = join(app.getPath('appData'), 'Microsoft/Windows/Start Menu/Programs/Dyno.lnk');
  if (!app.isPackaged || !existsSync(shortcut)) return;
  const { target, appUserModelId } = shell.readShortcutLink(shortcut);
  if (target.toLowerCase() === process.execPath.toLowerCase() && appUserModelId !== id)
    shell.writeShortcutLink(shortcut, 'update', { target, appUserModelId: id });
}
