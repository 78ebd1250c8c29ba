import { formatCount } from '#model/format/format.ts';
import { at, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { FieldInput } from '../form/field-input.tsx';
import { Fold } from '../form/fold.tsx';
import { fieldAt } from '../form/form-field.ts';
import { Helped } from '../form/helped.tsx';
import { KeyInput } from '../form/key-input.tsx';

interface Props {
  readonly raw: Raw;
  /** The names of the chosen targets. */
  readonly names: readonly string[];
}

/** The price of an hour of each chosen target, and the currency of all prices. */
export const PricesFold = ({ raw, names }: Props) => {
  const set = Object.keys(recordAt(raw, ['prices', 'perHour'])).length;
  return (
    <Fold
      title="Prices"
      about={set > 0 ? `${formatCount(set)} set` : 'the cost of a million operations on each target'}
      isSet={at(raw, ['prices']) !== undefined}
    >
      <div className="form-grid form-grid-wide">
        <KeyInput raw={raw} path={['prices', 'currency']} />
        {names.map((name) => {
          const path = ['prices', 'perHour', name];
          const label = `${name}, per hour`;
          return (
            <Helped key={name} about={label} help="prices.perHour">
              <FieldInput
                field={{ ...fieldAt(path), required: false }}
                label={label}
                help=""
                value={at(raw, path)}
                onChange={(value) => edit(path, value)}
              />
            </Helped>
          );
        })}
      </div>
    </Fold>
  );
};
