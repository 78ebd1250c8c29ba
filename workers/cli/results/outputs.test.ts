import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { expect, it, vi } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { type TestHome, testHome } from '#integration/home.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { TestCase } from '#presentation/ci/test-suite.ts';
import type { Command, CommandContext, Values } from '../command.ts';
import { root } from '../docs/rooms.ts';
import { optionProblem } from '../option-problem.ts';
import { compareCommand } from './compare.ts';
import { outputOptions, writeOutputs } from './outputs.ts';
import { reportCommand } from './report.ts';

let home: TestHome;
let run: string;
beforeTests(async (opened) => {
  home = opened.use(testHome());
  run = join(home.home.runs, '20261120-080000-insert-duel.dyno-run');
  const records = fixtureJournal({ connections: [1], repeats: 3 });
  writeFileSync(run, [...records].map((record) => `${JSON.stringify(record)}\n`).join(''));
});

/** Runs a command in this process. */
async function call(command: Command, positionals: readonly string[], values: Values) {
  const printed: string[] = [];
  const context: CommandContext = {
    ...{ home: home.home, positionals, values, note: () => {} },
    print: (text) => printed.push(text),
    printJson: (value) => printed.push(JSON.stringify(value)),
  };
  return { code: await command.run(context), out: printed.join('\n') };
}

it('writes JSON, JUnit XML and Markdown of one run and of two compared ones, and no report unasked', async () => {
  const folder = home.home.root;
  for (const [command, given] of [
    [reportCommand, [run]],
    [compareCommand, [run, run]],
  ] as const) {
    const [json = '', junit = '', markdown = ''] = ['r.json', 'r.xml', 'r.md'].map((name) => join(folder, name));
    const { code, out } = await call(command, given, { json, junit, markdown });
    expect(code).toBe(exitCodes.ok);
    expect(out).toContain('prepared');
    const written: unknown = JSON.parse(readFileSync(json, 'utf8'));
    const [compared = written] = (written as { readonly runs?: readonly unknown[] }).runs ?? [];
    expect(compared).toHaveProperty('cells');
    const document = new DOMParser().parseFromString(readFileSync(junit, 'utf8'), 'text/xml');
    expect(document.getElementsByTagName('testcase').length).toBeGreaterThan(7);
    expect(readFileSync(markdown, 'utf8')).toContain('| prepared · Connections: 1 | PostgreSQL |');
    const alone = await call(command, given, { junit: '-' });
    expect(alone.out).toMatch(/^<\?xml .*<\/testsuites>$/s);
  }
});

it('adds the figures of each second and the histograms to the JSON, which the documented code decodes', async () => {
  const file = join(home.home.root, 'series.json');
  await call(reportCommand, [run], { json: file, series: true });
  const text = readFileSync(file, 'utf8');
  const { cells, trials } = JSON.parse(text);
  expect(trials[0].series.callsPerSecond.length).toBe(trials[0].series.atMs.length);
  expect(text).toMatch(/"atMs": \[\d[\d., ]*\]/);
  expect(cells[0].histogram).toMatch(/^[\w+/]+=*$/);
  const documentation = readFileSync(join(root, 'docs/file-format.md'), 'utf8');
  const [, code = ''] = /```js\n(\/\*\* The buckets[\s\S]*?)```/.exec(documentation) ?? [];
  const decode = new Function(`${code}\nreturn bucketsOf;`)() as (text: string) => { count: number; toNs: number }[];
  const buckets = decode(trials[0].histograms.service);
  expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(trials[0].calls);
  const merged = decode(cells[0].histogram);
  const times = merged.flatMap(({ toNs, count }) => Array.from({ length: count }, () => toNs - 1));
  expect(times[Math.ceil(times.length / 2) - 1]! / 1e6).toBeCloseTo(cells[0].latencyMs.p50, 9);
});

it('writes lists of numbers on one line, and leaves texts that look like lists', () => {
  const value = { atMs: [1, 2.5, null], none: [], sql: 'SELECT ARRAY[ 1, 2 ]', list: '[\n  1\n]' };
  const written: string[] = [];
  const context = { values: { json: '-' }, print: (text: string) => written.push(text) } as unknown as CommandContext;
  writeOutputs(context, { json: () => value, markdown: () => '', tests: () => ({}) as never });
  expect(JSON.parse(written[0]!)).toEqual(value);
  expect(written[0]).toContain('"atMs": [1, 2.5, null]');
});

it('places annotations in the experiment file, if the job’s repository has it', () => {
  const caseOf = (path: TestCase['path']): TestCase => ({
    ...{ name: 'x', outcome: 'failed', message: 'Slower.', details: [], seconds: 0 },
    path,
  });
  const results = {
    json: () => ({}),
    markdown: () => '',
    tests: () => ({
      ...{ name: 'A', startedAt: '', properties: {} },
      suites: [{ name: 'gate', cases: [caseOf(['statements', 'pay']), caseOf([])], notes: [] }],
    }),
  };
  const written = readYaml('dyno: 1\nname: A\nstatements:\n  look: SELECT 1\n  pay: SELECT 2\n');
  const lines = (path: string): readonly string[] => {
    using write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const context = { values: { annotations: 'github' } } as unknown as CommandContext;
    writeOutputs(context, results, { path, written });
    return write.mock.calls.map(([line]) => String(line));
  };
  vi.stubEnv('GITHUB_WORKSPACE', home.home.root);
  expect(lines(join(home.home.root, 'bench/x.dyno.yaml'))).toEqual([
    '::error title=A%2C gate%3A x,file=bench/x.dyno.yaml,line=5::Slower.\n',
    '::error title=A%2C gate%3A x,file=bench/x.dyno.yaml,line=1::Slower.\n',
  ]);
  expect(lines(join(home.home.root, '../x.dyno.yaml'))[0]).toBe('::error title=A%2C gate%3A x::Slower.\n');
  vi.unstubAllEnvs();
});

it('refuses two outputs on standard output, and annotations of another system', () => {
  expect(optionProblem({ json: '-', junit: '-' }, outputOptions)).toContain('--json and --junit cannot both');
  expect(optionProblem({ json: '-' }, outputOptions)).toBeNull();
  expect(optionProblem({ annotations: 'gitlab' }, outputOptions)).toContain('--annotations takes “github”.');
});
