import { useEffect, useRef } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { HelpButton } from '../../help/help-button.tsx';
import { fileTopic, methodTopic, settingTopic } from '../../help/help-store.ts';
import type { Topic } from '../../help/passages.ts';
import { useStore } from '../../state/store.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { flatSettings, isRecord, type Raw, recordAt, variedBy } from '../draft/raw-experiment.ts';
import { edit, editAll } from '../form/edit.ts';
import type { FormField } from '../form/form-field.ts';
import { optionFields, settingFieldOf } from '../form/option-fields.ts';
import { Section } from '../form/section.tsx';
import { choiceText, firstLevels, isLevel, type Level, levelOf, settingFields } from '../form/setting-fields.ts';
import { useEngines } from '../form/use-engines.ts';
import { openedLevel } from '../outline/shown-section.ts';
import { addFactor, withoutSetting } from '../variants/vary-setting.tsx';
import { BundleLevels } from './bundle-levels.tsx';
import { FactorPicker } from './factor-picker.tsx';
import { AddNumber, AddText, LevelChips } from './level-chips.tsx';

const Choices = ({ field, levels }: { readonly field: FormField; readonly levels: readonly Level[] }) => (
  <ToggleButtonGroup
    className="choice-chips"
    aria-label={`Levels of ${field.title}`}
    selectionMode="multiple"
    disallowEmptySelection
    selectedKeys={levels.map(String)}
    onSelectionChange={(keys) =>
      edit(
        ['factors', field.name],
        field.options.filter((option) => keys.has(option)).map((option) => levelOf(field, option)),
      )
    }
  >
    {field.options.map((option) => (
      <ToggleButton key={option} id={option} className="choice-chip">
        {choiceText(field, option)}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);

interface FactorProps {
  readonly raw: Raw;
  readonly name: string;
  readonly value: unknown;
  readonly free: readonly FormField[];
  readonly engines: readonly EngineDescriptor[];
}

const Levels = ({ raw, name, title, value, free, engines }: FactorProps & { readonly title: string }) => {
  const field = settingFieldOf(name, engines);
  if (isRecord(value)) return <BundleLevels raw={raw} factor={name} bundles={value} free={free} engines={engines} />;
  const levels = Array.isArray(value) ? value.filter(isLevel) : [];
  if (field?.kind === 'choice') return <Choices field={field} levels={levels} />;
  const chips = {
    factor: title,
    levels,
    onChange: (next: readonly Level[]) => edit(['factors', name], next),
  };
  return (
    <div className="row">
      <LevelChips {...chips} />
      {field?.kind === 'text' ? <AddText {...chips} /> : <AddNumber {...chips} rules={field?.numbers ?? {}} />}
    </div>
  );
};

/** A bundle has no single setting. Methods are explained for all engines in one place. */
const topicOf = (name: string, value: unknown): Topic =>
  isRecord(value) ? fileTopic('factors') : name === 'method' ? methodTopic : settingTopic(name);

const Factor = ({ raw, name, value, free, engines }: FactorProps) => {
  const title = settingFieldOf(name, engines)?.title ?? name;
  const own = useRef<HTMLDivElement>(null);
  const opened = useStore(openedLevel);
  useEffect(() => {
    if (opened?.factor !== name || opened.level !== null) return;
    (own.current?.querySelector('input') ?? own.current?.querySelector<HTMLElement>('.choice-chip'))?.focus();
    openedLevel.set(null);
  }, [opened, name]);
  const count = Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0;
  return (
    <div ref={own} className="factor">
      <div className="factor-head">
        <h3>{title}</h3>
        <HelpButton about={title} topic={topicOf(name, value)} />
        <span className="faint">{count === 1 ? '1 level' : `${count} levels`}</span>
        <span className="grow" />
        <IconButton icon="trash" label={`Remove factor ${title}`} onPress={() => edit(['factors', name], undefined)} />
      </div>
      <Levels raw={raw} name={name} title={title} value={value} free={free} engines={engines} />
    </div>
  );
};

/** Adds a factor with two named levels that differ in one setting. The user can add more settings. */
function addBundle(field: FormField, factors: Raw, workload: Raw): void {
  const name =
    ['combination', 'combination2'].find((candidate) => !(candidate in factors)) ??
    `combination${Object.keys(factors).length}`;
  const [first, second] = firstLevels(field, flatSettings(workload)[field.name]);
  const levels = { first: { [field.name]: first }, second: { [field.name]: second } };
  editAll([...withoutSetting(field.name, workload), { path: ['factors', name], value: levels }]);
}

export const FactorsSection = ({ raw }: { readonly raw: Raw }) => {
  const factors = recordAt(raw, ['factors']);
  const workload = recordAt(raw, ['workload']);
  const { all, used } = useEngines(raw);
  const allFields = [...settingFields, ...used.flatMap(optionFields)];
  const freeBeside = (factor: string | null): readonly FormField[] => {
    const varied = Object.entries(factors).flatMap(([name, levels]) => (name === factor ? [] : variedBy(name, levels)));
    return allFields.filter(({ name }) => !varied.includes(name));
  };
  const free = freeBeside(null);
  const first = free.find(({ name }) => name === 'method') ?? free[0];
  return (
    <Section
      title="Factors"
      help={fileTopic('factors')}
      about="Every combination of levels is a variant."
      actions={
        <FactorPicker
          free={free}
          engines={used}
          onPick={(field) => addFactor(field, workload)}
          onPickBundle={() => first && addBundle(first, factors, workload)}
        />
      }
    >
      {Object.keys(factors).length === 0 ? (
        <p className="muted">
          Without factors there is one variant, the workload itself. Add a factor to compare several values.
        </p>
      ) : (
        Object.entries(factors).map(([name, value]) => (
          <Factor key={name} raw={raw} name={name} value={value} free={freeBeside(name)} engines={all} />
        ))
      )}
    </Section>
  );
};
