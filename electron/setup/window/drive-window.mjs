import { runUnderNode } from '../node.mjs';
import { ensureWindow } from './ensure-window.mjs';

/**
 * The function that runs programs which drive the window (e2e/driver), on the screen or, without one, on a virtual
 * one: a function of their arguments and environment. Rejects if no window can be opened, with the remedy.
 */
export async function windowDriver(node) {
  const window = await ensureWindow({ display: 'any' });
  return (args, env = {}) =>
    window.withDisplay((display) =>
      runUnderNode(node, args, { env: { ...env, ...display, DYNO_ELECTRON: window.electron, DYNO_NODE: node } }),
    );
}
