import { renameTable } from '#experiment/yaml/rename.ts';
import { identifierProblem } from '#model/dataset/column-parts.ts';
import { datasetName, datasetTable } from '#model/dataset/tables.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { editAll } from '../form/edit.ts';
import { NamedItems } from '../form/named-items.tsx';
import { newTable } from './new-table.ts';
import { PasteTables } from './paste-tables.tsx';
import { TableFields } from './table-fields.tsx';

type PastedTables = Readonly<Record<string, unknown>>;

function takenText(raw: Raw, tables: PastedTables): string | null {
  const own = { ...recordAt(raw, ['tables']), [datasetName(raw.dataset)]: raw.dataset };
  const taken = Object.keys(tables).filter((name) => Object.hasOwn(own, name));
  return taken.length === 0 ? null : `The experiment already has ${taken.join(', ')}: remove or rename it first.`;
}

const take = (tables: PastedTables): void =>
  editAll(Object.entries(tables).map(([name, value]) => ({ path: ['tables', name], value })));

/** The tables besides the dataset's table. */
export const TablesSection = ({ raw }: { readonly raw: Raw }) => (
  <NamedItems
    raw={raw}
    title="Tables"
    about="More tables for custom statements, which refer to them as {name}. They are created in this order, before the dataset’s table; a column may refer to a table further left."
    sections={{ tables: newTable }}
    actions={<PasteTables lackOf={(tables) => takenText(raw, tables)} onTake={take} />}
    placeholder="new_table"
    problemOf={(name) =>
      [datasetTable, datasetName(raw.dataset)].includes(name) ? 'is the dataset’s table' : identifierProblem(name)
    }
    rename={renameTable}
  >
    {(section, name, names) => (
      <TableFields
        raw={raw}
        path={[section, name]}
        name={name}
        whose={`of ${name}`}
        before={names.slice(0, names.indexOf(name))}
      />
    )}
  </NamedItems>
);
