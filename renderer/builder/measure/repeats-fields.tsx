import { usualRange } from '#experiment/schema/experiment.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { asNumber, isRecord, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { fieldAt } from '../form/form-field.ts';
import { Helped } from '../form/helped.tsx';
import { KeyInput } from '../form/key-input.tsx';
import { editUntil } from './edit-until.ts';

const fixed = 'fixed';
const precise = 'precise';
const choices: readonly Choice[] = [
  { id: fixed, label: 'A fixed number' },
  { id: precise, label: 'Until a precision' },
];

const place = ['measure', 'repeats'] as const;
const precisionAt = ['measure', 'until', 'precision'] as const;

/** The fields of the repeats: a fixed number, or a range with a target precision. A search requires a fixed number. */
export const RepeatsFields = ({ raw }: { readonly raw: Raw }) => {
  const { repeats, search } = recordAt(raw, ['measure']);
  const until = recordAt(raw, ['measure', 'until']);
  const varies = until.precision !== undefined || isRecord(repeats);
  const choose = (id: string) => {
    if ((id === precise) === varies) return;
    if (id === precise) {
      edit(precisionAt, fieldAt(precisionAt).first);
      edit(place, { ...usualRange, max: Math.max(usualRange.max, asNumber(repeats) ?? 0) });
      return;
    }
    edit(['measure', 'budgetSeconds'], undefined);
    editUntil({ ...until, precision: undefined });
    edit(place, isRecord(repeats) ? (asNumber(repeats.min) ?? usualRange.min) : undefined);
  };
  return (
    <>
      {(search === undefined || varies) && (
        <Helped about="How many repeats" help="measure.repeats">
          <Select
            label="How many repeats"
            help="The number of trials of each variant on each target."
            value={varies ? precise : fixed}
            choices={choices}
            onChange={choose}
          />
        </Helped>
      )}
      {varies ? (
        <>
          <KeyInput raw={raw} path={[...place, 'min']} />
          <KeyInput raw={raw} path={[...place, 'max']} />
          <KeyInput raw={raw} path={precisionAt} required />
          <KeyInput raw={raw} path={['measure', 'budgetSeconds']} />
        </>
      ) : (
        <KeyInput
          raw={raw}
          path={place}
          help={search === undefined ? '' : 'How often the loads next to the answer are measured.'}
        />
      )}
    </>
  );
};
