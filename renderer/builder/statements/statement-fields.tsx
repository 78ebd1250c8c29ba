import { isRecord, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { KeyInput } from '../form/key-input.tsx';
import { VariedInput } from '../variants/varied-input.tsx';
import { addFoundParameters } from './found-parameters.ts';
import { ParametersTable } from './parameters-table.tsx';
import { VariedText } from './varied-text.tsx';

/** The fields of a statement: texts, parameters, weight, and the number of rows that it must affect. */
export const StatementFields = ({ raw, name }: { readonly raw: Raw; readonly name: string }) => {
  const path = ['statements', name];
  const { expectRows: expected } = recordAt(raw, path);
  const bounds: Raw = isRecord(expected) ? expected : { min: expected, max: expected };
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
      <VariedText
        raw={raw}
        path={[...path, 'text']}
        name={name}
        what="the text of"
        onLeave={() => addFoundParameters(name)}
      />
      <ParametersTable raw={raw} path={[...path, 'parameters']} owner={name} />
      <div className="form-grid">
        <VariedInput raw={raw} path={[...path, 'weight']} owner={name} />
        {(['min', 'max'] as const).map((bound) => (
          <KeyInput
            key={bound}
            raw={raw}
            path={[...path, 'expectRows', bound]}
            value={bounds[bound]}
            onChange={(rows) => setBounds({ [bound]: rows })}
          />
        ))}
      </div>
    </>
  );
};
