import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DynoError } from '#contract/error.ts';
import type { JournalRecord } from '#contract/journal.ts';
import { experimentYaml, type TestHome, testHome } from './home.fixture.ts';
import { readUnfinished } from './resume.ts';
import { createRun, resumeRun } from './run.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Header = Extract<JournalRecord, { record: 'header' }>;

describe('a run file of somebody else', () => {
  let test: TestHome;
  let header: Header;
  beforeAll(async () => {
    test = testHome();
    const run = await createRun({ home: test.home, yaml: experimentYaml({ measure: '{ repeats: 1 }' }) });
    await run.start();
    header = JSON.parse(readFileSync(run.file, 'utf8').split('\n')[0] ?? '') as Header;
    return () => test[Symbol.asyncDispose]();
  });
  const fileWith = (changed: Header): string => {
    const file = join(test.home.root, 'mailed.dyno-run');
    writeFileSync(file, `${JSON.stringify(changed)}\n`);
    return file;
  };
  const refusal = async (changed: Header): Promise<DynoError> =>
    resumeRun({ home: test.home, file: fileWith(changed) }).then(
      () => expect.unreachable('should have been refused'),
      (thrown: DynoError) => thrown,
    );

  it('is resumed as its experiment says', async () => {
    expect((await readUnfinished(fileWith(header))).plan).toEqual(header.plan);
  });

  it('is not executed where its plan is not what its experiment makes', async () => {
    const { plan } = header;
    const [variant] = plan.variants;
    const crafted = [
      { ...plan, variants: [{ ...variant, settings: { ...variant?.settings, rangeRows: '1; DROP TABLE customers' } }] },
      { ...plan, targets: [{ name: 'null', engine: 'postgres', index: 0 }] },
      {
        ...plan,
        experiment: { ...plan.experiment, targets: [{ name: 'null', engine: 'postgres', host: `\${env:SECRET}` }] },
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
});

it('trials whose target could not be reached are run when it can be', async () => {
  await using test = testHome();
  const targets = `['null', { name: files, engine: sqlite, path: '\${env:FOLDER}' }]`;
  const run = await createRun({ home: test.home, yaml: experimentYaml({ targets }), variables: {} });
  expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 2, unreachableTargets: ['files'] });

  const again = await resumeRun({
    home: test.home,
    file: run.file,
    variables: { FOLDER: join(test.home.root, 'files') },
  });
  const ran: string[] = [];
  again.on('record', (record) => {
    if (record.record === 'result') ran.push(`${record.result.target} ${record.result.status}`);
  });
  expect(await again.start()).toMatchObject({ status: 'complete', failedTrials: 0, unreachableTargets: [] });
  expect(ran).toEqual(['files ok', 'files ok']);
  await expect(resumeRun({ home: test.home, file: run.file })).rejects.toThrow(/nothing to resume/);
});
