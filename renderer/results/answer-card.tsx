import { Button as AriaButton } from 'react-aria-components/Button';
import type { Grade } from '#analysis/grade/grade.ts';
import { gradeLabels, gradeReasons } from '#analysis/grade/grade-text.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { moreRepeats } from '#planning/repeats.ts';
import type { NotedTable } from '#presentation/tables/shared/panel-table.ts';
import type { Answer } from '#presentation/text/answer.ts';
import { openDraft } from '../builder/open-draft.ts';
import { attempt } from '../state/bridge.ts';
import { Button } from '../ui/controls/button.tsx';
import { Hint } from '../ui/controls/tooltip.tsx';
import { AnswerDetails, AnswerFacts, CertaintyLine, Unbroken } from '../ui/display/answer-parts.tsx';
import { CompareSwitch } from './compare-switch.tsx';
import { askGap, hasGap } from './gap/ask-gap.ts';
import { PanelTable } from './panel-table.tsx';

interface Props {
  readonly id: string;
  readonly model: RunModel;
  readonly answer: Answer;
  /** Published figures beside those of the run. */
  readonly published: readonly string[];
  readonly statements: NotedTable | null;
  readonly times: NotedTable | null;
}

/** The run's answer as a sentence, with its certainty and the related facts. */
export const AnswerCard = ({ id, model, answer, published, statements, times }: Props) => {
  const { headline, certainty, lead, details, facts, grade } = answer;
  // The decision compares targets alone.
  const isRehearsal = model.plan.experiment.rehearsal !== undefined;
  return (
    <section className="panel answer-card" aria-label="Verdicts" data-chart={id} tabIndex={-1}>
      <div className="answer-words">
        <h2>
          <Unbroken words={headline} />
        </h2>
        <CertaintyLine text={certainty} isCertain={lead === 'certain'}>
          {lead === 'uncertain' && model.status !== 'running' && model.yaml !== '' && (
            <Button onPress={() => void addRepeats(model)}>Add repeats</Button>
          )}
          {!isRehearsal && hasGap(model) && <Button onPress={() => askGap(model)}>Explain the gap…</Button>}
        </CertaintyLine>
        {!isRehearsal && <CompareSwitch model={model} />}
        <AnswerDetails lines={details} />
        {grade !== null && <GradeLine model={model} grade={grade} isOffered={lead !== 'uncertain'} />}
        <AnswerDetails lines={published} />
      </div>
      <AnswerFacts
        facts={facts.map(([name, value, about]) => ({
          key: name,
          name,
          value:
            about === undefined ? (
              <Unbroken words={value} />
            ) : (
              <Hint text={about}>
                <AriaButton className="hinted">
                  <Unbroken words={value} />
                </AriaButton>
              </Hint>
            ),
        }))}
      />
      {times !== null && times.rows.length > 0 && (
        <div className="answer-statements">
          <PanelTable model={model} table={times} label="Judged times" />
          <p className="faint">{times.note}</p>
        </div>
      )}
      {statements !== null && (
        <div className="answer-statements">
          <PanelTable model={model} table={statements} label="Statements" />
          <p className="faint">{statements.note}</p>
        </div>
      )}
    </section>
  );
};

interface GradeProps {
  readonly model: RunModel;
  readonly grade: Grade;
  /** False if the certainty above already offers more repeats. */
  readonly isOffered: boolean;
}

/** The grade of the data with its reasons, and the button for more repeats if they remove the first reason. */
const GradeLine = ({ model, grade, isOffered }: GradeProps) => {
  const { level, problems } = grade;
  const [reason, ...also] = gradeReasons(grade);
  const remedy = problems[0]?.remedy ?? null;
  return (
    <div className="answer-grade">
      <p>
        <span className="muted">Data:</span> <span className={`grade-mark grade-${level}`}>{gradeLabels[level]}</span>{' '}
        {reason}
      </p>
      {remedy === 'addRepeats' && isOffered && model.yaml !== '' && (
        <Button onPress={() => void addRepeats(model)}>Add repeats</Button>
      )}
      {also.map((line) => (
        <p key={line} className="muted">
          {line}
        </p>
      ))}
    </div>
  );
};

/** Opens a copy of the run's experiment with more repeats. It neither saves nor runs anything. */
async function addRepeats({ yaml, plan }: RunModel): Promise<void> {
  const text = await attempt(
    'Could not create the experiment',
    async () => setIn(writtenOut(readYaml(yaml)), ['measure', 'repeats'], moreRepeats(plan.measure)).text,
  );
  if (text !== null && text !== undefined) openDraft({ id: null, origin: 'mine', text, isUnsaved: true });
}
