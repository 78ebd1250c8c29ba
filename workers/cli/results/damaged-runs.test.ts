import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { dyno } from '#integration/cli.fixture.ts';
import { experimentYaml, type TestHome, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun, trusted } from '#integration/trusted.fixture.ts';
import { DynoError } from '#model/error.ts';
import { cuts, flips } from '#orchestrator/journal/damaged-run.fixture.ts';
import { readUnfinished } from '#orchestrator/run/resume.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { journalVersion } from '#protocol/journal.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let test: TestHome;
/** A real run of two trials. */
let whole: string;
let text: string;
const yaml = experimentYaml({ rows: '200', targets: '[sqlite, noop]', measure: '{ repeats: 1 }' });
beforeTests(async (opened) => {
  test = opened.use(testHome());
  const run = await newTrustedRun({ home: test.home, yaml });
  await run.start();
  whole = run.file;
  text = readFileSync(whole, 'utf8');
});

/** Writes another run file next to the intact one, in the list of runs. */
function written(name: string, content: string): string {
  const file = join(test.home.runs, `${name}.dyno-run`);
  writeFileSync(file, content);
  return file;
}

const lineOf = (record: string): string => text.split('\n').find((line) => line.startsWith(`{"record":"${record}"`))!;
const without = (record: string): string =>
  text.replace(lineOf(record), lineOf(record).replace('"totals":{', '"totals":{"'));

it('ends with the exit code of a wrong run file and with a remedy if nothing in it is readable', async () => {
  const files = [
    ['empty', ''],
    ['other', 'hello\n'],
    ['older', text.replace(`"version":${journalVersion}`, `"version":${journalVersion - 1}`)],
    ['header', text.replace('"plan":{', '"plan":[')],
    ['plan', text.replace('"trials":[', '"trials":[{},')],
  ].map(([name = '', content = '']) => written(name, content));
  const [damaged = ''] = files.slice(-1);
  for (const args of [
    ...files.map((file) => ['report', file, '--json', '-']),
    ['compare', whole, damaged],
    ['resume', damaged],
  ]) {
    const { code, err } = await dyno(test.home, ...args);
    expect([code, err]).toEqual([exitCodes.badExperiment, expect.stringMatching(/^error: .*\n {2}try: /)]);
  }
  const listed = await dyno(test.home, 'list', '--runs');
  expect(listed.code).toBe(exitCodes.ok);
  expect(listed.out.match(/unreadable/g)).toHaveLength(5);
});

it('reports and compares the readable part of a damaged file, names the damage, and resumes the rest', async () => {
  const file = written('result', without('result'));
  const report = join(test.home.root, 'r.html');
  const reported = await dyno(test.home, 'report', file, '-o', report);
  expect(reported.code).toBe(exitCodes.ok);
  expect(reported.out).toContain('Run file damaged: 1 line of the run file cannot be used');
  expect(reported.out).toMatch(/Damaged:\n {2}trial 1 /);
  expect(readFileSync(report, 'utf8')).toContain('trial 1 damaged');
  const compared = await dyno(test.home, 'compare', whole, file);
  expect(compared.code).toBe(exitCodes.ok);
  expect(compared.out).toContain('compared run: 1 line of the run file cannot be used');
  const resumed = await dyno(test.home, 'resume', file, '-q');
  expect(resumed.code).toBe(exitCodes.ok);
  expect(
    (await loadRun(test.home, file)).trials.every(({ result, damage }) => result !== null && damage === null),
  ).toBe(true);
});

it('reads a file with a torn last line without a message', async () => {
  const { damage } = await loadRun(test.home, written('torn', text.slice(0, -20)));
  expect(damage.lines).toBe(0);
});

it('never fails otherwise than in words, whatever became of a file', async () => {
  const file = join(test.home.root, 'damaged.dyno-run');
  const listed = join(test.home.runs, 'listed.dyno-run');
  const inWords = (thrown: unknown) => {
    expect(thrown).toBeInstanceOf(DynoError);
    expect((thrown as DynoError).data.kind).toBe('badInput');
  };
  const experiment = trusted(test.home, yaml);
  let count = 0;
  for (const damaged of [...cuts(text, 5_003), ...flips(text, 60, 3)]) {
    writeFileSync(file, damaged);
    await loadRun(test.home, file).then(renderText).catch(inWords);
    await readUnfinished(file, experiment).catch(inWords);
    if (++count % 20 !== 0) continue;
    copyFileSync(file, listed);
    expect((await openRuns(test.home).list()).length).toBeGreaterThan(1);
  }
  expect(count).toBeGreaterThan(100);
});
