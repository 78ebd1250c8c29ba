import { beforeAll } from 'vitest';

/**
 * Opens what the tests of this file, or of this `describe`, share: before the first of them, and only if one runs. What
 * `opened` is given is disposed of after the last, newest first; also where opening the rest fails.
 */
export function beforeTests(open: (opened: AsyncDisposableStack) => Promise<unknown> | unknown): void {
  beforeAll(async () => {
    await using opened = new AsyncDisposableStack();
    await open(opened);
    const kept = opened.move();
    return () => kept.disposeAsync();
  }, 180_000);
}
