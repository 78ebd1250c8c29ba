import { readdirSync } from 'node:fs';
import { expect, it, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { runInstallation } from './installation.ts';
import { progressText, runProgram } from './run-program.ts';

test.each([
  [20_000, 0, undefined, '20.0 s: nothing on the disk yet'],
  [20_000, 50 * 2 ** 20, undefined, '20.0 s: 50.0 MiB so far'],
  [20_000, 50 * 2 ** 20, 150 * 2 ** 20, '20.0 s: 50.0 MiB of 150 MiB, about 40.0 s left'],
  [20_000, 160 * 2 ** 20, 150 * 2 ** 20, '20.0 s: 160 MiB so far'],
])('after %d ms with %d bytes of %s', (ms, written, total, text) => {
  expect(progressText(ms, written, total).replaceAll(/\s/g, ' ')).toBe(text);
});

it.skipIf(process.platform === 'win32')('tells how much a program has written while it runs', async () => {
  const folder = temporaryFolder();
  const told: string[] = [];
  const script = `mkdir '${folder}/below' && head -c 1048576 /dev/zero > '${folder}/below/part' && sleep 1`;
  const { code } = await runProgram('/bin/sh', ['-c', script], {
    onActivity: (text) => told.push(text.replaceAll(/\s+/g, ' ')),
    growth: { paths: [folder], bytes: 4 * 2 ** 20 },
    tellEveryMs: 50,
  });
  expect(code).toBe(0);
  expect(told.at(-1)).toMatch(/^ .* s: 1\.00 MiB of 4\.00 MiB, about .* s left$/);
});

it.skipIf(process.platform === 'win32')('a cancelled installation ends its programs and starts no more', async () => {
  const folder = temporaryFolder();
  const stop = new AbortController();
  const fractions: (number | null)[] = [];
  const steps: string[] = [];
  // The shell's own child keeps the output open: both have to end.
  const script = `head -c 1048576 /dev/zero > '${folder}/part'; sleep 600; true`;
  const options = { onActivity: () => {}, growth: { paths: [folder], bytes: 4 * 2 ** 20 }, tellEveryMs: 20 };
  const installation = runInstallation(
    {
      signal: stop.signal,
      onProgress(fraction) {
        fractions.push(fraction);
        if (fraction === 0.25) stop.abort();
      },
    },
    async () => {
      steps.push(String((await runProgram('/bin/sh', ['-c', script], options)).code));
      await runProgram('/bin/sh', ['-c', `touch '${folder}/after'`], options);
      steps.push('went on');
    },
  );
  await expect(installation).rejects.toMatchObject({ data: { kind: 'cancelled' } });
  expect(steps).toEqual(['null']);
  expect(fractions.at(-1)).toBe(0.25);
  expect(readdirSync(folder)).toEqual(['part']);
});
