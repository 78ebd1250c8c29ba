import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * A new, empty folder. It is removed with `opened`; without it, with the test that calls this by itself or in its
 * beforeEach.
 */
export function temporaryFolder(opened?: { defer(remove: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  if (opened) opened.defer(remove);
  else onTestFinished(remove);
  return folder;
}
