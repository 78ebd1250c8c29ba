import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { closeErrors, errorsOf, shownError } from './window.ts';

/** Drags files from outside over the window, calls `whileOver`, and drops them. */
export async function dropFiles(page: Page, files: readonly string[], whileOver = async () => {}): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  const event = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
  await event('dragEnter');
  await event('dragOver');
  await whileOver();
  await event('drop');
  await session.detach();
}

const refusal = /^Could not open/;

/** Opens a file, and resolves when the window shows it. Throws the reason why it cannot be opened. */
export async function openFile(page: Page, file: string): Promise<void> {
  // From here the builder or the page of a run comes into view only with the file.
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await closeErrors(page, refusal);
  await dropFiles(page, [resolve(file)]);
  const refused = errorsOf(page, refusal).first();
  const builder = page.getByRole('button', { name: 'YAML', exact: true });
  const run = page.getByRole('tablist', { name: 'Views of the run' });
  await builder.or(run).or(refused).first().waitFor();
  if (await refused.isVisible()) throw await shownError(refused);
}
