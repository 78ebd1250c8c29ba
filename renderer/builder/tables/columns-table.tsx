import { fileTopic } from '../../help/help-store.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Checkbox, Select } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { GridTable } from '../../ui/display/grid-table.tsx';
import { asEntry, asText, isRecord, type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { AddNamed } from '../form/add-named.tsx';
import { columnFields, columnTypes, newColumn } from '../form/column-fields.ts';
import { edit } from '../form/edit.ts';
import { ValueFields } from '../form/value-fields.tsx';

const typeChoices = columnTypes.map((id) => ({ id, label: id }));

/** Specifications of the other columns, to which a column may refer. */
const othersOf = (columns: Raw, name: string): Readonly<Record<string, Raw>> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([other, spec]) => (other !== name && isRecord(spec) ? [[other, spec]] : [])),
  );

interface Props {
  /** Path of the table in the file. */
  readonly path: KeyPath;
  readonly table: Raw;
  readonly label: string;
  /** Tables made earlier, to which columns may refer. */
  readonly before: readonly string[];
}

export const ColumnsTable = ({ path, table, label, before }: Props) => {
  const columns = recordAt(table, ['columns']);
  const { key } = table;
  return (
    <div>
      <GridTable
        columns={['Column', 'Type', 'Generator', 'Nulls', 'Key', { title: 'Remove', kind: 'hidden' }]}
        label={label}
        className="columns-table"
      >
        {Object.entries(columns).map(([name, value]) => {
          const spec = isRecord(value) ? value : {};
          return (
            <tr key={name}>
              <th scope="row" className="mono">
                {name}
              </th>
              <td>
                <Select
                  label={`Type of ${name}`}
                  hideLabel
                  value={asText(spec.type)}
                  choices={typeChoices}
                  onChange={(type) =>
                    edit([...path, 'columns', name], newColumn(type, othersOf(columns, name), before))
                  }
                />
              </td>
              <td>
                <ValueFields path={[...path, 'columns', name]} of={name} fields={columnFields(spec)} spec={spec} />
              </td>
              <td className="narrow">
                <NumberField
                  label={`Share of nulls in ${name}`}
                  hideLabel
                  placeholder="0"
                  unit="share"
                  min={0}
                  max={1}
                  value={asEntry(spec.nulls)}
                  onChange={(share) => edit([...path, 'columns', name, 'nulls'], share ?? undefined)}
                />
              </td>
              <td>
                <Checkbox
                  label=""
                  name={`${name} is the primary key`}
                  checked={key === name}
                  onChange={(on) => edit([...path, 'key'], on ? name : undefined)}
                />
              </td>
              <td>
                <IconButton
                  icon="trash"
                  label={`Remove column ${name}`}
                  isDisabled={Object.keys(columns).length < 2}
                  onPress={() => edit([...path, 'columns', name], undefined)}
                />
              </td>
            </tr>
          );
        })}
      </GridTable>
      <AddNamed
        label="Name of the new column"
        placeholder="new_column"
        action="Add column"
        help={fileTopic('Columns')}
        taken={Object.keys(columns)}
        onAdd={(name) => edit([...path, 'columns', name], newColumn('text', {}))}
      />
    </div>
  );
};
