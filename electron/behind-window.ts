import type { BrowserWindow } from 'electron';
import type { Home } from '#platform/paths.ts';
import { type Handlers, type Send, serveDropped } from './ipc.ts';
import { setMenu } from './menu.ts';
import type { OpenRequests } from './open-requests.ts';
import { guardQuit } from './quit.ts';
import { createServices } from './services/services.ts';
import { reviveWindow } from './window.ts';

/**
 * Starts everything behind the open window: the handlers of the page's requests, the menu, and the questions before
 * quitting.
 */
export function standBehind(
  home: Home,
  window: BrowserWindow,
  send: Send,
  requests: OpenRequests,
): { readonly handlers: Handlers } {
  const services = createServices(home, window, send);
  serveDropped(window, services.open);
  reviveWindow(window, services.forgetPage);
  setMenu((command) => send('menu:command', { command }));
  guardQuit(window, services);
  requests.deliverTo((wishes) => void services.open(wishes));
  return services;
}
