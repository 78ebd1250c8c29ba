import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import { tryLock } from '#platform/file-lock.ts';
import { canMount, smallDisk } from '#platform/small-disk.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { measureStorage, mostFileBytes } from './measure-storage.ts';
import { probeStorage, removeStorageProbe } from './probe-storage.ts';

vi.setConfig({ testTimeout: 60_000 });

const never = new AbortController().signal;
/** Tests need no exact figures. */
const short = { syncMs: 2, dataMs: 2 };
const measures = ['appendSync', 'overwriteSync', 'randomRead', 'randomWrite', 'sequentialRead', 'sequentialWrite'];

it('each part is measured, in a file of bounded size', async () => {
  const file = join(temporaryFolder(), 'probe');
  const { figures } = await measureStorage(file, short);
  expect(figures.map(({ measure }) => measure).toSorted()).toEqual(measures);
  for (const { measure, perSecond } of figures) expect(perSecond, measure).toBeGreaterThan(0);
  expect(statSync(file).size).toBeLessThanOrEqual(mostFileBytes);
});

it('the probe leaves no file, whether it ends or is cancelled', async () => {
  await using test = testHome();
  const left = () => readdirSync(test.home.embedded).filter((name) => name.startsWith('storage-probe'));
  expect((await probeStorage(test.home, short, never)).figures).toHaveLength(6);
  expect(left()).toEqual([]);
  await expect(
    probeStorage(test.home, { syncMs: 5_000, dataMs: 5_000 }, AbortSignal.timeout(300)),
  ).rejects.toMatchObject({
    name: 'TimeoutError',
  });
  expect(left()).toEqual([]);
});

it('a file that a killed probe has left is deleted, but not that of a probe at work', async () => {
  await using test = testHome();
  const file = join(test.home.embedded, 'storage-probe');
  writeFileSync(file, 'left');
  {
    using _ = tryLock(join(test.home.state, 'storage-probe.lock'));
    removeStorageProbe(test.home);
    expect(existsSync(file)).toBe(true);
    await expect(probeStorage(test.home, short, never)).rejects.toThrow('another Dyno program was measuring it');
  }
  removeStorageProbe(test.home);
  expect(existsSync(file)).toBe(false);
});

it('an error of the file system is told with what was attempted', async () => {
  await using test = testHome();
  symlinkSync(join(test.home.root, 'gone', 'file'), join(test.home.embedded, 'storage-probe'));
  await expect(probeStorage(test.home, short, never)).rejects.toThrow(/^The disk of .* was not measured: ENOENT: /);
  expect(readdirSync(test.home.embedded)).toEqual([]);
});

it.runIf(canMount)('a disk with little free space is not measured', async () => {
  await using test = testHome();
  using _ = smallDisk(test.home.embedded, '500m');
  await expect(probeStorage(test.home, short, never)).rejects.toThrow(/500\sMiB are free, and 1\.08\sGiB are needed/);
  expect(readdirSync(test.home.embedded)).toEqual([]);
});
