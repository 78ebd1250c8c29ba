import { expect, test, vi } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { Events } from '#protocol/ipc.ts';
import { acquireFeed, releaseFeed } from './run-feed.ts';

const shell = vi.hoisted(() => ({ listener: (_: Events['run:records']) => {} }));
vi.mock('../state/bridge.ts', () => ({
  request: async () => null,
  listen: (_: string, listener: (event: Events['run:records']) => void) => {
    shell.listener = listener;
    return () => {};
  },
}));

const rest = { didTimeout: false, timeRemaining: () => 1 };
vi.stubGlobal('requestIdleCallback', (work: IdleRequestCallback) => setTimeout(() => work(rest)));

test('a view of a run whose file cannot be read gets the reason, and does not wait for more', async () => {
  const feed = acquireFeed('run');
  const message = 'The header of run.dyno-run, its first line, cannot be used.';
  const failure = { kind: 'badInput', code: null, message, hint: 'Open another copy.', retryable: false } as const;
  shell.listener({ runId: 'run', records: '[]', upToDate: true, readBytes: 0, failure });
  await expect.poll(() => feed.failure()).toMatchObject({ message, data: failure });
  expect(feed.model(false)).toBeNull();
  releaseFeed('run');
});

test('a run whose end is still being read is not shown as interrupted', async () => {
  const feed = acquireFeed('run');
  const records = [...fixtureJournal({})];
  const part = { runId: 'run', upToDate: true, readBytes: 0, failure: null };
  shell.listener({ ...part, records: JSON.stringify(records.slice(0, -1)) });
  await expect.poll(() => feed.model(true)?.status, { timeout: 30_000 }).toBe('running');
  shell.listener({ ...part, records: JSON.stringify(records.slice(-1)) });
  // The message that no process writes the file any more arrives now, and the views redraw immediately.
  expect(feed.model(false)?.status).toBe('running');
  await expect.poll(() => feed.model(false)?.status, { timeout: 30_000 }).toBe('complete');
  releaseFeed('run');
});
