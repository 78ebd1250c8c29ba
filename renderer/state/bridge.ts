import { fromErrorData, toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { Bridge, EventName, Events, Requests } from '#protocol/ipc.ts';
import type { Channel } from '#protocol/ipc-arguments.ts';
import { showToast, type Toast } from '../ui/overlays/toast.tsx';

declare global {
  interface Window {
    readonly dyno: Bridge;
  }
}

/** Sends a request to the main process and returns its answer; throws its DynoError. */
export async function request<C extends Channel>(
  channel: C,
  argument: Requests[C]['argument'],
): Promise<Requests[C]['answer']> {
  const result = await window.dyno.request(channel, argument);
  if (!result.ok) throw fromErrorData(result.error);
  return result.value;
}

export const listen = <E extends EventName>(event: E, listener: (payload: Events[E]) => void): (() => void) =>
  window.dyno.on(event, listener);

/**
 * Runs an action of the user. If it fails, a toast with the title `what` shows the error and the action of `wayOut`, if
 * there is one. The result is then null.
 */
export async function attempt<T>(
  what: string,
  action: () => Promise<T>,
  wayOut: () => Toast['action'] = () => undefined,
): Promise<T | null> {
  try {
    return await action();
  } catch (thrown) {
    showToast({ tone: 'error', title: what, text: errorText(toErrorData(thrown)), action: wayOut() });
    return null;
  }
}
