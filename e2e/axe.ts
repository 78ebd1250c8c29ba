import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** Violations that axe finds in the current page, in light and dark: theme, rule and elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // Legacy mode, because axe otherwise opens a second page for its report, which Electron does not allow.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    // Only contrast depends on the theme.
    const { violations: found } = await (colorScheme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
    all.push(...found.map(({ id, nodes }) => `${colorScheme}, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`));
  }
  return all;
}
