import { type Choice, NumberField, Select } from '../../ui/fields.tsx';
import { edit } from './edit.ts';
import { numberOf, type Raw, recordAt } from './form-model.ts';
import { Section } from './section.tsx';

const numbers = [
  { key: 'repeats', label: 'Repeats', placeholder: '3', min: 1, help: 'Trials of every variant on every target.' },
  { key: 'seconds', label: 'Seconds', placeholder: '5', min: 0.1, help: 'Measured phase, by time.' },
  { key: 'warmupSeconds', label: 'Warm-up seconds', placeholder: '1', min: 0, help: 'Of trials by time.' },
  { key: 'warmupRows', label: 'Warm-up rows', placeholder: 'a tenth', min: 0, help: 'Of trials by rows.' },
  { key: 'timeoutSeconds', label: 'Time-out, seconds', placeholder: '600', min: 1, help: 'Then “did not finish”.' },
  { key: 'seed', label: 'Seed of the order', placeholder: '1', help: 'Same seed, same order of trials.' },
] as const;

const byDefault = '';
const untilChoices: readonly Choice[] = [
  { id: byDefault, label: 'Default for the operation' },
  { id: 'rows', label: 'All rows are done' },
  { id: 'time', label: 'Time is over' },
];
const orderChoices: readonly Choice[] = [
  { id: byDefault, label: 'Interleaved (default)' },
  { id: 'interleaved', label: 'Interleaved' },
  { id: 'asWritten', label: 'As written' },
];

export const MeasureSection = ({ raw }: { readonly raw: Raw }) => {
  const measure = recordAt(raw, ['measure']);
  const choice = (key: string) => (typeof measure[key] === 'string' ? measure[key] : byDefault);
  const choose = (key: string) => (id: string) => edit(['measure', key], id === byDefault ? undefined : id);
  return (
    <Section title="Measurement">
      <div className="form-grid">
        {numbers.slice(0, 1).map(({ key, ...field }) => (
          <NumberField
            key={key}
            {...field}
            value={numberOf(measure[key])}
            onChange={(value) => edit(['measure', key], value ?? undefined)}
          />
        ))}
        <Select label="A trial ends when" value={choice('until')} choices={untilChoices} onChange={choose('until')} />
        <Select
          label="Order"
          help="Interleaved: drift hits all variants alike."
          value={choice('order')}
          choices={orderChoices}
          onChange={choose('order')}
        />
        {numbers.slice(1).map(({ key, ...field }) => (
          <NumberField
            key={key}
            {...field}
            value={numberOf(measure[key])}
            onChange={(value) => edit(['measure', key], value ?? undefined)}
          />
        ))}
      </div>
    </Section>
  );
};
