import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.fixture.ts';

/** The formatter breaks code at this width, but not comments and texts. */
const columns = 120;

/** A line that is a comment, or ends in one; instructions to the linter must stay on one line. */
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

/** Words at the beginning of a fragment, in which a reader finds no subject. */
const beginsFragment = /^(?:Of|What|Whether|Where|Which|Such|In which|By)\b/;

/** The first line of each comment of a file, with its line number. */
function* firstLines(text: string): Generator<readonly [line: number, words: string]> {
  const lines = text.split('\n').map((line) => line.trim());
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1] ?? '';
    if (line === '/**') yield [i + 2, (lines[i + 1] ?? '').replace(/^\* /, '')];
    else if (line.startsWith('/** ')) yield [i + 1, line.slice(4)];
    else if (line.startsWith('// ') && !above.startsWith('// ')) yield [i + 1, line.slice(3)];
  }
}

test('no comment begins with a word that leaves its subject out', () => {
  const found = sourceFiles('.ts', '.tsx', '.mjs').flatMap(({ path, text }) =>
    [...firstLines(text)].flatMap(([line, words]) => (beginsFragment.test(words) ? [`${path}:${line}: ${words}`] : [])),
  );
  expect(found).toEqual([]);
});

test.each([
  ['/** Of the measured phase. */', ['Of the measured phase. */']],
  ['/**\n * Whether it ends.\n */', ['Whether it ends.']],
  ['// One line.\n// Where it goes on.', ['One line.']],
])('%j begins with its first line', (text, words) => {
  expect([...firstLines(text)].map(([, one]) => one)).toEqual(words);
});
