import { Button, IconButton } from '../../ui/button.tsx';
import { NumberField, TextField } from '../../ui/fields.tsx';
import { GridTable } from '../../ui/grid-table.tsx';
import { edit } from './edit.ts';
import { isRecord, listAt, numberOf, type Path, type Raw, scaled, textOf } from './form-model.ts';

const place: Path = ['measure', 'stages'];
/** What a new stage lasts. */
const usualSeconds = 10;

/** Stages of the load: ramps, steps and spikes of the measured phase, one after another. */
export const StagesTable = ({ raw }: { readonly raw: Raw }) => {
  const stages = listAt(raw, place).map((stage) => (isRecord(stage) ? stage : {}));
  const add = () => {
    const stage = { seconds: usualSeconds };
    if (stages.length > 0) {
      edit([...place, stages.length], stage);
      return;
    }
    // They say how long the measured phase is.
    edit(['measure', 'seconds'], undefined);
    edit(place, [stage]);
  };
  return (
    <div>
      {stages.length > 0 && (
        <GridTable
          columns={['Stage', 'Name', 'Seconds', 'Load from, %', 'Load to, %', { title: 'Remove', kind: 'hidden' }]}
          label="Stages of the load"
          className="columns-table"
        >
          {stages.map((stage, i) => {
            const number = i + 1;
            const set = (key: string, value: unknown) => edit([...place, i, key], value);
            const share = (key: 'from' | 'to', placeholder: string) => (
              <NumberField
                label={`Load ${key} of stage ${number}, %`}
                hideLabel
                value={scaled(numberOf(stage[key]), 100)}
                placeholder={placeholder}
                min={0}
                onChange={(value) => set(key, scaled(value, 0.01) ?? undefined)}
              />
            );
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a stage need not have a name but its place
              <tr key={i}>
                <th scope="row" className="mono">
                  {number}
                </th>
                <td>
                  <TextField
                    label={`Name of stage ${number}`}
                    hideLabel
                    value={textOf(stage.name)}
                    placeholder={`stage ${number}`}
                    onChange={(name) => set('name', name === '' ? undefined : name)}
                  />
                </td>
                <td>
                  <NumberField
                    label={`Seconds of stage ${number}`}
                    hideLabel
                    value={numberOf(stage.seconds)}
                    min={0.1}
                    onChange={(seconds) => set('seconds', seconds ?? usualSeconds)}
                  />
                </td>
                <td>{share('from', 'as to')}</td>
                <td>{share('to', '100')}</td>
                <td>
                  <IconButton
                    icon="trash"
                    label={`Remove stage ${number}`}
                    onPress={() => edit(stages.length === 1 ? place : [...place, i], undefined)}
                  />
                </td>
              </tr>
            );
          })}
        </GridTable>
      )}
      <div className="row add-column">
        <Button icon="plus" onPress={add}>
          Add stage
        </Button>
      </div>
    </div>
  );
};
