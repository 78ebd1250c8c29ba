import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { EntriesTable } from '../form/entries-table.tsx';
import { fieldAt } from '../form/form-field.ts';
import { editUntil, withoutTrialEnd } from './edit-until.ts';

const path = ['measure', 'stages'] as const;

/** The stages of the load: ramps, steps and spikes of the measured phase. */
export const StagesTable = ({ raw }: { readonly raw: Raw }) => (
  <EntriesTable
    raw={raw}
    path={path}
    what="stage"
    label={fieldAt(path).title}
    columns={['name', 'seconds', 'from', 'to']}
    newEntry={() => ({ seconds: fieldAt([...path, 0, 'seconds']).first })}
    // The stages define the length of the measured phase.
    beforeFirst={() => editUntil(withoutTrialEnd(recordAt(raw, ['measure', 'until'])))}
  />
);
