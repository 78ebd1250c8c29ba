import { contextBridge, ipcRenderer } from 'electron';
import type { Bridge } from '#protocol/ipc.ts';
import { channels, events } from './channels.ts';

// The only thing the page gets: named questions to ask and named events to hear, nothing else of Electron or Node.
const bridge: Bridge = {
  request(channel, argument) {
    if (!channels.includes(channel)) throw new Error(`No such request: ${String(channel)}`);
    return ipcRenderer.invoke(channel, argument);
  },
  on(event, listener) {
    if (!events.includes(event)) throw new Error(`No such event: ${String(event)}`);
    // The IpcRendererEvent stays here: it would hand the page `sender`.
    const forward = (_event: unknown, payload: Parameters<typeof listener>[0]) => listener(payload);
    ipcRenderer.on(event, forward);
    return () => {
      ipcRenderer.off(event, forward);
    };
  },
};

contextBridge.exposeInMainWorld('dyno', bridge);
