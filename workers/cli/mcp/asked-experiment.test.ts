import { expect, test, vi } from 'vitest';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { askedExperiment } from './asked-experiment.ts';
import type { ToolContext } from './tool.ts';

vi.mock('#rules/parsed-file.ts', { spy: true });

const yaml = experimentYaml().replace('A test', 'Mine');
const set = ['dataset.rows=5'];

test.each([
  ['a text', { text: yaml, set: [] }],
  ['a text with values', { text: yaml, set }],
  ['an experiment of the library with values', { experiment: 'Mine', set }],
])('%s is parsed only for its run, after the check that has a time limit', async (_, given) => {
  await using own = testHome();
  openLibrary(own.home).save(null, yaml);
  vi.mocked(parseFile).mockClear();
  const asked = askedExperiment({ home: own.home } as ToolContext, given);
  const parsed = vi.mocked(parseFile).mock.calls.map(([file]) => (typeof file === 'string' ? file : file.text));
  expect(parsed).not.toContain(asked.text);
  expect(asked.given().file.experiment?.dataset?.rows).toBe(given.set.length === 0 ? 1_000 : 5);
});
