import { datasetTable } from '#model/dataset/tables.ts';
import { fileTopic } from '../../help/help-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Section } from '../form/section.tsx';
import { newTable } from './new-table.ts';
import { PasteTables } from './paste-tables.tsx';
import { TableFields } from './table-fields.tsx';

const lackOf = (tables: Readonly<Record<string, unknown>>): string | null =>
  Object.keys(tables).length === 1 ? null : 'The dataset is one table: paste one CREATE TABLE with its indexes.';

/** The pasted table replaces the dataset's; the seed stays. */
function take(raw: Raw, tables: Readonly<Record<string, unknown>>): void {
  const [table] = Object.values(tables);
  const { seed } = recordAt(raw, ['dataset']);
  edit(['dataset'], { ...(table as object), ...(seed !== undefined && { seed }) });
}

/**
 * The dataset's table. Custom statements may use other tables, or those of the server; the section then offers to add
 * the dataset's table.
 */
export const DatasetSection = ({ raw }: { readonly raw: Raw }) => (
  <Section
    title="Dataset"
    help={fileTopic('dataset')}
    about="The rows are generated from the seed, and are the same on every target."
    actions={<PasteTables lackOf={lackOf} onTake={(tables) => take(raw, tables)} />}
  >
    {raw.dataset === undefined && (raw.tables ?? raw.statements) !== undefined ? (
      <Button icon="plus" onPress={() => edit(['dataset'], newTable)}>
        Add dataset
      </Button>
    ) : (
      <TableFields
        raw={raw}
        path={['dataset']}
        name={datasetTable}
        whose="of the dataset"
        before={Object.keys(recordAt(raw, ['tables']))}
      />
    )}
  </Section>
);
