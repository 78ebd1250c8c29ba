import { Button as AriaButton } from 'react-aria-components/Button';
import { applyFix } from '#experiment/yaml/edit-experiment.ts';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Hint } from '../../ui/controls/tooltip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { draft } from '../draft/draft-store.ts';
import { readRaw } from '../draft/raw-experiment.ts';
import { editFile } from '../form/edit.ts';
import { asFormText, fixText, problemPlace, withoutMarks } from '../form-text.ts';
import { goToProblem } from '../outline/outline-store.ts';
import { fixAll, fixesOf } from './fix-all.ts';

interface Props {
  readonly problems: readonly Diagnostic[];
  /** True for all problems of the draft. If several have a fix, one button applies them all. */
  readonly isDraft?: boolean;
}

/** The problems of the experiment, each with its place in the form and its fix if there is one. */
export const ProblemList = ({ problems, isDraft = false }: Props) => {
  const raw = readRaw(useStore(draft)?.text ?? '') ?? {};
  if (problems.length === 0) return <p className="panel-text muted">No problems.</p>;
  const fixes = isDraft ? fixesOf(problems).length : 0;
  return (
    <ul className="problem-list">
      {fixes > 1 && (
        <li className="problem-row problem-all">
          <span className="grow">{`${fixes} of ${problems.length} problems have a fix.`}</span>
          <Button onPress={fixAll}>Fix all</Button>
        </li>
      )}
      {problems.map((problem) => {
        const { severity, line, column, message, suggestion, path, fix } = problem;
        const place = problemPlace(path, raw);
        // An unknown key and its suggested replacement are shown as in the file.
        const said = (text: string) => (fix?.kind === 'rename' ? withoutMarks(text) : asFormText(text, raw));
        return (
          <li key={`${line}:${column}:${message}`} className="problem-row">
            <AriaButton className="problem" onPress={() => goToProblem(problem)}>
              <span className={`problem-icon problem-${severity}`}>
                <Icon name={severity} />
              </span>
              <span className="grow">
                <span className="visually-hidden">{severity}: </span>
                {said(message)} {suggestion && <span className="muted">{said(suggestion)}</span>}
                <span className="faint problem-place">{place || `YAML, line ${line}`}</span>
              </span>
            </AriaButton>
            {fix && (
              <Hint text={fixText(fix, raw)}>
                <Button
                  aria-label={`Fix: ${fixText(fix, raw)}`}
                  onPress={() => editFile((file) => applyFix(file, fix))}
                >
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
