import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.fixture.ts';

// `npm test` runs the files with a failed test once more and names what then passed (electron/setup/test-steps.mjs).
test('no test and no test configuration retries by itself', () => {
  const files = sourceFiles('.test.ts', '.test.tsx', '.test.mjs', '.e2e.ts', '.config.ts', '.config.mjs');
  const own = /\bretry: [1-9]|configure\(\{[^}]*\bretries\b|^ {2}retries: [1-9]/m;
  expect(files.filter(({ text }) => own.test(text)).map(({ path }) => path)).toEqual([]);
});
