import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rules } from '#analysis/findings/registry.ts';
import { outline } from '#presentation/outline/outline.ts';
import { tabs } from '#presentation/outline/panel.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { generatedFiles } from './generated-docs.ts';
import { anchorsOf, linksOf } from './markdown-links.fixture.ts';
import { root } from './rooms.ts';

const folders = ['docs', 'e2e', 'electron', 'experiments', 'renderer', 'workers'];
const isDocument = (name: string): boolean => name.endsWith('.md');

/** Every Markdown file of the project, by its path from the project's folder. */
const documents = [
  ...readdirSync(root).filter(isDocument),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(isDocument)
      .map((name) => `${folder}/${name}`),
  ),
];
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** Paths of workers/, renderer/ and electron/ that a text names; of a pattern (`<id>`, `*`), the folder before it. */
const codePathsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<![\w./-])(?:workers|renderer|electron)\/[\w./<>*-]*/g)].map(([path]) =>
    path.replace(/[^/]*[<*].*$/, '').replace(/\.$/, ''),
  );

describe('the documentation', () => {
  for (const { name, current, renewed } of generatedFiles())
    it(`${name} is up to date (renew: npm run docs)`, () => expect(current).toBe(renewed));

  for (const name of documents)
    it(`${name}: every relative link leads to a file, and to a heading in it`, () => {
      const broken = linksOf(read(name)).filter(({ path, anchor }) => {
        const file = path === '' ? join(root, name) : join(root, dirname(name), path);
        if (!existsSync(file)) return true;
        return anchor !== '' && !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
      });
      expect(broken).toEqual([]);
    });

  it('names paths of the code that exist', () => {
    const named = documents
      .filter((name) => name.startsWith('docs/') || !name.includes('/'))
      .flatMap((name) => codePathsIn(read(name)).map((path) => ({ name, path })));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has a boundary for every input, each with tests that exist', () => {
    const rows = [...read('docs/security.md').matchAll(/^\| ([^|]+) \| [^|]+ \| (`[^|]+`) \|$/gm)];
    const inputs = rows.map(([, input = '']) => input);
    expect(inputs).toEqual(
      expect.arrayContaining(['experiment', 'CSV', 'SQL', 'run file', 'capture', 'connection string', 'IPC', 'server']),
    );
    for (const [, input, tests = ''] of rows) {
      const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path);
      expect(named.length, input).toBeGreaterThan(0);
      expect(
        named.filter((path) => !/\.(test|e2e)\.tsx?$/.test(path) || !existsSync(join(root, path))),
        input,
      ).toEqual([]);
    }
  });

  it('explains every panel of the results', () => {
    const rows = [...read('docs/reading-results.md').matchAll(/^\| (.*?) \| (.*?) \| .*\|$/gm)];
    const explained = new Set(
      rows.flatMap(([, tab, panels = '']) => panels.split('; ').map((one) => `${tab}: ${one}`)),
    );
    const titles = outline.flatMap(({ tab, title }) =>
      typeof title === 'string' ? [`${tabs[tab]}: ${title.replaceAll('’', "'")}`] : [],
    );
    expect(titles.filter((title) => !explained.has(title))).toEqual([]);
  });

  it('has a rate of false alarms for each rule, or says what it counts', () => {
    const statistics = read('docs/statistics.md');
    expect(rules.map(({ id }) => id).filter((id) => !statistics.includes(`\`${id}\``))).toEqual([]);
  });

  it('shows whole experiments that can be run', () => {
    const whole = documents.flatMap((name) =>
      [...read(name).matchAll(/```yaml\n(dyno: 1\n[\s\S]*?)```/g)].map(([, text = '']) => ({ name, text })),
    );
    expect(whole.length).toBeGreaterThan(0);
    for (const { name, text } of whole) expect(parseFile(text).diagnostics, `${name}:\n${text}`).toEqual([]);
  });

  it('is linked from the README, every file of docs/', () => {
    const linked = linksOf(read('README.md')).map(({ path }) => path);
    const files = documents.filter((name) => name.startsWith('docs/'));
    expect(files.filter((name) => !linked.includes(name))).toEqual([]);
  });

  it('keeps the README within 150 lines', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(151);
  });
});
