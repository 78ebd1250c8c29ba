import { useState } from 'react';
import { TextField } from '../../ui/controls/fields.tsx';
import { type KeyPath, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { EntriesTable } from '../form/entries-table.tsx';
import { fieldAt } from '../form/form-field.ts';
import { ValueFields } from '../form/value-fields.tsx';
import { partsText, readParts } from './index-parts.ts';

/** The first column of a new index: a column that is first in neither the key nor another index. */
function firstColumn(table: Raw, indexes: readonly unknown[]): string {
  const names = Object.keys(recordAt(table, ['columns']));
  const leading = [table.key, ...indexes.map((index) => listAt(index, ['columns'])[0])];
  return names.find((name) => !leading.includes(name)) ?? names[0] ?? '';
}

/** A new index of the table at `of`, whose indexes so far are at `path`. */
export const newIndex = (raw: Raw, path: KeyPath, of: KeyPath = path): Raw => ({
  columns: [firstColumn(recordAt(raw, of), listAt(raw, [...path, 'indexes']))],
});

/** The options of an index that few indexes have. The form shows those that are set, and the others on request. */
const options = ['include', 'where', 'visible', 'name'] as const;

/** The columns of an index on one line. While the user types, the text is not reformatted. */
const PartsInput = ({
  parts,
  label,
  onChange,
}: {
  readonly parts: readonly unknown[];
  readonly label: string;
  readonly onChange: (parts: readonly unknown[] | undefined) => void;
}) => {
  const [typed, setTyped] = useState<string | null>(null);
  const written = partsText(parts);
  if (written === null)
    return (
      <span className="mono nested" title="Edit this value in the YAML.">
        in the YAML
      </span>
    );
  const isTyped = typed !== null && partsText(readParts(typed) ?? []) === written;
  return (
    <TextField
      label={label}
      hideLabel
      placeholder="a, b desc, doc.city, (lower(c))"
      value={isTyped ? typed : written}
      onChange={(text) => {
        setTyped(text);
        onChange(readParts(text));
      }}
    />
  );
};

interface Props {
  readonly raw: Raw;
  /** The path of the table in the file. */
  readonly path: KeyPath;
  readonly label: string;
  /** The path of the table that has the columns. Default: `path`. In a level it is another one. */
  readonly of?: KeyPath;
}

/** Indexes besides the primary key. */
export const IndexesTable = ({ raw, path, label, of = path }: Props) => (
  <EntriesTable
    raw={raw}
    path={[...path, 'indexes']}
    what="index"
    label={label}
    // A level without indexes removes those of the file.
    keepsEmpty={of !== path}
    columns={[
      {
        title: fieldAt([...path, 'indexes', 0, 'columns']).title,
        cell: ({ name, path: own, spec }) => (
          <div className="index-parts">
            <PartsInput
              parts={listAt(spec, ['columns'])}
              label={`Columns of index ${name}`}
              onChange={(parts) => edit([...own, 'columns'], parts)}
            />
          </div>
        ),
      },
      'kind',
      'unique',
      {
        title: 'Options',
        cell: ({ name, path: own, spec }) => (
          <ValueFields
            path={own}
            of={`index ${name}`}
            fields={options.map((option) => fieldAt([...own, option]))}
            spec={spec}
          />
        ),
      },
    ]}
    newEntry={() => newIndex(raw, path, of)}
  />
);
