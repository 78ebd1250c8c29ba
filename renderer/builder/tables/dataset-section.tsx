import { datasetTable } from '#model/dataset/tables.ts';
import { fileTopic } from '../../help/help-store.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { Section } from '../form/section.tsx';
import { TableFields } from './table-fields.tsx';

export const DatasetSection = ({ raw }: { readonly raw: Raw }) => (
  <Section title="Dataset" help={fileTopic('dataset')} about="Made from the seed: the same rows on every target.">
    <TableFields
      raw={raw}
      path={['dataset']}
      name={datasetTable}
      whose="of the dataset"
      rowsHelp="Inserted; for reads, updates and deletes loaded before the measurement."
      before={Object.keys(recordAt(raw, ['tables']))}
    />
  </Section>
);
