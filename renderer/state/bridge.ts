import { fromErrorData, toErrorData } from '#contract/error.ts';
import type { Bridge, Channel, EventName, Events, Requests } from '#contract/ipc.ts';
import { showToast, type Toast } from '../ui/toast.tsx';

declare global {
  interface Window {
    readonly dyno: Bridge;
  }
}

/** Asks the shell; throws the DynoError it answers with. */
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

/** Runs something the user asked for; what goes wrong is told in a toast, with a way out where there is one. Answers null then. */
export async function attempt<T>(
  what: string,
  action: () => Promise<T>,
  wayOut: () => Toast['action'] = () => undefined,
): Promise<T | null> {
  try {
    return await action();
  } catch (thrown) {
    const error = toErrorData(thrown);
    showToast({
      tone: 'error',
      title: what,
      text: error.hint ? `${error.message} ${error.hint}` : error.message,
      action: wayOut(),
    });
    return null;
  }
}
