import { datasetTable } from '#model/dataset/tables.ts';
import { fileTopic } from '../../help/help-store.ts';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { Section } from '../form/section.tsx';
import { texts } from '../text.ts';
import { TableFields } from './table-fields.tsx';

export const DatasetSection = ({ raw }: { readonly raw: Raw }) => (
  <Section
    title={texts.datasetSection.dataset}
    help={fileTopic('dataset')}
    about={texts.datasetSection.madeFromTheSeedThe}
  >
    <TableFields
      raw={raw}
      path={['dataset']}
      name={datasetTable}
      whose={texts.datasetSection.ofTheDataset}
      rowsHelp={texts.datasetSection.insertedForReadsUpdatesAnd}
      before={Object.keys(recordAt(raw, ['tables']))}
    />
  </Section>
);
