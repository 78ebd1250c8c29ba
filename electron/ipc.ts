import { type BrowserWindow, ipcMain } from 'electron';
import * as v from 'valibot';
import { DynoError, type Result, toErrorData } from '#model/error.ts';
import type { Channel, EventName, Events, Requests } from '#protocol/ipc.ts';
import { channels } from './channels.ts';
import { argumentSchemas } from './ipc-schemas.ts';
import { isTrustedSender } from './security.ts';

type Awaitable<T> = T | Promise<T>;

/** A handler per request. The page gets its answer or error as a Result. */
export type Handlers = {
  readonly [C in Channel]: (argument: Requests[C]['argument']) => Answer<Requests[C]['answer']>;
};

/** A request whose answer is always null is answered by returning nothing. */
type Answer<T> = [T] extends [null] ? Awaitable<void> : Awaitable<T>;

/** Answers the page's requests: checks the sender, parses the argument, and returns errors as data. */
export function serveRequests(window: BrowserWindow, handlers: Handlers): void {
  for (const channel of channels) {
    ipcMain.handle(channel, (event, argument: unknown) =>
      isTrustedSender(event, window)
        ? answer(channel, argument, handlers)
        : refuse(`A request from ${event.senderFrame?.url ?? 'a closed frame'} was refused.`),
    );
  }
  window.once('closed', () => {
    for (const channel of channels) ipcMain.removeHandler(channel);
  });
}

async function answer<C extends Channel>(
  channel: C,
  raw: unknown,
  handlers: Handlers,
): Promise<Result<Requests[C]['answer']>> {
  // The table is typed by channel; TypeScript does not correlate types through an index.
  const schema = argumentSchemas[channel] as v.GenericSchema<unknown, Requests[C]['argument']>;
  const argument = v.safeParse(schema, raw);
  if (!argument.success) return refuse(`${channel} was asked with a wrong argument: ${v.summarize(argument.issues)}`);
  try {
    const value = (await handlers[channel](argument.output)) ?? null;
    return { ok: true, value: value as Requests[C]['answer'] };
  } catch (thrown) {
    if (!(thrown instanceof DynoError)) console.error(`${channel}:`, thrown);
    return { ok: false, error: toErrorData(thrown) };
  }
}

const refuse = (message: string): { ok: false; error: ReturnType<typeof toErrorData> } => ({
  ok: false,
  error: toErrorData(new DynoError('badInput', message)),
});

/** Sends an event to the page; does nothing after the window has closed. */
export type Send = <E extends EventName>(event: E, payload: Events[E]) => void;

export const createSend =
  (window: BrowserWindow): Send =>
  (event, payload) => {
    if (!window.isDestroyed()) window.webContents.send(event, payload);
  };
