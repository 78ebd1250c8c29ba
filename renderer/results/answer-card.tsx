import { Button as AriaButton } from 'react-aria-components/Button';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { moreRepeats } from '#planning/repeats.ts';
import type { Answer } from '#presentation/text/answer.ts';
import { openDraft } from '../builder/open-draft.ts';
import { attempt } from '../state/bridge.ts';
import { Button } from '../ui/controls/button.tsx';
import { Hint } from '../ui/controls/tooltip.tsx';

interface Props {
  readonly id: string;
  readonly model: RunModel;
  readonly answer: Answer;
  /** Published figures beside those of the run. */
  readonly published: readonly string[];
}

/** The icon beside the certainty. It is half full if there are doubts. */
const markOf = (lead: Answer['lead']): string => (lead === 'certain' ? '●' : '◐');

/** Keeps intervals in parentheses on one line. */
const Unbroken = ({ words }: { readonly words: string }) =>
  words.split(/(\([^)]*\))/).map((part, i) =>
    part.startsWith('(') ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other identity
      <span key={i} className="unbroken">
        {part}
      </span>
    ) : (
      part
    ),
  );

/** The run's answer as a sentence, with its certainty and the related facts. */
export const AnswerCard = ({ id, model, answer, published }: Props) => {
  const { headline, certainty, lead, details, facts } = answer;
  return (
    <section className="panel answer-card" aria-label="Verdicts" data-chart={id} tabIndex={-1}>
      <div className="answer-words">
        <h2>
          <Unbroken words={headline} />
        </h2>
        {certainty !== null && (
          <div className={`answer-certainty ${lead === 'certain' ? 'is-certain' : 'is-uncertain'}`}>
            <span>
              <span aria-hidden="true">{markOf(lead)}</span> {certainty}
            </span>
            {lead === 'uncertain' && model.status !== 'running' && model.yaml !== '' && (
              <Button onPress={() => void addRepeats(model)}>Add repeats</Button>
            )}
          </div>
        )}
        {[...details, ...published].map((line) => (
          <p key={line} className="muted">
            {line}
          </p>
        ))}
      </div>
      {facts.length > 0 && (
        <dl className="answer-facts">
          {facts.map(([name, value, about]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {about === undefined ? (
                  <Unbroken words={value} />
                ) : (
                  <Hint text={about}>
                    <AriaButton className="hinted">
                      <Unbroken words={value} />
                    </AriaButton>
                  </Hint>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
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
