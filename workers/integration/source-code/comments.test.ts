import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.fixture.ts';

/** The formatter breaks code at this width, and leaves comments and texts as they are. */
const columns = 120;

/** A line that is a comment, or ends in one; what a linter is told has to stay in one line. */
const isComment = (line: string): boolean =>
  /^\s*(?:\/\/|\/\*|\*)|[\s;,{(]\/\/ |\*\/\s*$/.test(line) && !line.includes('biome-ignore');

test(`no comment is wider than ${columns} columns`, () => {
  const files = sourceFiles('.ts', '.tsx', '.mjs', '.css');
  expect(files.length).toBeGreaterThan(1_000);
  const wide = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, i) =>
        isComment(line) && [...line].length > columns ? [`${path}:${i + 1}: ${line.trim()}`] : [],
      ),
  );
  expect(wide).toEqual([]);
});
