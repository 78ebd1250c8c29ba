import type { Locator, Page } from 'playwright-core';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { DynoError } from '#model/error.ts';
import type { Changes } from './api.ts';

const yamlToggle = (page: Page): Locator => page.getByRole('button', { name: 'YAML', exact: true });
const editorOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Experiment file' });

/** Shows the YAML beside the form. */
export async function showYaml(page: Page): Promise<void> {
  if ((await yamlToggle(page).getAttribute('aria-pressed')) === 'false') await yamlToggle(page).click();
  await editorOf(page).waitFor();
}

/** Lets `use` work with the editor and all of its text selected. Then the YAML is hidden again if it was. */
async function withSelectedText<T>(page: Page, use: (editor: Locator) => Promise<T>): Promise<T> {
  const wasShown = (await yamlToggle(page).getAttribute('aria-pressed')) === 'true';
  await showYaml(page);
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  const result = await use(editorOf(page));
  if (!wasShown) await yamlToggle(page).click();
  return result;
}

/** Shows the builder, and resolves with true if an experiment is open there. */
async function showBuilder(page: Page): Promise<boolean> {
  if (await yamlToggle(page).isVisible()) return true;
  await page.getByRole('navigation').getByRole('link', { name: 'Builder' }).click();
  await newExperiment(page).or(yamlToggle(page)).waitFor();
  return yamlToggle(page).isVisible();
}

const newExperiment = (page: Page): Locator => page.getByRole('button', { name: 'New experiment', exact: true });

/** The text of the experiment, as the editor copies it. The system's clipboard stays as it is. */
export async function readText(page: Page): Promise<string> {
  if (!(await showBuilder(page)))
    throw new DynoError('badInput', 'No experiment is open.', { hint: 'open, openExperiment or write opens one.' });
  return withSelectedText(page, (editor) =>
    editor.evaluate((own) => {
      const clipboardData = new DataTransfer();
      own.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
      return clipboardData.getData('text/plain');
    }),
  );
}

/** Replaces the text of the experiment, or of a new one if none is open. */
export async function writeText(page: Page, text: string): Promise<void> {
  if (!(await showBuilder(page))) await newExperiment(page).click();
  await withSelectedText(page, () => page.keyboard.insertText(text));
}

/** A text after changes. Throws as `dyno run --set` does. */
export function changedText(text: string, { size, set = {} }: Changes): string {
  const written = readYaml(text);
  const sized = size === undefined ? written : setIn(written, ['size'], size ?? undefined);
  const values = Object.entries(set).map(
    ([path, value]) => `${path}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return applyOverrides(sized, values).text;
}
