import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { experimentYaml, type TestHome, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun, resumeTrusted, trusted } from '#integration/trusted.fixture.ts';
import type { DynoError } from '#model/error.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { childPids } from '#platform/processes.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { readUnfinished } from './resume.ts';
import { collect, newRun, once } from './run.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Header = Extract<JournalRecord, { record: 'header' }>;

describe('a run file of somebody else', () => {
  let test: TestHome;
  let header: Header;
  beforeTests(async (opened) => {
    test = opened.use(testHome());
    const { run } = await newRun(test, { measure: '{ repeats: 1 }' });
    await run.start();
    header = JSON.parse(readFileSync(run.file, 'utf8').split('\n')[0] ?? '') as Header;
  });
  const fileWith = (changed: Header): string => {
    const file = join(test.home.root, 'mailed.dyno-run');
    writeFileSync(file, `${JSON.stringify(changed)}\n`);
    return file;
  };
  const refusal = async (changed: Header): Promise<DynoError> =>
    resumeTrusted({ home: test.home, file: fileWith(changed) }).then(
      () => expect.unreachable('should have been refused'),
      (thrown: DynoError) => thrown,
    );

  it('is resumed as its experiment says', async () => {
    expect((await readUnfinished(fileWith(header), trusted(test.home, header.yaml))).plan).toEqual(header.plan);
  });

  it('keeps the colours of its targets, which may have others by now', async () => {
    const plan = { ...header.plan, targets: header.plan.targets.map((target, i) => ({ ...target, index: 40 + i })) };
    expect((await readUnfinished(fileWith({ ...header, plan }), trusted(test.home, header.yaml))).plan).toEqual(plan);
  });

  it('is not executed where its plan is not what its experiment makes', async () => {
    const { plan } = header;
    const [variant] = plan.variants;
    const crafted = [
      { ...plan, variants: [{ ...variant, settings: { ...variant?.settings, rangeRows: '1; DROP TABLE customers' } }] },
      { ...plan, targets: [{ name: 'noop', engine: 'postgres', index: 0 }] },
      {
        ...plan,
        experiment: { ...plan.experiment, targets: [{ name: 'noop', engine: 'postgres', host: `\${env:SECRET}` }] },
      },
    ];
    for (const one of crafted) {
      const error = await refusal({ ...header, plan: one as unknown as Header['plan'] });
      expect(error.data).toMatchObject({ kind: 'badInput' });
      expect(error.message).toMatch(/plan/);
    }
  });

  it('is not executed where its experiment is wrong, or its id is none', async () => {
    expect((await refusal({ ...header, yaml: 'dyno: 1' })).data.kind).toBe('badInput');
    expect((await refusal({ ...header, runId: '../../elsewhere-x' })).message).toMatch(/run id/);
  });

  it('is not executed with files that it cannot know', async () => {
    const files = { folder: '/etc', files: [{ file: 'passwd', sha256: '0'.repeat(64) }] };
    expect((await refusal({ ...header, files })).message).toMatch(/passwd has changed since the run began/);
    const odd = { folder: 1 } as unknown as NonNullable<Header['files']>;
    expect((await refusal({ ...header, files: odd })).data.kind).toBe('badInput');
  });
});

it('trials whose target could not be reached are run when it can be', async () => {
  await using test = testHome();
  const targets = `[noop, { name: files, engine: sqlite, path: '\${env:FOLDER}' }]`;
  const { run } = await newRun(test, { targets }, { variables: {} });
  expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 2, unreachableTargets: ['files'] });

  const variables = { FOLDER: join(test.home.root, 'files') };
  const again = await resumeTrusted({ home: test.home, file: run.file, variables });
  const { results } = collect(again);
  expect(await again.start()).toMatchObject({ status: 'complete', failedTrials: 0, unreachableTargets: [] });
  expect(results().map(({ target, status }) => `${target} ${status}`)).toEqual(['files ok', 'files ok']);
  await expect(resumeTrusted({ home: test.home, file: run.file })).rejects.toThrow(/nothing to resume/);
});

const drawn = (measure: string) =>
  experimentYaml({
    targets: '[sqlite]',
    workload: '{ operation: statement }',
    statements: '{ look: { text: "SELECT :x", parameters: { x: { type: csv, file: words.csv, column: word } } } }',
    measure,
  });

describe('a run whose parameters are drawn from a file', () => {
  let test: TestHome;
  let folder: string;
  let words: string;
  beforeEach(() => {
    test = testHome();
    folder = temporaryFolder();
    words = join(folder, 'words.csv');
    writeFileSync(words, 'word\nalpha\nbeta\n');
    return async () => {
      await test[Symbol.asyncDispose]();
    };
  });

  /** Cancelled after its first trial. */
  async function unfinished(): Promise<string> {
    const yaml = drawn('{ until: { seconds: 0.2 }, repeats: 3, warmupSeconds: 0 }');
    const run = await newTrustedRun({ home: test.home, yaml, folder });
    run.on('record', (record) => {
      if (record.record === 'result') run.cancel();
    });
    expect(await run.start()).toMatchObject({ status: 'cancelled', failedTrials: 0 });
    return run.file;
  }

  it('is resumed with the file that it began with', async () => {
    const again = await resumeTrusted({ home: test.home, file: await unfinished() });
    expect(await again.start()).toMatchObject({ status: 'complete', failedTrials: 0, trialsToResume: 0 });
  });

  it('is not resumed where the file has changed or is gone', async () => {
    const file = await unfinished();
    writeFileSync(words, 'word\ngamma\n');
    await expect(resumeTrusted({ home: test.home, file })).rejects.toThrow(
      /words\.csv has changed since the run began/,
    );
    rmSync(words);
    await expect(resumeTrusted({ home: test.home, file })).rejects.toThrow(/words\.csv cannot be read/);
  });

  it('does not begin without the file', async () => {
    rmSync(words);
    const yaml = drawn('{ until: { seconds: 0.2 }, repeats: 1, warmupSeconds: 0 }');
    await expect(newTrustedRun({ home: test.home, yaml, folder })).rejects.toThrow(/words\.csv cannot be read/);
  });

  it('fails the trials that do not find the file any more, and does not take them for done', async () => {
    const yaml = drawn('{ until: { seconds: 0.2 }, repeats: 2, warmupSeconds: 0 }');
    const run = await newTrustedRun({ home: test.home, yaml, folder });
    run.on('record', (record) => {
      if (record.record === 'result') rmSync(words, { force: true });
    });
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 1, trialsToResume: 1 });
    writeFileSync(words, 'word\nalpha\nbeta\n');
    const again = await resumeTrusted({ home: test.home, file: run.file });
    expect(await again.start()).toMatchObject({ status: 'complete', failedTrials: 0, trialsToResume: 0 });
  });
});

it('a trial that failed because a process was killed is run again, with the reason kept until then', async () => {
  await using test = testHome();
  const { run, results } = await newRun(test, {
    workload: '{ operation: readByKey, thinkMs: 20 }',
    targets: '[sqlite]',
    measure: '{ until: { seconds: 3 }, repeats: 1, warmupSeconds: 0 }',
  });
  // The first of all workers is that of the control connection, which reads counters meanwhile and verifies afterwards.
  const kill = () => process.kill(Math.min(...childPids('workers/worker.')), 'SIGKILL');
  once(run, (record) => record.record === 'phase' && record.phase === 'measure', kill);
  const ended = await run.start();
  const error = { kind: 'workerGone', message: expect.stringContaining('was killed by SIGKILL') };
  expect(results()).toMatchObject([{ status: 'failed', error }]);
  expect(ended).toMatchObject({ status: 'complete', failedTrials: 1, trialsToResume: 1 });
  const again = await resumeTrusted({ home: test.home, file: run.file });
  expect(await again.start()).toMatchObject({ status: 'complete', failedTrials: 0, trialsToResume: 0 });
});

it('a trial whose calls all fail has said what there is to say', async () => {
  await using test = testHome();
  const { run } = await newRun(test, {
    workload: '{ operation: statement }',
    statements: '{ wrong: { text: "SELECT 1", expectRows: 2 } }',
    targets: '[sqlite]',
    measure: '{ until: { seconds: 0.2 }, repeats: 1, warmupSeconds: 0 }',
  });
  expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 1, trialsToResume: 0 });
  await expect(resumeTrusted({ home: test.home, file: run.file })).rejects.toThrow(/nothing to resume/);
});
