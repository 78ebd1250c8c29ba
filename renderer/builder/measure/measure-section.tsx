import { fileTopic } from '../../help/help-store.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asText, isRecord, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { settingFieldOf } from '../form/option-fields.ts';
import { Section } from '../form/section.tsx';
import { useEngines } from '../form/use-engines.ts';
import { RepeatsFields } from './repeats-fields.tsx';
import { SearchFields } from './search-fields.tsx';
import { StagesTable } from './stages-table.tsx';
import { UntilFields } from './until-fields.tsx';

const numbers = [
  {
    key: 'warmupSeconds',
    label: 'Warm-up seconds',
    placeholder: '1',
    unit: 's',
    min: 0,
    help: 'Applies to trials that end after a time.',
  },
  {
    key: 'warmupRows',
    label: 'Warm-up rows',
    placeholder: 'a tenth',
    unit: 'rows',
    whole: true,
    min: 0,
    help: 'Applies to trials that end after a number of rows.',
  },
  {
    key: 'timeoutSeconds',
    label: 'Time-out, seconds',
    placeholder: '600',
    unit: 's',
    min: 1,
    help: 'A longer trial is cancelled and reported as “did not finish”.',
  },
  {
    key: 'leastFreeMib',
    label: 'Least free space, MiB',
    placeholder: '1,024',
    unit: 'MiB',
    min: 0,
    help: 'The run stops when less space is free.',
  },
  {
    key: 'seed',
    label: 'Seed of the order',
    placeholder: '1',
    whole: true,
    help: 'The same seed gives the same order of trials.',
  },
] as const;

const defaultValue = '';
const orderChoices: readonly Choice[] = [
  { id: defaultValue, label: 'Interleaved (default)' },
  { id: 'interleaved', label: 'Interleaved' },
  { id: 'declared', label: 'As written' },
];

/** A select for each part of the baseline, with its levels; parts and levels that the file has lost are shown, too. */
const Baseline = ({ raw }: { readonly raw: Raw }) => {
  const baseline = recordAt(raw, ['baseline']);
  const engines = useEngines(raw).all;
  const titleOf = (part: string): string => {
    const title = settingFieldOf(part, engines)?.title ?? part;
    // A setting's title continues the label in lower case; an option's begins with the name of its engine.
    return part.includes('.') ? title : title.toLowerCase();
  };
  const parts: Readonly<Record<string, readonly unknown[]>> = {
    target: listAt(raw, ['targets']).map((target) => (isRecord(target) ? target.name : target)),
    ...Object.fromEntries(
      Object.entries(recordAt(raw, ['factors'])).map(([factor, levels]) => [
        factor,
        isRecord(levels) ? Object.keys(levels) : Array.isArray(levels) ? (levels as readonly unknown[]) : [],
      ]),
    ),
  };
  const gone = Object.keys(baseline).filter((part) => !Object.hasOwn(parts, part));
  const set = (part: string, value: unknown) => {
    const left = { ...baseline, [part]: value };
    if (Object.values(left).every((one) => one === undefined)) edit(['baseline'], undefined);
    else edit(['baseline', part], value);
  };
  return [...Object.keys(parts), ...gone].map((part) => {
    const known = parts[part] ?? [];
    const chosen = baseline[part];
    const missing = chosen !== undefined && !known.some((level) => String(level) === String(chosen));
    const title = part === 'target' ? 'target' : titleOf(part);
    return (
      <Helped key={part} about={`Baseline: ${title}`} help="baseline">
        <Select
          label={`Baseline: ${title}`}
          help={
            missing
              ? 'This level is no longer in the file.'
              : part === 'target'
                ? 'Ratios are relative to this level.'
                : undefined
          }
          value={chosen === undefined ? defaultValue : asText(chosen)}
          choices={[
            { id: defaultValue, label: 'Default' },
            ...[...known, ...(missing ? [chosen] : [])].map((level) => ({ id: asText(level), label: asText(level) })),
          ]}
          onChange={(id) =>
            set(
              part,
              known.find((level) => asText(level) === id),
            )
          }
        />
      </Helped>
    );
  });
};

export const MeasureSection = ({ raw }: { readonly raw: Raw }) => {
  const measure = recordAt(raw, ['measure']);
  const choice = (key: string) => (typeof measure[key] === 'string' ? measure[key] : defaultValue);
  const choose = (key: string) => (id: string) => edit(['measure', key], id === defaultValue ? undefined : id);
  return (
    <Section title="Measurement" help={fileTopic('measure')}>
      <div className="form-grid">
        <SearchFields raw={raw} />
        <RepeatsFields measure={measure} />
        <UntilFields measure={measure} />
        <Helped about="Order" help="measure.order">
          <Select
            label="Order"
            help="Interleaved order spreads drift over all variants."
            value={choice('order')}
            choices={orderChoices}
            onChange={choose('order')}
          />
        </Helped>
        {numbers.map(({ key, ...field }) => (
          <Helped key={key} about={field.label} help={`measure.${key}`}>
            <NumberField
              {...field}
              value={asEntry(measure[key])}
              onChange={(value) => edit(['measure', key], value ?? undefined)}
            />
          </Helped>
        ))}
        <Baseline raw={raw} />
      </div>
      <StagesTable raw={raw} />
    </Section>
  );
};
