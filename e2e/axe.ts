import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe has against the page as it stands: rule and elements. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Legacy mode: a second page, which axe would otherwise open for its report, cannot be opened in Electron.
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  return found.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).join(' | ')}`);
}
