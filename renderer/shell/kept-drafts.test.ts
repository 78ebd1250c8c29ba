import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { draft, type ExperimentDraft } from '../builder/draft/draft-store.ts';
import { draftsSetAside, openDraft } from '../builder/open-draft.ts';
import { currentPage, goTo } from '../state/navigation.ts';
import { keepDrafts, restoreDrafts } from './kept-drafts.ts';

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
  draftsSetAside.set([]);
  goTo({ page: 'home' });
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

describe('unsaved changes of an earlier app', () => {
  const keptOf = (text: string) => ({ key: 7, id: null, origin: 'mine', lineEnd: '\n', savedText: '', text });

  function stubKept(...texts: readonly string[]) {
    const answers: Readonly<Record<string, unknown>> = { 'drafts:list': texts.map(keptOf), 'drafts:connections': [] };
    const request = async (channel: string) => ({ ok: true, value: answers[channel] ?? null });
    vi.stubGlobal('window', { dyno: { request } });
  }

  test('are shown, the one that was open last', async () => {
    stubKept('name: first', 'name: second', 'name: last');
    await restoreDrafts(currentPage.get());
    expect(currentPage.get()).toEqual({ page: 'builder' });
    expect(draft.get()?.text).toBe('name: last');
    expect(draftsSetAside.get().map(({ text }) => text)).toEqual(['name: first', 'name: second']);
  });

  test('are restored without leaving the page to which the user has gone meanwhile', async () => {
    stubKept('name: kept');
    const startPage = currentPage.get();
    goTo({ page: 'runs' });
    await restoreDrafts(startPage);
    expect(currentPage.get()).toEqual({ page: 'runs' });
    expect(draft.get()?.text).toBe('name: kept');
  });

  test('are set aside where the user has opened another experiment meanwhile', async () => {
    stubKept('name: kept');
    const startPage = currentPage.get();
    openDraft({ id: 'mine/a', origin: 'mine', text: 'name: opened' });
    await restoreDrafts(startPage);
    expect(currentPage.get()).toEqual({ page: 'builder' });
    expect(draft.get()?.text).toBe('name: opened');
    expect(draftsSetAside.get().map(({ text }) => text)).toEqual(['name: kept']);
  });
});
