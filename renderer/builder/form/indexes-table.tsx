import { indexKinds } from '#contract/dataset.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox, Select } from '../../ui/fields.tsx';
import { GridTable } from '../../ui/grid-table.tsx';
import { edit } from './edit.ts';
import { isRecord, listAt, type Path, type Raw, recordAt, textOf } from './form-model.ts';
import { ListInput } from './list-input.tsx';

const [usual] = indexKinds;
const kindChoices = indexKinds.map((id) => ({ id, label: id }));

/** The column that a new index begins with: one that neither the key nor another index leads with. */
function firstColumn(table: Raw, indexes: readonly Raw[]): string {
  const names = Object.keys(recordAt(table, ['columns']));
  const leading = [table.key, ...indexes.map((index) => listAt(index, ['columns'])[0])];
  return names.find((name) => !leading.includes(name)) ?? names[0] ?? '';
}

/** Indexes besides the primary key. */
export const IndexesTable = ({
  path,
  table,
  label,
}: {
  readonly path: Path;
  readonly table: Raw;
  readonly label: string;
}) => {
  const place = [...path, 'indexes'];
  const indexes = listAt(table, ['indexes']).map((index) => (isRecord(index) ? index : {}));
  return (
    <div>
      {indexes.length > 0 && (
        <GridTable
          columns={['Index', 'Columns', 'Kind', 'Unique', { title: 'Remove', kind: 'hidden' }]}
          label={label}
          className="columns-table"
        >
          {indexes.map((index, i) => {
            const number = i + 1;
            const set = (key: string, value: unknown) => edit([...place, i, key], value);
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an index has no name but its place
              <tr key={i}>
                <th scope="row" className="mono">
                  {number}
                </th>
                <td>
                  <ListInput
                    label={`Columns of index ${number}`}
                    hideLabel
                    value={index.columns}
                    numbers={false}
                    onChange={(columns) => set('columns', columns)}
                  />
                </td>
                <td>
                  <Select
                    label={`Kind of index ${number}`}
                    hideLabel
                    value={textOf(index.kind) || usual}
                    choices={kindChoices}
                    onChange={(kind) => set('kind', kind === usual ? undefined : kind)}
                  />
                </td>
                <td>
                  <Checkbox
                    label=""
                    name={`Index ${number} is unique`}
                    checked={index.unique === true}
                    onChange={(on) => set('unique', on || undefined)}
                  />
                </td>
                <td>
                  <IconButton
                    icon="trash"
                    label={`Remove index ${number}`}
                    onPress={() => edit(indexes.length === 1 ? place : [...place, i], undefined)}
                  />
                </td>
              </tr>
            );
          })}
        </GridTable>
      )}
      <div className="row add-column">
        <Button
          icon="plus"
          onPress={() => {
            const index = { columns: [firstColumn(table, indexes)] };
            if (indexes.length === 0) edit(place, [index]);
            else edit([...place, indexes.length], index);
          }}
        >
          Add index
        </Button>
      </div>
    </div>
  );
};
