import type { ComponentType } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { GridTable } from '../../ui/grid-table.tsx';
import { isRecord, listAt, type Path, type Raw } from '../draft/raw-experiment.ts';
import { edit } from './edit.ts';

/** One mapping of the list. */
export interface Entry {
  /** From 1: it has no name but its place. */
  readonly number: number;
  readonly spec: Raw;
  /** Sets one of its keys; undefined removes it. */
  readonly set: (key: string, value: unknown) => void;
}

interface Props {
  readonly raw: Raw;
  /** Of the list in the file. */
  readonly path: Path;
  /** What one entry is: "stage". */
  readonly what: string;
  readonly label: string;
  /** Titles: the number's, then those of the cells. */
  readonly columns: readonly string[];
  /** Of one row, between its number and the button that removes it. */
  readonly cells: ComponentType<Entry>;
  readonly newEntry: () => Raw;
  /** What else in the file makes way for the list. */
  readonly beforeFirst?: () => void;
}

/** A list of mappings in the file as numbered rows, one of which is added at the end. Without entries there is no list. */
export const EntriesTable = ({ raw, path, what, label, columns, cells: Cells, newEntry, beforeFirst }: Props) => {
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
          Add {what}
        </Button>
      </div>
    </div>
  );
};
