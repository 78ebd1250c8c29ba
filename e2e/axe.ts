import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * The component library puts these elements for popovers and tooltips at the end of the page, outside of any landmark.
 */
const overlays = ['<div data-overlay-container=', '<div style="display: contents;">'];

/** Violations that axe finds in the current page, in light and dark: theme, rule and elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  const all: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    // Legacy mode, because axe otherwise opens a second page for its report, which Electron does not allow.
    const axe = new AxeBuilder({ page, ...(await sourceNeeded(page)) })
      .setLegacyMode(true)
      .options({ resultTypes: ['violations'] }); // axe describes no elements that passed
    // Contrast is the only rule that depends on the theme, so it is the only one checked in the dark theme.
    const { violations: found } = await (colorScheme === 'light' ? axe : axe.withRules('color-contrast')).analyze();
    for (const { id, nodes } of found) {
      const elements = nodes
        .map(({ html }) => html)
        .filter((html) => id !== 'region' || !overlays.some((start) => html.startsWith(start)));
      if (elements.length > 0) all.push(`${colorScheme}, ${id}: ${elements.join(' | ')}`);
    }
  }
  return all;
}

/** A builder injects axe into the page twice per analysis, which takes longer than the analysis; once is enough. */
const sourceNeeded = async (page: Page): Promise<{ readonly axeSource?: string }> =>
  (await page.evaluate(() => 'axe' in window)) ? { axeSource: 'void 0' } : {};
