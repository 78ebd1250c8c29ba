import { isAbsolute } from 'node:path';
import { type BrowserWindow, ipcMain } from 'electron';
import * as v from 'valibot';
import { DynoError, type Result, toErrorData } from '#model/error.ts';
import type { EventName, Events, Replies, Requests } from '#protocol/ipc.ts';
import { argumentSchemas, type Channel, droppedPaths } from '#protocol/ipc-arguments.ts';
import { channels, droppedChannel } from './channels.ts';
import type { OpenWish } from './open-wishes.ts';
import { isTrustedSender } from './security.ts';

type Awaitable<T> = T | Promise<T>;

/** A handler per request. The page gets its answer or error as a Result. */
export type Handlers = {
  readonly [C in keyof Replies]: (argument: Requests[C]['argument']) => Answer<Requests[C]['answer']>;
};

/** A handler of a request whose answer is always null returns nothing. */
type Answer<T> = [T] extends [null] ? Awaitable<void> : Awaitable<T>;

/**
 * Answers the page's requests once handlers are registered: checks the sender, parses the argument, and returns errors
 * as data.
 */
export function serveRequests(window: BrowserWindow, handlers: Promise<Handlers>): void {
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

/** Opens the files that the user drops onto the window; their paths come from the preload script. */
export function serveDropped(window: BrowserWindow, open: (wishes: readonly OpenWish[]) => Promise<void>): void {
  ipcMain.handle(droppedChannel, async (event, raw: unknown) => {
    if (!isTrustedSender(event, window)) return refuse('Dropped files of another page were refused.');
    const paths = v.safeParse(droppedPaths, raw);
    if (!paths.success || !paths.output.every((path) => isAbsolute(path)))
      return refuse('What was dropped is no list of files.');
    await open(paths.output.map((file) => ({ file })));
    return { ok: true, value: null };
  });
  window.once('closed', () => ipcMain.removeHandler(droppedChannel));
}

async function answer<C extends Channel>(
  channel: C,
  raw: unknown,
  handlers: Promise<Handlers>,
): Promise<Result<Requests[C]['answer']>> {
  // The table is typed by channel; TypeScript does not correlate types through an index.
  const argument = v.safeParse<v.GenericSchema>(argumentSchemas[channel], raw);
  if (!argument.success) return refuse(`${channel} was asked with a wrong argument: ${v.summarize(argument.issues)}`);
  try {
    const value = (await (await handlers)[channel](argument.output as Requests[C]['argument'])) ?? null;
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
