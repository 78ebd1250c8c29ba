import { datasetTable } from '#model/dataset/tables.ts';
import { fileTopic } from '../../help/help-store.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { Section } from '../form/section.tsx';
import { TableFields } from './table-fields.tsx';

export const DatasetSection = ({ raw }: { readonly raw: Raw }) => (
  <Section
    title="Dataset"
    help={fileTopic('dataset')}
    about="The rows are generated from the seed, and are the same on every target."
  >
    <TableFields
      raw={raw}
      path={['dataset']}
      name={datasetTable}
      whose="of the dataset"
      before={Object.keys(recordAt(raw, ['tables']))}
    />
  </Section>
);
