import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asNumber, isRecord, type Raw, recordAt, scaled } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { editUntil } from './edit-until.ts';

const fixed = 'fixed';
const precise = 'precise';
const choices: readonly Choice[] = [
  { id: fixed, label: 'A fixed number' },
  { id: precise, label: 'Until the target precision' },
];

/** Values written for varying repeats. Five is the least for a bootstrap interval. */
const range = { min: 5, max: 30 };
const usualPrecision = 0.03;
const precisionAt = ['measure', 'until', 'precision'] as const;

/** Fields of the repeats: a fixed number, or a range with a target precision. A search needs a number. */
export const RepeatsFields = ({ measure }: { readonly measure: Raw }) => {
  const { repeats, search } = measure;
  const until = recordAt(measure, ['until']);
  const { precision } = until;
  const varies = precision !== undefined || isRecord(repeats);
  const written = isRecord(repeats) ? repeats : {};
  const choose = (id: string) => {
    if ((id === precise) === varies) return;
    if (id === precise) {
      const most = Math.max(range.max, asNumber(repeats) ?? 0);
      edit(precisionAt, usualPrecision);
      edit(['measure', 'repeats'], { ...range, max: most });
      return;
    }
    edit(['measure', 'budgetSeconds'], undefined);
    editUntil({ ...until, precision: undefined });
    edit(['measure', 'repeats'], isRecord(repeats) ? (asNumber(repeats.min) ?? range.min) : undefined);
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
          <Helped about="Minimum repeats" help="measure.repeats.min">
            <NumberField
              label="Minimum repeats"
              help="Dyno checks the intervals for the first time after these repeats."
              value={asEntry(written.min)}
              placeholder={String(range.min)}
              whole
              min={2}
              onChange={(value) => edit(['measure', 'repeats', 'min'], value ?? undefined)}
            />
          </Helped>
          <Helped about="Maximum repeats" help="measure.repeats.max">
            <NumberField
              label="Maximum repeats"
              value={asEntry(written.max)}
              placeholder={String(range.max)}
              whole
              min={2}
              onChange={(value) => edit(['measure', 'repeats', 'max'], value ?? undefined)}
            />
          </Helped>
          <Helped about="Target precision, ± %" help="measure.until.precision">
            <NumberField
              label="Target precision, ± %"
              help="Dyno stops when the 95 % intervals are this narrow: those of the ratios to the baseline, or of the throughput if there is no baseline."
              value={scaled(asEntry(precision), 100)}
              unit="%"
              required
              min={0.1}
              max={50}
              onChange={(value) => edit(precisionAt, scaled(value, 0.01))}
            />
          </Helped>
          <Helped about="Budget, seconds" help="measure.budgetSeconds">
            <NumberField
              label="Budget, seconds"
              help="No new round starts if it would exceed this time."
              value={asEntry(measure.budgetSeconds)}
              placeholder="none"
              unit="s"
              min={1}
              onChange={(value) => edit(['measure', 'budgetSeconds'], value ?? undefined)}
            />
          </Helped>
        </>
      ) : (
        <Helped about="Repeats" help="measure.repeats">
          <NumberField
            label="Repeats"
            help={search === undefined ? undefined : 'The repeats of the loads next to the answer.'}
            value={asEntry(repeats)}
            placeholder="3"
            whole
            min={1}
            onChange={(value) => edit(['measure', 'repeats'], value ?? undefined)}
          />
        </Helped>
      )}
    </>
  );
};
