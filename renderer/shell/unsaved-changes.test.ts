import { expect, test } from 'vitest';
import { draft, type ExperimentDraft } from '../builder/draft/draft-store.ts';
import { draftsSetAside } from '../builder/open-draft.ts';
import { unsavedNames } from './unsaved-changes.ts';

const edited = (key: number, name: string): ExperimentDraft => ({
  key,
  id: `mine:${key}`,
  origin: 'mine',
  lineEnd: '\n',
  savedText: `name: ${name}`,
  text: `name: ${name}\nquestion: Which?`,
  checked: null,
  checkedText: null,
});

test('a file that was opened and is nowhere else in Dyno is unsaved', () => {
  draft.set({ ...edited(1, 'x'), id: null, savedText: '', text: 'name: From a script' });
  expect(unsavedNames()).toEqual(['From a script']);
  draft.set(null);
});

test('experiments that were set aside are unsaved, too, also behind one without changes', () => {
  draftsSetAside.set([edited(1, 'First')]);
  const { text, ...last } = edited(2, 'Second');
  draft.set({ ...last, text: last.savedText });
  expect(unsavedNames()).toEqual(['First']);
  draft.set({ ...last, text });
  expect(unsavedNames()).toEqual(['First', 'Second']);
  draftsSetAside.set([]);
  draft.set(null);
  expect(unsavedNames()).toEqual([]);
});
