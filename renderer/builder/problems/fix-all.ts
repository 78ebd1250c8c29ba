import { applyFix } from '#experiment/yaml/edit-experiment.ts';
import type { Diagnostic, Fix } from '#model/text/diagnostic.ts';
import { draft } from '../draft/draft-store.ts';
import { editFile } from '../form/edit.ts';

/** A fix can show problems that an error has hidden. The limit ends rounds whose fixes undo each other. */
const mostRounds = 5;

const placesOf = (fix: Fix): readonly string[] =>
  fix.kind === 'several' ? fix.fixes.flatMap(placesOf) : [JSON.stringify(fix.path)];

/** The fixes of these problems, without those that change the same place as an earlier one. */
export function fixesOf(problems: readonly Diagnostic[]): readonly Fix[] {
  const changed = new Set<string>();
  return problems.flatMap(({ fix }) => {
    const places = fix ? placesOf(fix) : [];
    if (!fix || places.some((place) => changed.has(place))) return [];
    for (const place of places) changed.add(place);
    return [fix];
  });
}

/** Applies all fixes, checks the experiment, and continues with the fixes of the problems that appear. */
export function fixAll(): void {
  let rounds = 0;
  let expected = draft.get()?.text;
  let isFixing = false;
  const next = (): boolean => {
    const now = draft.get();
    const fixes = fixesOf(now?.checked?.diagnostics ?? []);
    if (fixes.length === 0 || ++rounds > mostRounds) return false;
    isFixing = true;
    editFile((file) => fixes.reduce(applyFix, file));
    isFixing = false;
    const changed = draft.get()?.text !== expected;
    expected = draft.get()?.text;
    return changed;
  };
  if (!next()) return;
  const stop = draft.subscribe(() => {
    const now = draft.get();
    if (isFixing || (now?.text === expected && now?.checkedText !== now?.text)) return;
    if (now?.text !== expected || !next()) stop();
  });
}
