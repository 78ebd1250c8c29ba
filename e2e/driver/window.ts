import type { Locator, Page } from 'playwright-core';
import { DynoError, fromErrorData, type Result } from '#model/error.ts';
import type { Bridge, Replies, RunProgress } from '#protocol/ipc.ts';
import type { Argument } from '#protocol/ipc-arguments.ts';

/** The requests that the driver sends by the bridge of the page, as the page does itself. None changes anything. */
type Asked = 'app:info' | 'experiments:check' | 'runs:list';

/** Sends a request of the page, and resolves with its answer. Throws its error. */
export async function request<C extends Asked>(page: Page, channel: C, argument: Argument<C>): Promise<Replies[C]> {
  const sent = { channel, argument } as { readonly channel: Asked; readonly argument: never };
  const answer = (await page.evaluate((asked) => {
    const { dyno } = window as unknown as { readonly dyno: Bridge };
    return dyno.request(asked.channel, asked.argument);
  }, sent)) as Result<Replies[C]>;
  if (!answer.ok) throw fromErrorData(answer.error);
  return answer.value;
}

/** The messages of the app about its live runs. */
export interface ProgressFeed {
  /** Calls `listener` for each message, and with null where the page was loaded anew and messages may be missing. */
  listen(listener: (progress: RunProgress | null) => void): () => void;
}

/** Listens to the messages that the page receives. Call it once for a page. */
export async function progressOf(page: Page): Promise<ProgressFeed> {
  const listeners = new Set<(progress: RunProgress | null) => void>();
  const tell = (progress: RunProgress | null) => {
    for (const listener of listeners) listener(progress);
  };
  await page.exposeBinding('toldToDriver', (_source, progress: RunProgress) => tell(progress));
  const subscribe = () =>
    page.evaluate(() => {
      const { dyno, toldToDriver } = window as unknown as {
        readonly dyno: Bridge;
        toldToDriver(progress: RunProgress): void;
      };
      dyno.on('run:progress', (progress) => toldToDriver(progress));
    });
  page.on('domcontentloaded', () => {
    // The page may be loaded once more meanwhile, or be gone.
    void subscribe()
      .then(() => tell(null))
      .catch(() => {});
  });
  await subscribe();
  return {
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The messages about errors with this title. */
export const errorsOf = (page: Page, title: string | RegExp): Locator =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('alertdialog').filter({ hasText: title });

/** The error of a message. */
export async function shownError(message: Locator): Promise<DynoError> {
  const [title, text] = await Promise.all(
    ['title', 'description'].map((slot) =>
      message
        .locator(`[slot=${slot}]`)
        .first()
        .innerText({ timeout: 1_000 })
        .catch(() => ''),
    ),
  );
  return new DynoError('other', [title, text].filter((part) => part !== '').join(': '));
}

/** Closes the messages about errors with this title, so that the next one is about the next attempt. */
export async function closeErrors(page: Page, title: string | RegExp): Promise<void> {
  const shown = errorsOf(page, title);
  while ((await shown.count()) > 0) await shown.first().getByRole('button', { name: 'Dismiss' }).click();
}
