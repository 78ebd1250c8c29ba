import { useState } from 'react';
import { renameTable } from '#experiment/yaml/rename.ts';
import { isIdentifier } from '#model/dataset/column-parts.ts';
import { datasetTable } from '#model/dataset/tables.ts';
import { fileTopic } from '../../help/help-store.ts';
import { Tabs } from '../../ui/display/tabs.tsx';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { AddNamed } from '../form/add-named.tsx';
import { edit } from '../form/edit.ts';
import { NamedTools } from '../form/named-tools.tsx';
import { Section } from '../form/section.tsx';
import { TableFields } from './table-fields.tsx';

interface TableProps {
  readonly raw: Raw;
  readonly name: string;
  readonly names: readonly string[];
  readonly onRenamed: (name: string) => void;
}

const Table = ({ raw, name, names, onRenamed }: TableProps) => (
  <>
    <NamedTools
      section="tables"
      isAlone={names.length === 1}
      name={name}
      what="table"
      isFree={(next) => isIdentifier(next) && next !== datasetTable && !names.includes(next)}
      rename={renameTable}
      onRenamed={onRenamed}
    />
    <TableFields
      raw={raw}
      path={['tables', name]}
      name={name}
      whose={`of ${name}`}
      rowsHelp="Loaded before the measurement."
      before={names.slice(0, names.indexOf(name))}
    />
  </>
);

const firstColumns = { rows: 1_000, key: 'id', columns: { id: { type: 'sequence' } } };

/** The tables beside the dataset's. Renders nothing for a workload without custom statements. */
export const TablesSection = ({ raw }: { readonly raw: Raw }) => {
  const names = Object.keys(recordAt(raw, ['tables']));
  const [selected, setSelected] = useState('');
  if (names.length === 0 && recordAt(raw, ['workload']).operation !== 'statement') return null;
  const chosen = names.includes(selected) ? selected : (names[0] ?? '');
  return (
    <Section
      title="Tables"
      help={fileTopic('tables')}
      about="More tables for custom statements, which refer to them as {name}. Made in this order, before the dataset’s: a reference leads to a table further left."
    >
      {names.length > 0 && (
        <Tabs
          label="Tables"
          selected={chosen}
          onSelect={setSelected}
          items={names.map((id) => ({
            id,
            label: id,
            content: <Table key={id} raw={raw} name={id} names={names} onRenamed={setSelected} />,
          }))}
        />
      )}
      <AddNamed
        label="Name of a new table"
        placeholder="new_table"
        action="Add table"
        taken={[...names, datasetTable]}
        onAdd={(name) => {
          edit(['tables', name], firstColumns);
          setSelected(name);
        }}
      />
    </Section>
  );
};
