import type { ComponentType } from 'react';
import { HelpButton } from '../../help/help-button.tsx';
import { keyTopic } from '../../help/help-store.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { GridTable } from '../../ui/display/grid-table.tsx';
import { isRecord, type KeyPath, listAt, type Raw } from '../draft/raw-experiment.ts';
import { edit } from './edit.ts';

/** An entry of the list, which is a mapping. */
export interface Entry {
  /** Position in the list, from 1; entries have no names. */
  readonly number: number;
  readonly spec: Raw;
  /** Sets a key of the entry; undefined removes the key. */
  readonly set: (key: string, value: unknown) => void;
}

interface Props {
  readonly raw: Raw;
  /** Path of the list in the file. */
  readonly path: KeyPath;
  /** The name of an entry, such as "stage". */
  readonly what: string;
  readonly label: string;
  /** Titles of the number's column and of the cells' columns. */
  readonly columns: readonly string[];
  /** The cells of a row, between its number and its remove button. */
  readonly cells: ComponentType<Entry>;
  /** The key of the list, as the documentation of the file lists it. */
  readonly help: string;
  readonly newEntry: () => Raw;
  /** Removes what the file cannot have beside the list; called before the first entry. */
  readonly beforeFirst?: () => void;
}

/** A list of mappings in the file as numbered rows. New rows come last; removing the only row removes the list. */
export const EntriesTable = ({ raw, path, what, label, columns, cells: Cells, help, newEntry, beforeFirst }: Props) => {
  const entries = listAt(raw, path);
  const add = () => {
    if (entries.length > 0) {
      edit([...path, entries.length], newEntry());
      return;
    }
    beforeFirst?.();
    edit(path, [newEntry()]);
  };
  return (
    <div>
      {entries.length > 0 && (
        <GridTable columns={[...columns, { title: 'Remove', kind: 'hidden' }]} label={label} className="columns-table">
          {entries.map((entry, i) => {
            const number = i + 1;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: an entry has no name but its place
              <tr key={i}>
                <th scope="row" className="mono">
                  {number}
                </th>
                <Cells
                  number={number}
                  spec={isRecord(entry) ? entry : {}}
                  set={(key, value) => edit([...path, i, key], value)}
                />
                <td>
                  <IconButton
                    icon="trash"
                    label={`Remove ${what} ${number}`}
                    onPress={() => edit(entries.length === 1 ? path : [...path, i], undefined)}
                  />
                </td>
              </tr>
            );
          })}
        </GridTable>
      )}
      <div className="row add-column">
        <Button icon="plus" onPress={add}>
          {`Add ${what}`}
        </Button>
        <HelpButton about={label} topic={keyTopic(help)} />
      </div>
    </div>
  );
};
