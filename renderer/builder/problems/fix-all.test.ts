import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { newExperimentText } from '../../library/new-experiment.ts';
import { draft } from '../draft/draft-store.ts';
import { fixAll } from './fix-all.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A check whose only problem has a fix that sets the repeats. */
function checkedWith(repeats: number) {
  const problem: Diagnostic = {
    ...{ severity: 'error', path: 'measure.repeats', message: 'Wrong.', suggestion: null },
    ...{ line: 1, column: 1, endLine: 1, endColumn: 2 },
    fix: { kind: 'set', path: ['measure', 'repeats'], value: repeats },
  };
  return { plan: null, diagnostics: [problem], estimateSeconds: null };
}

test('fixes continue with the problems that each check shows, up to five rounds', () => {
  const text = newExperimentText;
  const file = { id: null, origin: 'mine', lineEnd: '\n', key: 1, savedText: text } as const;
  draft.set({ ...file, text, checked: checkedWith(11), checkedText: text });
  fixAll();
  for (const repeats of [12, 13, 14, 15, 16])
    draft.update((now) => now && { ...now, checked: checkedWith(repeats), checkedText: now.text });
  expect(draft.get()!.text).toBe(text.replace('repeats: 3', 'repeats: 15'));
});
