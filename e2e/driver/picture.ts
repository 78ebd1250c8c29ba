import type { Locator, Page } from 'playwright-core';
import { DynoError } from '#model/error.ts';
import type { PictureOptions } from './api.ts';

/** Saves a picture of the page or of one of its charts. */
export async function takePicture(
  page: Page,
  path: string,
  { theme, width, height, chart }: PictureOptions,
): Promise<void> {
  const before = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  const size = { width: width ?? before.width, height: height ?? before.height };
  const isResized = size.width !== before.width || size.height !== before.height;
  const restoreTheme = theme === undefined ? async () => {} : await showTheme(page, theme);
  try {
    if (isResized) await page.setViewportSize(size);
    // Nothing is hovered.
    await page.mouse.move(0, 0);
    const shown = chart === undefined ? null : await chartOf(page, chart);
    await shown?.scrollIntoViewIfNeeded();
    await drawn(page);
    await (shown ?? page).screenshot({ path, animations: 'disabled' });
  } finally {
    if (isResized) await page.setViewportSize(before);
    await restoreTheme();
  }
}

/** Fonts and charts appear a frame after their containers. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  });

async function chartOf(page: Page, title: string): Promise<Locator> {
  const heading = page.getByRole('heading', { name: title, exact: true });
  const panel = page.getByRole('main').locator('section').filter({ has: heading }).last();
  const isThere = await panel.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  );
  if (isThere) return panel;
  const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
  throw new DynoError('badInput', `The page has no chart “${title}”.`, {
    hint: titles.length === 0 ? null : `It has ${titles.join(', ')}.`,
  });
}

/** Shows a theme. The result shows the one before. */
async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<() => Promise<void>> {
  const chosen = await page.evaluate(() => document.documentElement.dataset.theme);
  if (chosen === undefined) {
    await page.emulateMedia({ colorScheme: theme });
    return () => page.emulateMedia({ colorScheme: null });
  }
  if (chosen === theme) return async () => {};
  const toggle = page.getByRole('button', { name: /^Switch to (light|dark)$/ });
  await toggle.click();
  return () => toggle.click();
}
