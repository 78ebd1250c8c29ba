import { beforeAll } from 'vitest';

/**
 * Opens what the tests of this file, or of this `describe`, share: before the first of them, and only if one runs. The
 * values given to `opened` are disposed of after the last test, the newest first, even if opening fails.
 */
export function beforeTests(open: (opened: AsyncDisposableStack) => Promise<unknown> | unknown): void {
  beforeAll(async () => {
    await using opened = new AsyncDisposableStack();
    await open(opened);
    const kept = opened.move();
    return () => kept.disposeAsync();
  }, 180_000);
}
