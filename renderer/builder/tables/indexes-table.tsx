import { type KeyPath, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { EntriesTable } from '../form/entries-table.tsx';

/** The first column of a new index: a column that is first in neither the key nor another index. */
function firstColumn(table: Raw): string {
  const names = Object.keys(recordAt(table, ['columns']));
  const leading = [table.key, ...listAt(table, ['indexes']).map((index) => listAt(index, ['columns'])[0])];
  return names.find((name) => !leading.includes(name)) ?? names[0] ?? '';
}

interface Props {
  readonly raw: Raw;
  /** The path of the table in the file. */
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
    columns={['columns', 'kind', 'unique']}
    newEntry={() => ({ columns: [firstColumn(recordAt(raw, path))] })}
  />
);
