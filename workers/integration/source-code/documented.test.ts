import { expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.fixture.ts';

const filesOf = (...folders: readonly string[]): readonly SourceFile[] =>
  sourceFiles('.ts').filter(({ path, isTest }) => !isTest && folders.some((one) => path.startsWith(`workers/${one}/`)));

/** True if the line above ends a comment; an instruction to the linter may come in between. */
const hasComment = (lines: readonly string[], i: number): boolean => {
  const above = lines[i - 1]?.trim() ?? '';
  return above.startsWith('// biome-ignore') ? hasComment(lines, i - 1) : above.endsWith('*/');
};

/** Lines of a file that match and have no comment above them. */
const withoutComment = ({ path, text }: SourceFile, pattern: RegExp): readonly string[] => {
  const lines = text.split('\n');
  return lines.flatMap((line, i) =>
    pattern.test(line) && !hasComment(lines, i) ? [`${path}:${i + 1}: ${line.trim()}`] : [],
  );
};

test('a sentence explains every export of the folders that others build on', () => {
  const files = filesOf('model', 'engine-api', 'protocol', 'stats', 'cli');
  expect(files.length).toBeGreaterThan(100);
  const exported = /^export (?:async )?(?:const|function\*?|class|interface|type) \w/;
  expect(files.flatMap((file) => withoutComment(file, exported))).toEqual([]);
});

test('a sentence explains every member of what an engine implements', () => {
  const interfaces = filesOf('engine-api').flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?interface (\w+)[\s\S]*?\n}/gm)].map(([body, name]) => ({
      path: `${path}, ${name}`,
      text: body,
      isTest: false,
    })),
  );
  expect(interfaces.length).toBeGreaterThan(20);
  expect(interfaces.flatMap((one) => withoutComment(one, /^ {2}(?:readonly )?\w+\??[(:<]/))).toEqual([]);
});

/** The comment above a member of an interface, and the member's line. */
const member = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}((?:readonly )?\w+(\??)[(:<].*)/g;

test.each(['descriptor', 'session', 'probe'])(
  'each member of %s.ts has an example, and each optional one its default',
  (name) => {
    const [{ text } = { text: '' }] = filesOf('engine-api').filter(({ path }) => path.endsWith(`/${name}.ts`));
    const members = [...text.matchAll(member)];
    expect(members.length).toBeGreaterThan(10);
    const without = (word: string, among = members) =>
      among.filter(([, comment = '']) => !comment.includes(word)).map(([, , line]) => line);
    expect(without('Example:')).toEqual([]);
    expect(
      without(
        'Default',
        members.filter(([, , , optional]) => optional === '?'),
      ),
    ).toEqual([]);
  },
);
