import { type FileHandle, open } from 'node:fs/promises';
import { devNull } from 'node:os';
import { vi } from 'vitest';

/** Makes the next fsync of this process fail, as a broken disk does. */
export async function syncBreaker(): Promise<() => void> {
  await using handle = await open(devNull);
  const handles = Object.getPrototypeOf(handle) as FileHandle;
  const error = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  return () => void vi.spyOn(handles, 'datasync').mockRejectedValueOnce(error);
}
