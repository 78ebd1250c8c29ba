import { existsSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usualLeastFreeMib } from '#experiment/schema/experiment.ts';
import { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';
import { formatBytes } from '#model/format/format.ts';
import { type FileLock, tryLock } from '#platform/file-lock.ts';
import { forkHelper, killHelper } from '#platform/fork-helper.ts';
import type { Home } from '#platform/paths.ts';
import { within } from '#platform/worker-errors.ts';
import { atOnce, mostFileBytes, type PartTimes, type StorageFigures } from './measure-storage.ts';
import type { FromStorageProcess, ToStorageProcess } from './storage-messages.ts';

const processFile = fileURLToPath(new URL('./storage-process.ts', import.meta.url));

/** A disk that has not finished by then is too busy to be measured. */
const longestMs = 30_000;

/** The file in which file systems are measured, among the data of managed servers. */
const probeFile = ({ embedded }: Home): string => join(embedded, 'storage-probe');

const notMeasured = ({ embedded }: Home, kind: ErrorKind, why: string, more: Partial<ErrorData> = {}): DynoError =>
  new DynoError(kind, `The disk of ${embedded} was not measured: ${why}`, more);

const lockOf = ({ state }: Home): FileLock | null => tryLock(join(state, 'storage-probe.lock'), 0);

/** Deletes the file of a probe that was killed together with its parent. */
export function removeStorageProbe(home: Home): void {
  if (!existsSync(probeFile(home))) return;
  using lock = lockOf(home);
  if (lock) rmSync(probeFile(home), { force: true });
}

/**
 * Measures the file system of the managed servers' data. Throws 'diskFull' if too little space would be left, 'other'
 * if another Dyno program measures at the same time, and the errors of the file system.
 */
export async function probeStorage(home: Home, times: PartTimes, signal: AbortSignal): Promise<StorageFigures> {
  const { bavail, bsize } = statfsSync(home.embedded);
  const least = usualLeastFreeMib * 2 ** 20 + mostFileBytes;
  if (bavail * bsize < least)
    throw notMeasured(
      home,
      'diskFull',
      `${formatBytes(bavail * bsize)} are free, and ${formatBytes(least)} are needed.`,
    );
  using lock = lockOf(home);
  if (!lock) throw notMeasured(home, 'other', 'another Dyno program was measuring it.');
  const file = probeFile(home);
  signal.throwIfAborted();
  const child = forkHelper(processFile, { UV_THREADPOOL_SIZE: String(atOnce) });
  const { promise, resolve, reject } = Promise.withResolvers<StorageFigures>();
  child.on('message', (raw) => {
    const message = raw as FromStorageProcess;
    if (message.type === 'measured') resolve(message.figures);
    else reject(notMeasured(home, message.error.kind, message.error.message, message.error));
  });
  child.on('error', reject);
  child.on('exit', () => reject(new DynoError('workerGone', 'The process that measures the disk has ended.')));
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  child.send({ file, times } satisfies ToStorageProcess, () => {}); // Where that fails, 'exit' tells.
  try {
    return await within(longestMs, promise, 'The disk was not measured');
  } finally {
    signal.removeEventListener('abort', stop);
    await killHelper(child);
    rmSync(file, { force: true });
  }
}
