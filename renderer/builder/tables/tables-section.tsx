import { renameTable } from '#experiment/yaml/rename.ts';
import { identifierProblem } from '#model/dataset/column-parts.ts';
import { datasetTable } from '#model/dataset/tables.ts';
import type { Raw } from '../draft/raw-experiment.ts';
import { NamedItems } from '../form/named-items.tsx';
import { newTable } from './new-table.ts';
import { TableFields } from './table-fields.tsx';

/** The tables besides the dataset's table. */
export const TablesSection = ({ raw }: { readonly raw: Raw }) => (
  <NamedItems
    raw={raw}
    title="Tables"
    about="More tables for custom statements, which refer to them as {name}. They are created in this order, before the dataset’s table; a column may refer to a table further left."
    sections={{ tables: newTable }}
    placeholder="new_table"
    problemOf={(name) => (name === datasetTable ? 'is the dataset’s table' : identifierProblem(name))}
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
