import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asNumber, isRecord, type Raw, recordAt, scaled } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { texts } from '../text.ts';
import { editUntil } from './edit-until.ts';

const fixed = 'fixed';
const precise = 'precise';
const choices: readonly Choice[] = [
  { id: fixed, label: texts.repeatsFields.aFixedNumber },
  { id: precise, label: texts.repeatsFields.untilTheTargetPrecision },
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
        <Helped about={texts.repeatsFields.howManyRepeats} help="measure.repeats">
          <Select
            label={texts.repeatsFields.howManyRepeats}
            help={texts.repeatsFields.trialsOfEveryVariantOn}
            value={varies ? precise : fixed}
            choices={choices}
            onChange={choose}
          />
        </Helped>
      )}
      {varies ? (
        <>
          <Helped about={texts.repeatsFields.minimumRepeats} help="measure.repeats.min">
            <NumberField
              label={texts.repeatsFields.minimumRepeats}
              help={texts.repeatsFields.beforeTheFirstCheckOf}
              value={asEntry(written.min)}
              placeholder={String(range.min)}
              whole
              min={2}
              onChange={(value) => edit(['measure', 'repeats', 'min'], value ?? undefined)}
            />
          </Helped>
          <Helped about={texts.repeatsFields.maximumRepeats} help="measure.repeats.max">
            <NumberField
              label={texts.repeatsFields.maximumRepeats}
              value={asEntry(written.max)}
              placeholder={String(range.max)}
              whole
              min={2}
              onChange={(value) => edit(['measure', 'repeats', 'max'], value ?? undefined)}
            />
          </Helped>
          <Helped about={texts.repeatsFields.targetPrecision} help="measure.until.precision">
            <NumberField
              label={texts.repeatsFields.targetPrecision}
              help={texts.repeatsFields.n95IntervalsOfRatiosTo}
              value={scaled(asEntry(precision), 100)}
              unit="%"
              required
              min={0.1}
              max={50}
              onChange={(value) => edit(precisionAt, scaled(value, 0.01))}
            />
          </Helped>
          <Helped about={texts.repeatsFields.budgetSeconds} help="measure.budgetSeconds">
            <NumberField
              label={texts.repeatsFields.budgetSeconds}
              help={texts.repeatsFields.noRoundOfTrialsBegins}
              value={asEntry(measure.budgetSeconds)}
              placeholder={texts.repeatsFields.none}
              unit="s"
              min={1}
              onChange={(value) => edit(['measure', 'budgetSeconds'], value ?? undefined)}
            />
          </Helped>
        </>
      ) : (
        <Helped about={texts.repeatsFields.repeats} help="measure.repeats">
          <NumberField
            label={texts.repeatsFields.repeats}
            help={search === undefined ? undefined : texts.repeatsFields.ofTheLoadsNextTo}
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
