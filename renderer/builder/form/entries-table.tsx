import type { ReactNode } from 'react';
import { sentence } from '#model/format/sentence.ts';
import { HelpButton } from '../../help/help-button.tsx';
import { keyTopic } from '../../help/help-store.ts';
import type { Topic } from '../../help/passages.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Checkbox } from '../../ui/controls/fields.tsx';
import { GridTable } from '../../ui/display/grid-table.tsx';
import { at, isRecord, type KeyPath, type Raw } from '../draft/raw-experiment.ts';
import { AddNamed } from './add-named.tsx';
import { type Change, edit, editAll } from './edit.ts';
import { FieldInput } from './field-input.tsx';
import { documentedKey, fieldAt } from './form-field.ts';

/** An entry of a list, named by its position from 1, or of a mapping. Each entry is a mapping itself. */
interface Entry {
  readonly name: string;
  readonly path: KeyPath;
  readonly spec: Raw;
}

/** A column with custom cells. */
interface Column {
  readonly title: string;
  readonly cell: (entry: Entry) => ReactNode;
}

interface Props {
  readonly raw: Raw;
  /** The path of the list or mapping in the file. */
  readonly path: KeyPath;
  /** The noun for an entry, such as "stage". */
  readonly what: string;
  readonly label: string;
  /** The keys of the entries that have an input in each row. */
  readonly columns: readonly (string | Column)[];
  /** Buttons of an entry, before the one that removes it. */
  readonly actions?: ((entry: Entry) => ReactNode) | undefined;
  /** The help topic of the list. Default: its row in the documentation of the file. */
  readonly help?: Topic;
  /** The input for names. Absent if the entries are a list. */
  readonly naming?: { readonly label: string; readonly placeholder: string };
  /** True if the last entry cannot be removed. */
  readonly keepsOne?: boolean;
  /** True if the list stays when it is empty, because the file without the list would mean another list. */
  readonly keepsEmpty?: boolean;
  readonly newEntry: () => Raw;
  /** Further changes of the file that the removal of an entry needs. */
  readonly whenRemoved?: (name: string) => readonly Change[];
  /** Removes keys that conflict with the list. It is called before the first entry is added. */
  readonly beforeFirst?: () => void;
}

/** The input of one key of an entry. */
const KeyCell = ({
  entry: { name, path, spec },
  what,
  column,
}: {
  readonly entry: Entry;
  readonly what: string;
  readonly column: string;
}) => {
  const field = fieldAt([...path, column]);
  const onChange = (value: unknown) => edit([...path, column], value);
  return (
    <td className={field.numbers.unit === 'share' ? 'narrow' : undefined}>
      {field.isBoolean ? (
        <Checkbox
          label=""
          name={`${sentence(what)} ${name} is ${field.label.toLowerCase()}`}
          checked={spec[column] === true}
          onChange={(on) => onChange(on || undefined)}
        />
      ) : (
        <FieldInput
          field={field}
          value={spec[column]}
          label={`${field.label} of ${what} ${name}`}
          inTable
          onChange={onChange}
        />
      )}
    </td>
  );
};

/**
 * Shows a list or mapping of the file as rows. New entries come last. Removing the only entry of a list removes the
 * list, unless it `keepsEmpty`.
 */
export const EntriesTable = (props: Props) => {
  const {
    raw,
    path,
    what,
    label,
    columns,
    actions,
    help,
    naming,
    keepsOne,
    keepsEmpty,
    newEntry,
    whenRemoved,
    beforeFirst,
  } = props;
  const written = at(raw, path);
  const isList = naming === undefined;
  const entries = Object.entries(Array.isArray(written) || isRecord(written) ? written : {}).map(
    ([key, value]): Entry => ({
      name: isList ? String(Number(key) + 1) : key,
      path: [...path, isList ? Number(key) : key],
      spec: isRecord(value) ? value : {},
    }),
  );
  const isOnly = entries.length === 1;
  const add = () => {
    if (entries.length === 0) beforeFirst?.();
    if (entries.length === 0) edit(path, [newEntry()]);
    else edit([...path, entries.length], newEntry());
  };
  const topic = help ?? keyTopic(documentedKey(path));
  return (
    <div>
      {entries.length > 0 && (
        <GridTable
          columns={[
            sentence(what),
            ...columns.map((column) =>
              typeof column === 'string' ? fieldAt([...path, isList ? 0 : '', column]).title : column.title,
            ),
            { title: 'Actions', kind: 'hidden' },
          ]}
          label={label}
          className="columns-table"
        >
          {entries.map((entry) => (
            <tr key={entry.name}>
              <th scope="row" className="mono" title={entry.name}>
                {entry.name}
              </th>
              {columns.map((column) =>
                typeof column === 'string' ? (
                  <KeyCell key={column} entry={entry} what={what} column={column} />
                ) : (
                  <td key={column.title}>{column.cell(entry)}</td>
                ),
              )}
              <td className="entry-actions">
                {actions?.(entry)}
                {!(isOnly && keepsOne === true) && (
                  <IconButton
                    icon="trash"
                    label={`Remove ${what} ${entry.name}`}
                    onPress={() =>
                      editAll([
                        isOnly && isList
                          ? { path, value: keepsEmpty ? [] : undefined }
                          : { path: entry.path, value: undefined },
                        ...(whenRemoved?.(entry.name) ?? []),
                      ])
                    }
                  />
                )}
              </td>
            </tr>
          ))}
        </GridTable>
      )}
      {naming ? (
        <AddNamed
          {...naming}
          additions={[{ action: `Add ${what}`, onAdd: (name) => edit([...path, name], newEntry()) }]}
          help={topic}
          taken={entries.map(({ name }) => name)}
        />
      ) : (
        <div className="row add-column">
          <Button icon="plus" onPress={add}>
            {`Add ${what}`}
          </Button>
          <HelpButton about={label} topic={topic} />
        </div>
      )}
    </div>
  );
};
