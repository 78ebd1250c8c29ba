import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '#protocol/ipc.ts';

/** Sets the application menu. Commands about experiments and runs go to the page, which holds the state. */
export function setMenu(command: (name: MenuCommand) => void): void {
  const item = (label: string, name: MenuCommand, accelerator?: string): MenuItemConstructorOptions => ({
    label,
    click: () => command(name),
    ...(accelerator ? { accelerator } : {}),
  });
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const onMac = process.platform === 'darwin';

  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(onMac ? ([{ role: 'appMenu' }] as const) : []),
      {
        label: 'File',
        submenu: [
          item('New Experiment', 'new', 'CmdOrCtrl+N'),
          item('New Connection', 'newConnection'),
          item('Open File…', 'open', 'CmdOrCtrl+O'),
          item('Import Experiment…', 'import'),
          item('Import Run…', 'importRun'),
          separator,
          item('Save', 'save', 'CmdOrCtrl+S'),
          separator,
          item('Print…', 'printReport', 'CmdOrCtrl+P'),
          separator,
          item('Settings…', 'settings', 'CmdOrCtrl+,'),
          separator,
          onMac ? { role: 'close' } : { role: 'quit' },
        ],
      },
      { role: 'editMenu' },
      {
        label: 'Experiment',
        submenu: [item('Run', 'run', 'CmdOrCtrl+Return')],
      },
      {
        label: 'View',
        submenu: [
          item('Home', 'home'),
          item('Experiments', 'experiments', 'CmdOrCtrl+1'),
          item('Runs', 'runs', 'CmdOrCtrl+2'),
          item('Connections', 'connections', 'CmdOrCtrl+3'),
          item('Load Hosts', 'hosts', 'CmdOrCtrl+4'),
          item('Command Palette…', 'palette', 'CmdOrCtrl+K'),
          separator,
          item('Switch Light and Dark', 'theme'),
          { role: 'resetZoom' },
          { role: 'zoomIn' },
          { role: 'zoomOut' },
          { role: 'togglefullscreen' },
          ...(app.isPackaged ? [] : [separator, { role: 'toggleDevTools' } as const]),
        ],
      },
      { role: 'windowMenu' },
      {
        role: 'help',
        submenu: [
          item('Documentation', 'documentation'),
          item('Tour', 'tour'),
          item('Keyboard Shortcuts', 'help'),
          item('About Dyno', 'about'),
        ],
      },
    ]),
  );
}
