import { TextField } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asText, type Raw, recordAt, scaled } from '../draft/raw-experiment.ts';
import { EntriesTable, type Entry } from '../form/entries-table.tsx';
import { editUntil, withoutTrialEnd } from './edit-until.ts';

/** Seconds of a new stage. */
const usualSeconds = 10;

const Stage = ({ number, spec, set }: Entry) => {
  const share = (key: 'from' | 'to', placeholder: string) => (
    <NumberField
      label={`Load ${key} of stage ${number}, %`}
      hideLabel
      value={scaled(asEntry(spec[key]), 100)}
      unit="%"
      placeholder={placeholder}
      min={0}
      onChange={(value) => set(key, scaled(value, 0.01) ?? undefined)}
    />
  );
  return (
    <>
      <td>
        <TextField
          label={`Name of stage ${number}`}
          hideLabel
          value={asText(spec.name)}
          placeholder={`stage ${number}`}
          onChange={(name) => set('name', name === '' ? undefined : name)}
        />
      </td>
      <td>
        <NumberField
          label={`Seconds of stage ${number}`}
          hideLabel
          value={asEntry(spec.seconds)}
          unit="s"
          required
          min={0.1}
          onChange={(seconds) => set('seconds', seconds)}
        />
      </td>
      <td>{share('from', 'as to')}</td>
      <td>{share('to', '100')}</td>
    </>
  );
};

/** Stages of the load: ramps, steps and spikes of the measured phase, one after another. */
export const StagesTable = ({ raw }: { readonly raw: Raw }) => (
  <EntriesTable
    raw={raw}
    path={['measure', 'stages']}
    what="stage"
    label="Stages of the load"
    columns={['Stage', 'Name', 'Seconds', 'Load from, %', 'Load to, %']}
    cells={Stage}
    help="measure.stages"
    newEntry={() => ({ seconds: usualSeconds })}
    // The stages define the length of the measured phase.
    beforeFirst={() => editUntil(withoutTrialEnd(recordAt(raw, ['measure', 'until'])))}
  />
);
