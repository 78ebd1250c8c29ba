import type { FakeHandlers } from './fake-ipc.ts';

/** There are no opened files and no drafts of earlier sessions. */
export const fakeFiles = (): Omit<FakeHandlers<'files:' | 'drafts:'>, 'files:save'> => ({
  'files:opened': async () => [],
  'files:recent': async () => [
    { id: 'a', name: 'orders.dyno.yaml', kind: 'experiment', openedAt: '2026-11-19T10:12:00Z' },
    { id: 'b', name: 'nightly.sql', kind: 'sql', openedAt: '2026-11-18T09:30:00Z' },
  ],
  'files:choose': async () => null,
  'files:reopen': async () => null,
  'drafts:keep': async () => null,
  'drafts:list': async () => [],
  'drafts:connections': async () => [],
});
