import { indexKinds } from '#model/dataset/dataset.ts';
import { Checkbox, Select } from '../../ui/controls/fields.tsx';
import { asText, type KeyPath, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { EntriesTable, type Entry } from '../form/entries-table.tsx';
import { ListInput } from '../form/list-input.tsx';

const [usual] = indexKinds;
const kindChoices = indexKinds.map((id) => ({ id, label: id }));

/** First column of a new index: one that is first in neither the key nor another index. */
function firstColumn(table: Raw): string {
  const names = Object.keys(recordAt(table, ['columns']));
  const leading = [table.key, ...listAt(table, ['indexes']).map((index) => listAt(index, ['columns'])[0])];
  return names.find((name) => !leading.includes(name)) ?? names[0] ?? '';
}

const Index = ({ number, spec, set }: Entry) => (
  <>
    <td>
      <ListInput
        label={`Columns of index ${number}`}
        hideLabel
        value={spec.columns}
        numbers={false}
        onChange={(columns) => set('columns', columns)}
      />
    </td>
    <td>
      <Select
        label={`Kind of index ${number}`}
        hideLabel
        value={asText(spec.kind) || usual}
        choices={kindChoices}
        onChange={(kind) => set('kind', kind === usual ? undefined : kind)}
      />
    </td>
    <td>
      <Checkbox
        label=""
        name={`Index ${number} is unique`}
        checked={spec.unique === true}
        onChange={(on) => set('unique', on || undefined)}
      />
    </td>
  </>
);

interface Props {
  readonly raw: Raw;
  /** Path of the table in the file. */
  readonly path: KeyPath;
  readonly label: string;
}

/** Indexes besides the primary key. */
export const IndexesTable = ({ raw, path, label }: Props) => (
  <EntriesTable
    raw={raw}
    path={[...path, 'indexes']}
    what="index"
    label={label}
    columns={['Index', 'Columns', 'Kind', 'Unique']}
    cells={Index}
    help="dataset.indexes"
    newEntry={() => ({ columns: [firstColumn(recordAt(raw, path))] })}
  />
);
