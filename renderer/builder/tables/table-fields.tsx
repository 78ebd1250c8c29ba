import { type KeyPath, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { KeyInput } from '../form/key-input.tsx';
import { AddVariant } from '../variants/add-variant.tsx';
import { VariedInput } from '../variants/varied-input.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { FileFields } from './file-fields.tsx';
import { IndexesTable, newIndex } from './indexes-table.tsx';
import { TablePreview } from './table-preview.tsx';

interface Props {
  readonly raw: Raw;
  /** The path of the table in the file. */
  readonly path: KeyPath;
  /** The name of the table in statements. */
  readonly name: string;
  /** The owner for screen readers, such as "of the dataset". */
  readonly whose: string;
  /** Earlier tables, to which columns may refer. */
  readonly before: readonly string[];
}

/** The fields of a table: rows, columns, key and indexes, and a preview of its first rows. */
export const TableFields = ({ raw, path, name, whose, before }: Props) => (
  <>
    <div className="form-grid">
      <VariedInput raw={raw} path={[...path, 'rows']} owner={name} whose={whose} />
      <KeyInput raw={raw} path={[...path, 'seed']} />
    </div>
    <FileFields raw={raw} path={path} />
    <ColumnsTable raw={raw} path={path} label={`Columns ${whose}`} before={before} />
    <IndexesTable raw={raw} path={path} label={`Indexes ${whose}`} />
    <div>
      <AddVariant
        raw={raw}
        title={`indexes of ${name}`}
        path={[...path, 'indexes']}
        value={[...listAt(raw, [...path, 'indexes']), newIndex(raw, path)]}
        label={`Add a variant of the indexes ${whose}`}
      />
    </div>
    {Object.keys(recordAt(raw, [...path, 'columns'])).length > 0 && (
      <TablePreview raw={raw} table={name} label={`First rows ${whose}`} />
    )}
  </>
);
