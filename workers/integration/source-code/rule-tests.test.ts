import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.fixture.ts';

test('each rule of the findings has its test beside it', () => {
  const files = sourceFiles('.ts').filter(({ path }) => path.startsWith('workers/analysis/findings/'));
  const rules = files.filter(({ text, isTest }) => !isTest && /^export const \w+: Rule = \{/m.test(text));
  expect(rules.length).toBeGreaterThan(25);
  const tested = new Set(files.filter(({ isTest }) => isTest).map(({ path }) => path));
  const without = rules.map(({ path }) => path).filter((path) => !tested.has(path.replace(/\.ts$/, '.test.ts')));
  expect(without).toEqual([]);
});
