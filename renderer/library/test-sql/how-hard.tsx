import { type NumberEntry, NumberField } from '../../ui/controls/number-field.tsx';
import type { HowHard } from './own-sql.ts';
import { StepTitle } from './step-title.tsx';

/** The numbers of rows that a table may have. */
export const rowRules = { whole: true, min: 1, max: 10_000_000 } as const;

interface Props {
  readonly step: number;
  readonly load: HowHard;
  readonly onChange: (load: HowHard) => void;
  /** Null: Dyno makes no table. */
  readonly rows: NumberEntry | null;
  readonly onRows: (rows: NumberEntry) => void;
}

/** The step with the load: users, seconds, trials and rows. */
export const HowHardStep = ({ step, load, onChange, rows, onRows }: Props) => {
  const number = (key: 'connections' | 'seconds' | 'repeats') => ({
    required: true,
    value: load[key],
    onChange: (value: NumberEntry) => onChange({ ...load, [key]: value }),
  });
  return (
    <section aria-label="How hard" className="test-sql-side test-sql-load">
      <StepTitle step={step} title="How hard" />
      <div className="test-sql-numbers">
        <NumberField label="Users at once" whole min={1} max={10_000} {...number('connections')} />
        <NumberField label="Seconds per trial" min={0.1} max={86_400} {...number('seconds')} />
        <NumberField label="Trials" whole min={1} max={1_000} {...number('repeats')} />
        {rows !== null && (
          <NumberField label="Rows in each table" {...rowRules} required value={rows} onChange={onRows} />
        )}
      </div>
    </section>
  );
};
