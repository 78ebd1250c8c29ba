import type { Locator, Page } from 'playwright-core';
import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Section, WorkloadPart } from './api.ts';

const sections: readonly Section[] = ['Question', 'Targets', 'Workload', 'Factors', 'Measurement'];
const parts: readonly WorkloadPart[] = ['Data', 'Statements', 'Advanced'];

/** Shows a section of the form. */
export const showSection = (page: Page, name: Section): Promise<void> =>
  page.getByRole('tablist', { name: 'Sections' }).getByRole('tab', { name }).click();

/** Shows a tab of the section *Workload*. */
export async function showPart(page: Page, name: WorkloadPart): Promise<void> {
  await showSection(page, 'Workload');
  const tabs = page.getByRole('tablist', { name: 'Parts of the workload' });
  await tabs.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
}

/** The parts of the form that may have an input, each after it was shown; the present one comes first. */
async function* shownParts(page: Page, section: Section | undefined): AsyncGenerator<null> {
  if (section === undefined) yield null;
  for (const one of section === undefined ? sections : [section])
    if (one === 'Workload')
      for (const part of parts) {
        await showPart(page, part);
        yield null;
      }
    else {
      await showSection(page, one);
      yield null;
    }
}

/** Sets the input with a label, wherever in the form it is. */
export async function fillForm(
  page: Page,
  label: string,
  value: string | number | boolean,
  section: Section | undefined,
): Promise<void> {
  const form = page.getByRole('region', { name: 'Form' });
  const labels = new Set<string>();
  for await (const _ of shownParts(page, section)) {
    // The list of a choice has a hidden twin for the browser's own form filling.
    const found = form.getByLabel(label, { exact: true }).and(form.locator(':not(select):not(section)'));
    const count = await found.count();
    if (count > 1)
      throw new DynoError('badInput', `The form has ${count} inputs with the label “${label}” here.`, {
        hint: 'Choose one by `page`, or set its value by its path: change({ set: … }).',
      });
    if (count === 1) return setInput(page, found, label, value);
    for (const text of await form.locator('label, .label').allInnerTexts()) if (text !== '') labels.add(text.trim());
  }
  const where = section === undefined ? 'The form' : `The section “${section}”`;
  throw new DynoError('badInput', `${where} has no input with the label “${label}”.`, {
    hint: didYouMean(label, [...labels]),
  });
}

async function setInput(page: Page, input: Locator, label: string, value: string | number | boolean): Promise<void> {
  // A fold has the inputs that few experiments need.
  for (const fold of await input.locator('xpath=ancestor::details[not(@open)]').all())
    await fold.locator('xpath=summary').click();
  const kind = await input.evaluate((own) =>
    own instanceof HTMLInputElement && own.type === 'checkbox' ? 'checkbox' : (own.getAttribute('role') ?? own.tagName),
  );
  switch (kind.toLowerCase()) {
    case 'checkbox':
      if ((await input.isChecked()) !== value) await input.locator('xpath=ancestor::label').click();
      return;
    case 'radiogroup':
      return input
        .getByRole('radio', { name: String(value), exact: true })
        .locator('xpath=ancestor::label')
        .click();
    case 'button':
      return choose(page, input, label, String(value));
    case 'textbox':
      await input.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(String(value));
      return;
    default:
      await input.fill(String(value));
      await input.blur();
      await refuseInvalid(input, label);
  }
}

/** Chooses an option of a list. The default may be marked as such. */
async function choose(page: Page, button: Locator, label: string, value: string): Promise<void> {
  await button.click();
  const options = page.getByRole('listbox').getByRole('option');
  await options.first().waitFor();
  const texts = (await options.allInnerTexts()).map((text) => text.trim());
  const at = texts.findIndex((text) => text.replace(/ \(default\)$/, '') === value || text === value);
  if (at === -1) {
    await page.keyboard.press('Escape');
    throw new DynoError('badInput', `“${label}” has no option “${value}”.`, { hint: `It has ${texts.join(', ')}.` });
  }
  await options.nth(at).click();
}

/** Throws the problem that the form shows below an input. */
async function refuseInvalid(input: Locator, label: string): Promise<void> {
  const problem = await input.evaluate(async (own) => {
    await new Promise((drawn) => requestAnimationFrame(drawn));
    if (own.getAttribute('aria-invalid') !== 'true') return null;
    const ids = (own.getAttribute('aria-describedby') ?? '').split(' ');
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  });
  if (problem !== null) throw new DynoError('badInput', `${label}: ${problem.trim()}`);
}
