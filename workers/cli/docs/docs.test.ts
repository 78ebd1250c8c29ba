import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseExperiment } from '#experiment/experiment-file.ts';
import { generatedDocs, root } from './generated-docs.ts';
import { anchorsOf, linksOf } from './markdown-links.ts';

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

describe('the documentation', () => {
  for (const { name, current, renewed } of generatedDocs())
    it(`docs/${name} is up to date (renew: npm run docs)`, () => expect(current).toBe(renewed));

  for (const name of documents)
    it(`${name}: every relative link leads to a file, and to a heading in it`, () => {
      const broken = linksOf(read(name)).filter(({ path, anchor }) => {
        const file = path === '' ? join(root, name) : join(root, dirname(name), path);
        if (!existsSync(file)) return true;
        return anchor !== '' && !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
      });
      expect(broken).toEqual([]);
    });

  it('shows whole experiments that can be run', () => {
    const whole = documents.flatMap((name) =>
      [...read(name).matchAll(/```yaml\n(dyno: 1\n[\s\S]*?)```/g)].map(([, text = '']) => ({ name, text })),
    );
    expect(whole.length).toBeGreaterThan(0);
    for (const { name, text } of whole) expect(parseExperiment(text).diagnostics, `${name}:\n${text}`).toEqual([]);
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
