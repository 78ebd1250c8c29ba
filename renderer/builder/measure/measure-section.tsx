import { fileTopic } from '../../help/help-store.ts';
import { type Choice, Select } from '../../ui/controls/fields.tsx';
import { NumberField } from '../../ui/controls/number-field.tsx';
import { asEntry, asText, isRecord, listAt, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { settingFieldOf } from '../form/option-fields.ts';
import { Section } from '../form/section.tsx';
import { useEngines } from '../form/use-engines.ts';
import { texts } from '../text.ts';
import { RepeatsFields } from './repeats-fields.tsx';
import { SearchFields } from './search-fields.tsx';
import { StagesTable } from './stages-table.tsx';
import { UntilFields } from './until-fields.tsx';

const numbers = [
  {
    key: 'warmupSeconds',
    label: texts.measureSection.warmUpSeconds,
    placeholder: '1',
    unit: 's',
    min: 0,
    help: texts.measureSection.forTrialsByTime,
  },
  {
    key: 'warmupRows',
    label: texts.measureSection.warmUpRows,
    placeholder: texts.measureSection.aTenth,
    unit: 'rows',
    whole: true,
    min: 0,
    help: texts.measureSection.forTrialsByRows,
  },
  {
    key: 'timeoutSeconds',
    label: texts.measureSection.timeOutSeconds,
    placeholder: '600',
    unit: 's',
    min: 1,
    help: texts.measureSection.thenDidNotFinish,
  },
  {
    key: 'leastFreeMib',
    label: texts.measureSection.leastFreeSpaceMib,
    placeholder: '1,024',
    unit: 'MiB',
    min: 0,
    help: texts.measureSection.thenTheRunEndsItself,
  },
  {
    key: 'seed',
    label: texts.measureSection.seedOfTheOrder,
    placeholder: '1',
    whole: true,
    help: texts.measureSection.sameSeedSameOrderOf,
  },
] as const;

const defaultValue = '';
const orderChoices: readonly Choice[] = [
  { id: defaultValue, label: texts.measureSection.interleavedDefault },
  { id: 'interleaved', label: texts.measureSection.interleaved },
  { id: 'declared', label: texts.measureSection.asWritten },
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
      <Helped key={part} about={texts.measureSection.baseline(title)} help="baseline">
        <Select
          label={texts.measureSection.baseline(title)}
          help={
            missing
              ? texts.measureSection.theFileHasNoSuch
              : part === 'target'
                ? texts.measureSection.whatRatiosReferTo
                : undefined
          }
          value={chosen === undefined ? defaultValue : asText(chosen)}
          choices={[
            { id: defaultValue, label: texts.measureSection.default },
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
    <Section title={texts.measureSection.measurement} help={fileTopic('measure')}>
      <div className="form-grid">
        <SearchFields raw={raw} />
        <RepeatsFields measure={measure} />
        <UntilFields measure={measure} />
        <Helped about={texts.measureSection.order} help="measure.order">
          <Select
            label={texts.measureSection.order}
            help={texts.measureSection.interleavedDriftHitsAllVariants}
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
