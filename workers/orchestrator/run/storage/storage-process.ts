import { rmSync } from 'node:fs';
import { toErrorData } from '#model/error.ts';
import { measureStorage } from './measure-storage.ts';
import type { FromStorageProcess, ToStorageProcess } from './storage-messages.ts';

/** Measures a file system in a process of its own, whose thread may wait for the disk. It deletes its file. */

const post = (message: FromStorageProcess): void => {
  // Without a channel nobody waits for the figures.
  if (process.connected) process.send?.(message, () => process.disconnect?.());
};

process.once('message', (raw) => {
  const { file, times } = raw as ToStorageProcess;
  measureStorage(file, times)
    .finally(() => rmSync(file, { force: true }))
    .then(
      (figures) => post({ type: 'measured', figures }),
      (thrown: unknown) => post({ type: 'failed', error: toErrorData(thrown) }),
    );
});
