import { applyFix } from '#experiment/yaml/edit-experiment.ts';
import type { Fix } from '#model/text/diagnostic.ts';
import { draft, type ExperimentDraft } from '../draft/draft-store.ts';
import { recordAt, sourceOf } from '../draft/raw-experiment.ts';
import { editFile } from '../form/edit.ts';

/**
 * The fixes that declare parameters which a statement uses without declaration, and that give names to the parameters
 * of a program ($1, ?, %s).
 */
function missing({ checked }: ExperimentDraft, statement: string): readonly Fix[] {
  const isOf = (fix: Fix, part: string): boolean =>
    fix.kind === 'set' && fix.path[0] === 'statements' && fix.path[1] === statement && fix.path[2] === part;
  const fixes = (checked?.diagnostics ?? []).flatMap(({ fix }) => fix ?? []);
  const named = fixes.find((fix) => fix.kind === 'several' && fix.fixes[0] && isOf(fix.fixes[0], 'text'));
  if (named) return [named];
  return [
    ...new Map(
      fixes.flatMap((fix) =>
        isOf(fix, 'parameters') && fix.kind === 'set' ? [[String(fix.path[3]), fix] as const] : [],
      ),
    ).values(),
  ];
}

const textIn = (text: string, statement: string): string =>
  JSON.stringify(recordAt(sourceOf(text).value, ['statements', statement]).text ?? null);

/**
 * Declares the parameters of a statement when the user leaves its editor. Doing it earlier would declare each prefix of
 * a name while it is typed. It waits for the check of the current text, and does nothing if the statement has changed.
 */
export function addFoundParameters(statement: string): void {
  const left = draft.get();
  if (!left) return;
  const add = (now: ExperimentDraft): void => {
    const fixes = missing(now, statement);
    if (fixes.length > 0) editFile((file) => fixes.reduce(applyFix, file));
  };
  if (left.checkedText === left.text) {
    add(left);
    return;
  }
  const written = textIn(left.text, statement);
  const stop = draft.subscribe(() => {
    const now = draft.get();
    const isSame = now?.key === left.key && (now.text === left.text || textIn(now.text, statement) === written);
    if (isSame && now.checkedText !== now.text) return;
    stop();
    if (isSame) add(now);
  });
}
