import { Button as AriaButton } from 'react-aria-components/Button';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { Icon } from '../../ui/icon.tsx';
import { showProblem } from '../yaml/yaml-editor.tsx';

export const ProblemList = ({ problems }: { readonly problems: readonly Diagnostic[] }) =>
  problems.length === 0 ? (
    <p className="panel-text muted">No problems.</p>
  ) : (
    <ul className="problem-list">
      {problems.map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.message}`}>
          <AriaButton className="problem" onPress={() => showProblem(problem)}>
            <span className={`problem-icon problem-${problem.severity}`}>
              <Icon name={problem.severity} />
            </span>
            <span className="grow">
              <span className="visually-hidden">{problem.severity}: </span>
              {problem.message} {problem.suggestion && <strong>{problem.suggestion}</strong>}
            </span>
            <span className="faint">
              {problem.path && `${problem.path}, `}line {problem.line}
            </span>
          </AriaButton>
        </li>
      ))}
    </ul>
  );
