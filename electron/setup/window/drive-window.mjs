import { runUnderNode } from '../node.mjs';
import { ensureWindow } from './ensure-window.mjs';

/**
 * What runs programs that drive the window (e2e/launch.ts), on the screen or, where there is none, on a virtual one:
 * a function of their arguments and environment. Rejects where no window can be opened, with how that is mended.
 */
export async function windowDriver(node) {
  const window = await ensureWindow({ display: 'any' });
  return (args, env = {}) =>
    window.withDisplay((display) =>
      runUnderNode(node, args, { env: { ...env, ...display, DYNO_ELECTRON: window.electron, DYNO_NODE: node } }),
    );
}
