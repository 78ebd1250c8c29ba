import { datasetName } from '#model/dataset/tables.ts';
import { fileTopic } from '../../help/help-store.ts';
import { Checkbox, Select } from '../../ui/controls/fields.tsx';
import { asText, isRecord, type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { columnChoices, newColumn, valueFields, withNulls } from '../form/column-fields.ts';
import { edit } from '../form/edit.ts';
import { EntriesTable } from '../form/entries-table.tsx';
import { ValueFields } from '../form/value-fields.tsx';
import { entryVariant } from '../variants/add-variant.tsx';

/** The other columns, to which a column may refer. */
const othersOf = (columns: Raw, name: string): Readonly<Record<string, Raw>> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([other, spec]) => (other !== name && isRecord(spec) ? [[other, spec]] : [])),
  );

/** The name of the table in statements. */
const tableName = (raw: Raw, path: KeyPath): string =>
  path[0] === 'dataset' ? datasetName(raw.dataset) : String(path.at(-1));

interface Props {
  readonly raw: Raw;
  /** The path of the table in the file. */
  readonly path: KeyPath;
  readonly label: string;
  /** Earlier tables, to which columns may refer. */
  readonly before: readonly string[];
  /** The path of the table that the file has. Default: `path`. In a level it is another one. */
  readonly of?: KeyPath;
}

export const ColumnsTable = ({ raw, path, label, before, of = path }: Props) => {
  const table = recordAt(raw, of);
  const key = recordAt(raw, path).key ?? table.key;
  return (
    <EntriesTable
      raw={raw}
      path={[...path, 'columns']}
      what="column"
      label={label}
      columns={[
        {
          title: 'Type',
          cell: ({ name, path: own, spec }) => (
            <Select
              label={`Type of ${name}`}
              hideLabel
              value={asText(spec.type)}
              choices={columnChoices}
              onChange={(type) =>
                edit(own, withNulls(spec, newColumn(type, othersOf(recordAt(table, ['columns']), name), before)))
              }
            />
          ),
        },
        {
          title: 'Generator',
          cell: ({ name, path: own, spec }) => (
            <ValueFields path={own} of={name} fields={valueFields(spec)} spec={spec} />
          ),
        },
        'nulls',
        {
          title: 'Key',
          cell: ({ name }) => (
            <Checkbox
              label=""
              name={`${name} is the primary key`}
              checked={key === name}
              onChange={(on) => edit([...path, 'key'], on ? name : undefined)}
            />
          ),
        },
      ]}
      actions={entryVariant(raw, path, (name) => `column ${name} of ${tableName(raw, of)}`)}
      help={fileTopic('Columns')}
      naming={{ label: 'Name of the new column', placeholder: 'new_column' }}
      keepsOne
      whenRemoved={(name) => (name === key ? [{ path: [...path, 'key'], value: undefined }] : [])}
      newEntry={() => newColumn('text')}
    />
  );
};
