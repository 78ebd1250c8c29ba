import { _electron } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { startElectron } from './attach.ts';

vi.mock('playwright-core', () => ({ _electron: { launch: vi.fn() }, chromium: {} }));

test('an app that opens no window in time is killed', async () => {
  const kill = vi.fn();
  vi.mocked(_electron.launch).mockResolvedValue({
    process: () => ({ kill }),
    firstWindow: () => Promise.reject(new Error('no window')),
  } as unknown as Awaited<ReturnType<typeof _electron.launch>>);
  await expect(startElectron({ program: 'electron', args: [], env: {}, timeoutMs: 1 })).rejects.toThrow('no window');
  expect(kill).toHaveBeenCalledWith('SIGKILL');
});
