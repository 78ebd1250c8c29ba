import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe has against the page as it stands, in light and in dark: theme, rule and elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // Legacy mode: a second page, which axe would otherwise open for its report, cannot be opened in Electron.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    // Only contrast depends on the theme.
    const { violations: found } = await (colorScheme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
    all.push(...found.map(({ id, nodes }) => `${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`));
  }
  return all;
}
