import { contextBridge, ipcRenderer, webUtils } from 'electron';
import type { Bridge } from '#protocol/ipc.ts';
import { channels, droppedChannel, events } from './channels.ts';

// The page's only access to Electron and Node: named requests and named events.
const bridge: Bridge = {
  request(channel, argument) {
    if (!channels.includes(channel)) throw new Error(`No such request: ${String(channel)}`);
    return ipcRenderer.invoke(channel, argument);
  },
  on(event, listener) {
    if (!events.includes(event)) throw new Error(`No such event: ${String(event)}`);
    // The page does not get the IpcRendererEvent, which would give it `sender`.
    const forward = (_event: unknown, payload: Parameters<typeof listener>[0]) => listener(payload);
    ipcRenderer.on(event, forward);
    return () => {
      ipcRenderer.off(event, forward);
    };
  },
  openDropped(files) {
    // A file that the page itself created has no path.
    const paths = files.map((file) => webUtils.getPathForFile(file as File)).filter((path) => path !== '');
    return ipcRenderer.invoke(droppedChannel, paths);
  },
};

contextBridge.exposeInMainWorld('dyno', bridge);

// Chromium navigates to about:blank without asking the main process, so this listener keeps the page's document. It
// belongs to this script's world, and exists before any script of the page.
window.navigation.addEventListener('navigate', (event) => {
  if (!event.destination.url.startsWith(`${location.origin}/`)) event.preventDefault();
});
