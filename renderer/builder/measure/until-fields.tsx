import { allRows, trialEndLabels, trialEnds } from '#experiment/schema/until.ts';
import { keysOf } from '#model/keys-of.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { fieldAt } from '../form/form-field.ts';
import { Helped } from '../form/helped.tsx';
import { KeyInput } from '../form/key-input.tsx';
import { editUntil, withoutTrialEnd } from './edit-until.ts';

const place = ['measure', 'until'] as const;
const none = '';
const choices: readonly Choice[] = [
  { id: none, label: 'Default for the operation' },
  ...keysOf(trialEndLabels).map((id) => ({ id, label: trialEndLabels[id] })),
];

/** The fields of a trial's end: none, a time, rows or calls. A precision is kept. */
export const UntilFields = ({ raw }: { readonly raw: Raw }) => {
  const until = recordAt(raw, place);
  const end = trialEnds.find((one) => until[one] !== undefined);
  const { title } = fieldAt(place);
  const choose = (id: string) => {
    if (id === (end ?? none)) return;
    editUntil({ ...(id !== none && { [id]: fieldAt([...place, id]).first }), ...withoutTrialEnd(until) });
  };
  return (
    <>
      <Helped about={title} help="measure.until">
        <Select label={title} value={end ?? none} choices={choices} onChange={choose} />
      </Helped>
      {end && (
        <KeyInput
          raw={raw}
          path={[...place, end]}
          value={until[end] === allRows ? null : until[end]}
          required={end !== 'rows'}
          onChange={(value) => edit([...place, end], value ?? allRows)}
        />
      )}
    </>
  );
};
