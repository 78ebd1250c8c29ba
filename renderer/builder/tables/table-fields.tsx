import { mostRows } from '#model/dataset/dataset.ts';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { ColumnsTable } from './columns-table.tsx';
import { IndexesTable } from './indexes-table.tsx';
import { TablePreview } from './table-preview.tsx';

interface Props {
  readonly raw: Raw;
  /** Path of the table in the file. */
  readonly path: KeyPath;
  /** Name of the table in statements. */
  readonly name: string;
  /** "of the dataset", for screen readers. */
  readonly whose: string;
  readonly rowsHelp: string;
  /** Tables made earlier, to which columns may refer. */
  readonly before: readonly string[];
}

/** Fields of a table: rows, columns, key and indexes; and its first rows. */
export const TableFields = ({ raw, path, name, whose, rowsHelp, before }: Props) => {
  const table = recordAt(raw, path);
  return (
    <>
      <div className="form-grid">
        <Helped about="Rows" help="dataset.rows">
          <NumberField
            label="Rows"
            help={rowsHelp}
            unit="rows"
            whole
            required
            min={1}
            max={mostRows}
            value={asEntry(table.rows)}
            onChange={(rows) => edit([...path, 'rows'], rows)}
          />
        </Helped>
        <Helped about="Seed" help="dataset.seed">
          <NumberField
            label="Seed"
            help="The seed of the row generator: the same seed gives the same rows."
            placeholder="1"
            whole
            value={asEntry(table.seed)}
            onChange={(seed) => edit([...path, 'seed'], seed ?? undefined)}
          />
        </Helped>
      </div>
      <ColumnsTable path={path} table={table} label={`Columns ${whose}`} before={before} />
      <IndexesTable raw={raw} path={path} label={`Indexes ${whose}`} />
      {Object.keys(recordAt(table, ['columns'])).length > 0 && (
        <TablePreview raw={raw} table={name} label={`First rows ${whose}`} />
      )}
    </>
  );
};
