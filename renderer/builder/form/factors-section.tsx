import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { IconButton } from '../../ui/button.tsx';
import { ActionMenu } from '../../ui/menu.tsx';
import { BundleLevels } from './bundle-levels.tsx';
import { edit } from './edit.ts';
import { isRecord, type Raw, recordAt, variedBy } from './form-model.ts';
import { AddNumber, LevelChips } from './level-chips.tsx';
import { Section } from './section.tsx';
import { type SettingField, settingField, settingFields } from './setting-fields.ts';

type Level = string | number | boolean;
const isLevel = (value: unknown): value is Level => ['string', 'number', 'boolean'].includes(typeof value);

const Choices = ({ field, levels }: { readonly field: SettingField; readonly levels: readonly Level[] }) => (
  <ToggleButtonGroup
    className="choice-chips"
    aria-label={`Levels of ${field.title}`}
    selectionMode="multiple"
    disallowEmptySelection
    selectedKeys={levels.map(String)}
    onSelectionChange={(keys) =>
      edit(
        ['factors', field.name],
        (field.options ?? []).filter((option) => keys.has(option)),
      )
    }
  >
    {(field.options ?? []).map((option) => (
      <ToggleButton key={option} id={option} className="choice-chip">
        {option}
      </ToggleButton>
    ))}
  </ToggleButtonGroup>
);

interface FactorProps {
  readonly name: string;
  readonly value: unknown;
  readonly free: readonly SettingField[];
}

const Levels = ({ name, title, value, free }: FactorProps & { readonly title: string }) => {
  const field = settingField(name);
  if (isRecord(value)) return <BundleLevels factor={name} bundles={value} free={free} />;
  const levels = Array.isArray(value) ? value.filter(isLevel) : [];
  if (field?.options) return <Choices field={field} levels={levels} />;
  const chips = {
    factor: title,
    levels,
    onChange: (next: readonly Level[]) => edit(['factors', name], next),
  };
  return (
    <div className="row">
      <LevelChips {...chips} />
      <AddNumber {...chips} />
    </div>
  );
};

const Factor = ({ name, value, free }: FactorProps) => {
  const title = settingField(name)?.title ?? name;
  const count = Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0;
  return (
    <div className="factor">
      <div className="factor-head">
        <h3>{title}</h3>
        <span className="faint">{count === 1 ? '1 level' : `${count} levels`}</span>
        <span className="grow" />
        <IconButton icon="trash" label={`Remove factor ${title}`} onPress={() => edit(['factors', name], undefined)} />
      </div>
      <Levels name={name} title={title} value={value} free={free} />
    </div>
  );
};

/** A setting that is varied leaves the workload: it would say nothing there. */
function addFactor(field: SettingField, fixedBefore: boolean): void {
  if (fixedBefore) edit(['workload', field.name], undefined);
  edit(['factors', field.name], field.options ? field.options.slice(0, 2) : [1, Math.min(4, field.max)]);
}

/** Two named levels that differ in one setting; more settings are added to them one by one. */
function addBundle(field: SettingField, factors: Raw, fixedBefore: boolean): void {
  const name =
    ['way', 'way2', 'way3'].find((candidate) => !(candidate in factors)) ?? `way${Object.keys(factors).length}`;
  const [first, second] = field.options ?? [1, Math.min(4, field.max)];
  if (fixedBefore) edit(['workload', field.name], undefined);
  edit(['factors', name], { first: { [field.name]: first }, second: { [field.name]: second } });
}

export const FactorsSection = ({ raw }: { readonly raw: Raw }) => {
  const factors = recordAt(raw, ['factors']);
  const workload = recordAt(raw, ['workload']);
  const freeBeside = (factor: string | null): readonly SettingField[] => {
    const varied = Object.entries(factors).flatMap(([name, levels]) => (name === factor ? [] : variedBy(name, levels)));
    return settingFields.filter(({ name }) => !varied.includes(name));
  };
  const free = freeBeside(null);
  const first = free.find(({ name }) => name === 'method') ?? free[0];
  return (
    <Section
      title="Factors"
      about="Every combination of their levels is a variant."
      actions={
        <ActionMenu
          label="Add factor"
          text="Add factor"
          icon="plus"
          actions={[
            ...free.map((field) => ({
              id: field.name,
              label: field.title,
              run: () => addFactor(field, field.name in workload),
            })),
            ...(first
              ? [
                  {
                    id: ' bundle',
                    label: 'Several settings at once, as named levels',
                    run: () => addBundle(first, factors, first.name in workload),
                  },
                ]
              : []),
          ]}
        />
      }
    >
      {Object.keys(factors).length === 0 ? (
        <p className="muted">
          No factor: one variant, the workload as it stands. Add a factor to compare ways of doing it.
        </p>
      ) : (
        Object.entries(factors).map(([name, value]) => (
          <Factor key={name} name={name} value={value} free={freeBeside(name)} />
        ))
      )}
    </Section>
  );
};
