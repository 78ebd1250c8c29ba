import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type FileLock, tryLock } from '#platform/file-lock.ts';

const lockFile = fileURLToPath(new URL('../.build/e2e-clipboard.lock', import.meta.url));

/** Waits until no other test uses the clipboard, which all apps of a display share. Disposing gives it to the next. */
export async function ownClipboard(): Promise<FileLock> {
  for (;;) {
    const lock = tryLock(lockFile);
    if (lock !== null) return lock;
    await sleep(50);
  }
}
