import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Answers } from './api.ts';
import { questions } from './questions.ts';

const dialogs = ['trust', 'password', 'production', 'server-change'].map((name) =>
  readFileSync(new URL(`../../renderer/shell/${name}-dialog.tsx`, import.meta.url), 'utf8'),
);

/** A text of a dialog with the names of its values in their place: "Type host to confirm connection". */
const withNames = (text: string): string => text.replaceAll(/\$\{(?:\w+\.)?(\w+)\}/g, '$1');

const textsOf = (dialog: string): readonly string[] =>
  [...dialog.matchAll(/(["'`])((?:(?!\1).)+)\1/g)].map(([, , text = '']) => withNames(text));

const labelsOf = (dialog: string): readonly string[] =>
  [...dialog.matchAll(/<TextField\s[^>]*?label=\{`([^`]+)`\}/g)].map(([, label = '']) => withNames(label));

const answers: Answers = {
  trust: true,
  passwords: { 'label of name': 'secret' },
  confirm: ['host'],
  changeServer: ['connection'],
};

test.each(questions)('a dialog of the window asks what “$action” answers', ({ title, action, answerTo, isAllowed }) => {
  const asking = dialogs.filter(
    (dialog) => dialog.includes(action) && textsOf(dialog).some((text) => title.test(text)),
  );
  expect(asking).toHaveLength(1);
  const labels = asking.flatMap(labelsOf);
  expect(labels.length > 0 || isAllowed?.(answers)).toBe(true);
  for (const label of labels) {
    expect(answerTo(answers, label), label).toMatch(/^(?:secret|host|connection)$/);
    expect(answerTo({}, label), label).toBeUndefined();
  }
});
