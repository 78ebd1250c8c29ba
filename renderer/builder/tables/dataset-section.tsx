import { placeInSize } from '#experiment/schema/sizes.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { renameDataset } from '#experiment/yaml/rename.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { fileTopic } from '../../help/help-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { nameProblem } from '../form/add-named.tsx';
import { edit, editFile } from '../form/edit.ts';
import { RenameField } from '../form/rename-field.tsx';
import { Section } from '../form/section.tsx';
import { newTable } from './new-table.ts';
import { PasteTables } from './paste-tables.tsx';
import { TableFields } from './table-fields.tsx';

type PastedTables = Readonly<Record<string, unknown>>;

function lackOf(raw: Raw, tables: PastedTables): string | null {
  const [name = '', ...others] = Object.keys(tables);
  if (others.length > 0) return 'The dataset is one table: paste one CREATE TABLE with its indexes.';
  return Object.hasOwn(recordAt(raw, ['tables']), name)
    ? `The experiment already has ${name} under Tables: remove or rename it first.`
    : null;
}

/** The pasted table replaces the dataset's, and keeps its name, which all texts then use; the seed stays. */
function take(raw: Raw, tables: PastedTables): void {
  const [[name, table] = ['', {}]] = Object.entries(tables);
  const { seed } = recordAt(raw, ['dataset']);
  editFile((file) => {
    const renamed = renameDataset(file, name);
    const whole = setIn(renamed, ['dataset'], { name, ...(table as object), ...(seed !== undefined && { seed }) });
    // The changes in the chosen size belong to the table that was there before.
    const place = placeInSize(whole.value, ['dataset']);
    return place.length > 1 ? setIn(whole, place, undefined) : whole;
  });
}

/**
 * The dataset's table. Custom statements may use other tables, or those of the server; the section then offers to add
 * the dataset's table.
 */
export const DatasetSection = ({ raw }: { readonly raw: Raw }) => {
  const name = datasetName(raw.dataset);
  const beside = Object.keys(recordAt(raw, ['tables']));
  return (
    <Section
      title="Dataset"
      help={fileTopic('dataset')}
      about="The rows are generated from the seed, and are the same on every target."
      actions={<PasteTables lackOf={(tables) => lackOf(raw, tables)} onTake={(tables) => take(raw, tables)} />}
    >
      {raw.dataset === undefined && (raw.tables ?? raw.statements) !== undefined ? (
        <Button icon="plus" onPress={() => edit(['dataset'], newTable)}>
          Add dataset
        </Button>
      ) : (
        <>
          <div className="row add-column named-tools">
            <RenameField
              key={name}
              label="Name of the table"
              help={`Custom statements write {${name}}.`}
              name={name}
              problemOf={(next) => nameProblem(next, beside)}
              rename={renameDataset}
            />
          </div>
          <TableFields raw={raw} path={['dataset']} name={name} whose="of the dataset" before={beside} />
        </>
      )}
    </Section>
  );
};
