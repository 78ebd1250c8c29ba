import { Button as AriaButton } from 'react-aria-components/Button';
import { applyFix } from '#experiment/experiment-file.ts';
import type { Diagnostic, Fix } from '#model/text/diagnostic.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Hint } from '../../ui/controls/tooltip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { draft } from '../draft/draft-store.ts';
import { readRaw } from '../draft/raw-experiment.ts';
import { editText } from '../form/edit.ts';
import { goToProblem } from '../outline/outline-store.ts';
import { problemPlace, withoutMarks } from './problem-place.ts';

/** What a press on Fix does. */
function fixWords(fix: Fix): string {
  const key = String(fix.path.at(-1));
  if (fix.kind === 'rename') return `Rename “${key}” to “${fix.name}”`;
  if (fix.value === undefined) return `Remove “${key}”`;
  return typeof fix.value === 'object' ? `Add “${key}”` : `Set to ${String(fix.value)}`;
}

/** The problems of the experiment in the builder, each with its place in the form and, where one is known, its fix. */
export const ProblemList = ({ problems }: { readonly problems: readonly Diagnostic[] }) => {
  const raw = readRaw(useStore(draft)?.text ?? '') ?? {};
  if (problems.length === 0) return <p className="panel-text muted">No problems.</p>;
  return (
    <ul className="problem-list">
      {problems.map((problem) => {
        const { severity, line, column, message, suggestion, path, fix } = problem;
        const place = problemPlace(path, raw);
        return (
          <li key={`${line}:${column}:${message}`} className="problem-row">
            <AriaButton className="problem" onPress={() => goToProblem(problem)}>
              <span className={`problem-icon problem-${severity}`}>
                <Icon name={severity} />
              </span>
              <span className="grow">
                <span className="visually-hidden">{severity}: </span>
                {withoutMarks(message)} {suggestion && <strong>{withoutMarks(suggestion)}</strong>}
                <span className="faint problem-place">{place || `YAML, line ${line}`}</span>
              </span>
            </AriaButton>
            {fix && (
              <Hint text={fixWords(fix)}>
                <Button aria-label={`Fix: ${fixWords(fix)}`} onPress={() => editText((text) => applyFix(text, fix))}>
                  Fix
                </Button>
              </Hint>
            )}
          </li>
        );
      })}
    </ul>
  );
};
