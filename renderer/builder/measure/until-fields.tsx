import { allRows, trialEnds } from '#experiment/schema/until.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { type NumberEntry, NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { editUntil, withoutTrialEnd } from './edit-until.ts';

type TrialEnd = (typeof trialEnds)[number];

const none = '';
const choices: readonly (Choice & { readonly id: TrialEnd | typeof none })[] = [
  { id: none, label: 'Default for the operation' },
  { id: 'seconds', label: 'After a time' },
  { id: 'rows', label: 'After a number of rows' },
  { id: 'calls', label: 'After a number of calls' },
];

/** Values written for a newly chosen end. */
const usual: Readonly<Record<TrialEnd, unknown>> = { seconds: 5, rows: allRows, calls: 5 };

/** Fields of what ends a trial: nothing of its own, a time, rows or calls. A precision beside it stays. */
export const UntilFields = ({ measure }: { readonly measure: Raw }) => {
  const until = recordAt(measure, ['until']);
  const end = trialEnds.find((one) => until[one] !== undefined) ?? none;
  const choose = (id: string) => {
    if (id === end) return;
    const chosen = trialEnds.find((one) => one === id);
    editUntil({ ...(chosen && { [chosen]: usual[chosen] }), ...withoutTrialEnd(until) });
  };
  const set = (key: TrialEnd) => (value: NumberEntry) => edit(['measure', 'until', key], value ?? usual[key]);
  return (
    <>
      <Helped about="A trial ends" help="measure.until">
        <Select label="A trial ends" value={end} choices={choices} onChange={choose} />
      </Helped>
      {end === 'seconds' && (
        <Helped about="Seconds" help="measure.until.seconds">
          <NumberField
            label="Seconds"
            help="The length of the measured phase."
            unit="s"
            required
            value={asEntry(until.seconds)}
            min={0.1}
            onChange={set('seconds')}
          />
        </Helped>
      )}
      {end === 'rows' && (
        <Helped about="Measured rows" help="measure.until.rows">
          <NumberField
            label="Measured rows"
            help="The number of rows of the measured phase. If empty, all rows of the dataset."
            unit="rows"
            whole
            value={until.rows === allRows ? null : asEntry(until.rows)}
            placeholder="all"
            min={1}
            onChange={set('rows')}
          />
        </Helped>
      )}
      {end === 'calls' && (
        <Helped about="Calls" help="measure.until.calls">
          <NumberField
            label="Calls"
            help="Each call is reported separately."
            unit="calls"
            whole
            required
            value={asEntry(until.calls)}
            min={2}
            onChange={set('calls')}
          />
        </Helped>
      )}
    </>
  );
};
