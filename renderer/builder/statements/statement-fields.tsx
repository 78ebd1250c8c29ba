import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, isRecord, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { addFoundParameters } from './found-parameters.ts';
import { ParametersTable } from './parameters-table.tsx';
import { TextFields } from './text-fields.tsx';

/** Fields of a statement: texts, parameters, weight, and the number of rows that it must touch. */
export const StatementFields = ({ name, value }: { readonly name: string; readonly value: Raw }) => {
  const path = ['statements', name];
  const expected = value.expectRows;
  const bounds = isRecord(expected) ? expected : { min: expected, max: expected };
  const setBounds = (next: Raw) => {
    const { min, max } = { ...bounds, ...next };
    const both =
      min === undefined && max === undefined
        ? undefined
        : min === max
          ? min
          : { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
    edit([...path, 'expectRows'], both);
  };
  return (
    <>
      <TextFields path={[...path, 'text']} name={name} text={value.text} onLeave={() => addFoundParameters(name)} />
      <ParametersTable path={[...path, 'parameters']} parameters={recordAt(value, ['parameters'])} owner={name} />
      <div className="form-grid">
        <Helped about="Weight" help="statements.NAME.weight">
          <NumberField
            label="Weight"
            help="How often it runs, relative to the others."
            min={0}
            placeholder="1"
            value={asEntry(value.weight)}
            onChange={(weight) => edit([...path, 'weight'], weight ?? undefined)}
          />
        </Helped>
        <Helped about="Minimum rows" help="statements.NAME.expectRows">
          <NumberField
            label="Minimum rows"
            help="The rows that each call must touch. Any other count is an error."
            min={0}
            unit="rows"
            whole
            placeholder="any"
            value={asEntry(bounds.min)}
            onChange={(min) => setBounds({ min: min ?? undefined })}
          />
        </Helped>
        <Helped about="Maximum rows" help="statements.NAME.expectRows">
          <NumberField
            label="Maximum rows"
            min={0}
            unit="rows"
            whole
            placeholder="any"
            value={asEntry(bounds.max)}
            onChange={(max) => setBounds({ max: max ?? undefined })}
          />
        </Helped>
      </div>
    </>
  );
};
