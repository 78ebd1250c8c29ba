import { expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.fixture.ts';

const filesOf = (...folders: readonly string[]): readonly SourceFile[] =>
  sourceFiles('.ts').filter(({ path, isTest }) => !isTest && folders.some((one) => path.startsWith(`workers/${one}/`)));

/** True if the line above ends a comment; an instruction to the linter may stand between. */
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
