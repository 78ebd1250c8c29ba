import type { Locator, Page } from 'playwright-core';
import { DynoError } from '#model/error.ts';
import type { Answers } from './api.ts';

/** A question of the window: the title of its dialog, the button that goes on, and the labels of its inputs. */
interface Question {
  readonly title: RegExp;
  readonly action: string;
  /** The text for an input by its label; undefined: the script has no answer. */
  readonly answerTo: (answers: Answers, label: string) => string | undefined;
  /** True if the answers allow an action without inputs. */
  readonly isAllowed?: (answers: Answers) => boolean;
  readonly hint: string;
}

const inLabel = (pattern: RegExp, label: string): string => pattern.exec(label)?.[1] ?? '';

/** All questions that the window may ask before a run. */
export const questions: readonly Question[] = [
  {
    title: /came from elsewhere$/,
    action: 'Trust and continue',
    answerTo: () => undefined,
    isAllowed: ({ trust }) => trust === true,
    hint: 'Read what it would do, and then: start({ trust: true }).',
  },
  {
    title: /^Passwords$/,
    action: 'Continue',
    answerTo: ({ passwords = {} }, label) => (Object.hasOwn(passwords, label) ? passwords[label] : undefined),
    hint: 'Give the passwords by their labels: start({ passwords: { "Password of …": … } }).',
  },
  {
    title: /^Production$/,
    action: 'Continue on production',
    answerTo: ({ confirm = [] }, label) => {
      const host = inLabel(/^Type (.+) to confirm /, label);
      return confirm.find((one) => one.toLowerCase() === host.toLowerCase());
    },
    hint: 'Others depend on the server. To run on it, give its host: start({ confirm: ["…"] }).',
  },
  {
    title: /^Change parameters of your servers?$/,
    action: 'Change and run',
    answerTo: ({ changeServer = [] }, label) =>
      changeServer.find((one) => one === inLabel(/^Type (.+) to let the run change its server$/, label)),
    hint: 'The parameters change for all users. To allow it, name the connection: start({ changeServer: ["…"] }).',
  },
];

/** Answers the question of an open dialog, or cancels it and throws what the window asked. */
export async function answerQuestion(page: Page, dialog: Locator, answers: Answers): Promise<void> {
  const title = (await dialog.getByRole('heading').first().innerText()).trim();
  const question = questions.find((one) => one.title.test(title));
  const inputs = await dialog.locator('input:not([type=checkbox])').all();
  const labelled = await Promise.all(
    inputs.map(async (input) => ({
      input,
      label: await input.evaluate((own) => (own as HTMLInputElement).labels?.[0]?.textContent ?? ''),
    })),
  );
  const given = labelled.map(({ input, label }) => ({ input, label, text: question?.answerTo(answers, label) }));
  const isAnswered =
    question !== undefined &&
    (given.length === 0 ? question.isAllowed?.(answers) === true : given.every(({ text }) => text !== undefined));
  if (!isAnswered) {
    const asked = (await dialog.innerText()).replaceAll(/\n+/g, '\n').trim();
    await page.keyboard.press('Escape');
    throw new DynoError('notConfirmed', `The window asks before the run:\n${asked}`, { hint: question?.hint ?? null });
  }
  for (const { input, text = '' } of given) await input.fill(text);
  await dialog.getByRole('button', { name: question.action, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}
