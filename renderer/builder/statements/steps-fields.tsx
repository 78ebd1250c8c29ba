import * as v from 'valibot';
import { stepSchema } from '#model/statements/statements.ts';
import { stepsText } from '#model/statements/steps.ts';
import { listAt, type Raw } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { ListInput } from '../form/list-input.tsx';
import { AddVariant } from '../variants/add-variant.tsx';
import { VariedInput } from '../variants/varied-input.tsx';
import { ParametersTable } from './parameters-table.tsx';

const kinds = {
  transactions: {
    shared: 'All steps share these values:',
    share: 'weight',
  },
  scenarios: {
    shared: 'These values are drawn once per pass through the steps:',
    share: 'users',
  },
} as const;

interface Props {
  readonly raw: Raw;
  readonly kind: keyof typeof kinds;
  readonly name: string;
}

/**
 * The fields of a transaction or scenario: steps, weight, and shared parameters. Blocks and think times can only be
 * edited in the YAML.
 */
export const StepsFields = ({ raw, kind, name }: Props) => {
  const { shared, share } = kinds[kind];
  const steps = listAt(raw, [kind, name, 'steps']);
  const parsed = v.safeParse(v.array(stepSchema), steps);
  const isPlain = steps.every((step) => typeof step === 'string');
  return (
    <>
      <div className="form-grid">
        <div className="field">
          <span className="label" aria-hidden={isPlain}>
            Steps
          </span>
          {isPlain ? (
            <ListInput
              label={`Steps of ${name}`}
              hideLabel
              value={steps}
              kind="list"
              onChange={(changed) => edit([kind, name, 'steps'], changed)}
            />
          ) : (
            <>
              <span>{parsed.success ? stepsText(parsed.output) : 'This text could not be parsed.'}</span>
              <span className="faint">Blocks and think times can only be edited in the YAML.</span>
            </>
          )}
        </div>
        <VariedInput raw={raw} path={[kind, name, share]} owner={name} />
      </div>
      <div>
        <AddVariant
          raw={raw}
          title={`steps of ${name}`}
          path={[kind, name, 'steps']}
          value={steps}
          label={`Add a variant of the steps of ${name}`}
        />
      </div>
      <p className="faint">{shared}</p>
      <ParametersTable raw={raw} path={[kind, name, 'parameters']} owner={name} />
    </>
  );
};
