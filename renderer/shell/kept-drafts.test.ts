import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draft, type ExperimentDraft } from '../builder/draft/draft-store.ts';
import { keepDrafts } from './kept-drafts.ts';

const edited = (text: string): ExperimentDraft => ({
  key: 1,
  id: null,
  origin: 'mine',
  lineEnd: '\n',
  savedText: '',
  text,
  checked: null,
  checkedText: null,
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  draft.set(null);
});

test('the text of somebody who types on without a pause is kept, too', () => {
  const request = vi.fn(async () => ({ ok: true, value: null }));
  vi.stubGlobal('window', { dyno: { request } });
  keepDrafts();
  for (let typed = 1; typed <= 30; typed++) {
    draft.set(edited(`name: ${'x'.repeat(typed)}`));
    vi.advanceTimersByTime(100);
  }
  expect(request).toHaveBeenCalledWith('drafts:keep', {
    drafts: [expect.objectContaining({ key: 1 })],
    connections: [],
  });
});
