import { fileTopic, keyTopic } from '../../help/help-store.ts';
import { useStore } from '../../state/store.ts';
import { draft } from '../draft/draft-store.ts';
import { at, type Raw } from '../draft/raw-experiment.ts';
import { Fold } from '../form/fold.tsx';
import { KeyInput } from '../form/key-input.tsx';
import { Section } from '../form/section.tsx';
import { BaselineFields } from './baseline-fields.tsx';
import { DrawsField } from './draws-field.tsx';
import { GoalFields } from './goal-fields.tsx';
import { JudgeFields } from './judge-fields.tsx';
import { measureSentence } from './measure-sentence.ts';
import { RepeatsFields } from './repeats-fields.tsx';
import { SearchFields } from './search-fields.tsx';
import { StagesTable } from './stages-table.tsx';
import { UntilFields } from './until-fields.tsx';
import { WarmUpFields } from './warm-up-fields.tsx';

/** The keys that few experiments set. */
const rare = ['order', 'seed', 'timeoutSeconds', 'leastFreeMib'] as const;

/** The measurement: the length and number of the trials, the comparison, and then the settings of few experiments. */
export const MeasureSection = ({ raw }: { readonly raw: Raw }) => {
  const plan = useStore(draft)?.checked?.plan ?? null;
  const set = rare.filter((key) => at(raw, ['measure', key]) !== undefined).length;
  return (
    <>
      <Section title="Measurement" help={fileTopic('measure')}>
        <p>{plan ? measureSentence(plan) : 'The overview appears when the file has no errors.'}</p>
      </Section>
      <Section title="Each trial" help={keyTopic('measure.until')}>
        <div className="form-grid">
          <UntilFields raw={raw} />
          <WarmUpFields raw={raw} plan={plan} />
        </div>
      </Section>
      <Section
        title="Repeats and search"
        help={keyTopic('measure.repeats')}
        about="More repeats give narrower intervals."
      >
        <div className="form-grid">
          <RepeatsFields raw={raw} />
          <SearchFields raw={raw} />
        </div>
      </Section>
      <Section title="Comparison" help={keyTopic('baseline')} about="All ratios refer to the baseline.">
        <div className="form-grid">
          <KeyInput raw={raw} path={['compare']} />
          <BaselineFields raw={raw} />
          <JudgeFields raw={raw} />
          <DrawsField raw={raw} />
          {at(raw, ['equal']) !== false && <KeyInput raw={raw} path={['equal', 'keepRows']} />}
        </div>
      </Section>
      <Section title="Goals" help={keyTopic('goals')} about="Each cell meets a goal, misses it, or does not show it.">
        <div className="form-grid">
          <GoalFields raw={raw} />
        </div>
      </Section>
      <Section title="More settings">
        <Fold
          title="Stages of the load"
          about="ramps, steps and spikes within a trial"
          isSet={at(raw, ['measure', 'stages']) !== undefined}
        >
          <StagesTable raw={raw} />
        </Fold>
        <Fold
          title="Order and limits"
          about={set > 0 ? `${set} set` : 'order of the trials, time-out, free space'}
          isSet={set > 0}
        >
          <div className="form-grid">
            {rare.map((key) => (
              <KeyInput key={key} raw={raw} path={['measure', key]} />
            ))}
          </div>
        </Fold>
      </Section>
    </>
  );
};
