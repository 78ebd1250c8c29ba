import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/fields.tsx';
import { edit } from '../form/edit.ts';
import { listAt, numberOf, type Raw, recordAt } from '../form/form-model.ts';
import { ListInput } from '../form/list-input.tsx';
import { ParametersTable } from './parameters-table.tsx';

/** Steps of a transaction, how often it runs, and what its steps share. */
export const TransactionFields = ({ name, value }: { readonly name: string; readonly value: Raw }) => (
  <div className="statement">
    <div className="form-grid">
      <div className="field">
        <span className="label" aria-hidden="true">
          Steps
        </span>
        <ListInput
          label={`Steps of ${name}`}
          hideLabel
          value={listAt(value, ['steps'])}
          numbers={false}
          onChange={(steps) => edit(['transactions', name, 'steps'], steps)}
        />
      </div>
      <NumberField
        label="Weight"
        help="How often it runs beside the others."
        min={0}
        placeholder="1"
        value={numberOf(value.weight)}
        onChange={(weight) => edit(['transactions', name, 'weight'], weight ?? undefined)}
      />
    </div>
    <p className="faint">Values that all its steps share:</p>
    <ParametersTable
      path={['transactions', name, 'parameters']}
      parameters={recordAt(value, ['parameters'])}
      owner={name}
    />
    <Button kind="quiet" icon="trash" onPress={() => edit(['transactions', name], undefined)}>
      Remove transaction
    </Button>
  </div>
);
