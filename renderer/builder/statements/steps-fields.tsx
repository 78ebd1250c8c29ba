import * as v from 'valibot';
import { stepSchema } from '#model/statements/statements.ts';
import { stepsText } from '#model/statements/steps.ts';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { ListInput } from '../form/list-input.tsx';
import { ParametersTable } from './parameters-table.tsx';

const kinds = {
  transactions: {
    shared: 'All its steps share these values:',
    share: { key: 'weight', label: 'Weight', help: 'How often it runs, relative to the others.' },
  },
  scenarios: {
    shared: 'These values hold for one pass through its steps:',
    share: {
      key: 'users',
      label: 'Users',
      help: 'How many of the load’s users run this scenario, relative to the other scenarios.',
    },
  },
} as const;

interface Props {
  readonly kind: keyof typeof kinds;
  readonly name: string;
  readonly value: Raw;
}

/**
 * Fields of a transaction or scenario: steps, weight, and what its steps share. Blocks and think times can be edited in
 * the YAML only.
 */
export const StepsFields = ({ kind, name, value }: Props) => {
  const { shared, share } = kinds[kind];
  const steps = listAt(value, ['steps']);
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
              numbers={false}
              onChange={(changed) => edit([kind, name, 'steps'], changed)}
            />
          ) : (
            <>
              <span>{parsed.success ? stepsText(parsed.output) : 'Not understood.'}</span>
              <span className="faint">Blocks and think times are edited in the YAML.</span>
            </>
          )}
        </div>
        <Helped about={share.label} help={`${kind}.NAME.${share.key}`}>
          <NumberField
            label={share.label}
            help={share.help}
            min={0}
            placeholder="1"
            value={asEntry(value[share.key])}
            onChange={(changed) => edit([kind, name, share.key], changed ?? undefined)}
          />
        </Helped>
      </div>
      <p className="faint">{shared}</p>
      <ParametersTable path={[kind, name, 'parameters']} parameters={recordAt(value, ['parameters'])} owner={name} />
    </>
  );
};
