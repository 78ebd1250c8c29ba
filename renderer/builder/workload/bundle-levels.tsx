import { useEffect, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { placesIn } from '#experiment/schema/changes.ts';
import { sectionsOf } from '#experiment/schema/levels.ts';
import { renameLevel } from '#experiment/yaml/rename.ts';
import { formatCount } from '#model/format/format.ts';
import { formatPath } from '#model/text/path-text.ts';
import { useStore } from '../../state/store.ts';
import { IconButton } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ActionMenu } from '../../ui/overlays/menu.tsx';
import { flatSettings, isRecord, type KeyPath, type Raw, settingPath } from '../draft/raw-experiment.ts';
import { AddNamed, nameProblem } from '../form/add-named.tsx';
import { edit } from '../form/edit.ts';
import type { FormField } from '../form/form-field.ts';
import { settingFieldOf } from '../form/option-fields.ts';
import { RenameField } from '../form/rename-field.tsx';
import { firstLevels, settingField } from '../form/setting-fields.ts';
import { SettingInput } from '../form/setting-input.tsx';
import { openedLevel } from '../outline/shown-section.ts';
import { LevelChanges } from './level-changes.tsx';
import { EngineSections } from './settings-by-engine.tsx';

/** The settings of a level, and the places that it changes: "fetch size 5, changes statements.search.text". */
function levelText(settings: Raw, change: Raw): string {
  const places = placesIn(change).map(formatPath);
  return [settingsText(settings), ...(places.length > 0 ? [`changes ${places.join(', ')}`] : [])]
    .filter((text) => text !== '')
    .join('; ');
}

const settingsText = (bundle: Raw): string =>
  Object.entries(bundle)
    .map(([key, value]) => {
      const shown = typeof value === 'number' && Number.isInteger(value) ? formatCount(value) : String(value);
      return `${settingField(key)?.title.toLowerCase() ?? key} ${shown}`;
    })
    .join(', ');

interface LevelProps {
  readonly raw: Raw;
  readonly factor: string;
  readonly level: string;
  readonly bundle: Raw;
  readonly free: readonly FormField[];
  readonly engines: readonly EngineDescriptor[];
  /** The names of all levels of the factor. */
  readonly levels: readonly string[];
  readonly open: boolean;
  readonly onToggle: () => void;
}

const Level = ({ raw, factor, level, bundle: nested, free, engines, levels, open, onToggle }: LevelProps) => {
  const bundle = flatSettings(nested);
  const change = sectionsOf(nested);
  const path = (name: string) => ['factors', factor, level, ...settingPath(name)];
  const set = Object.keys(bundle).flatMap((name) => settingFieldOf(name, engines) ?? []);
  const remove = (name: string) => {
    const isLastOption = name.includes('.') && set.filter((one) => one.name.includes('.')).length === 1;
    edit(isLastOption ? ['factors', factor, level, 'options'] : path(name), undefined);
  };
  const more = free.filter(({ name }) => !(name in bundle));
  return (
    <li className="bundle">
      <div className="bundle-line">
        <AriaButton className="bundle-name" aria-expanded={open} aria-label={`Settings of ${level}`} onPress={onToggle}>
          <Icon name="chevron" />
          <span>{level}</span>
        </AriaButton>
        <span className="faint">{levelText(bundle, change)}</span>
        <IconButton
          icon="close"
          label={`Remove level ${level}`}
          isDisabled={levels.length === 1}
          onPress={() => edit(['factors', factor, level], undefined)}
        />
      </div>
      {open && (
        <div className="row level-name">
          <RenameField
            label={`New name of ${level}`}
            hideLabel
            name={level}
            problemOf={(next) => nameProblem(next, levels, () => null)}
            rename={(file, next) => renameLevel(file, factor, level, next)}
            onRenamed={(next) => openedLevel.set({ factor, level: next })}
          />
        </div>
      )}
      {open && (
        <fieldset className="bundle-settings" aria-label={`Settings of ${level}`}>
          {set.map((field) => (
            <div key={field.name} className="bundle-setting">
              <SettingInput
                field={field}
                value={bundle[field.name]}
                onChange={(value) => value !== undefined && edit(path(field.name), value)}
              />
              <IconButton
                icon="close"
                label={`Remove ${field.title} from ${level}`}
                isDisabled={set.length === 1 && Object.keys(change).length === 0}
                onPress={() => remove(field.name)}
              />
            </div>
          ))}
          {more.length > 0 && (
            <ActionMenu
              label={`Add setting to ${level}`}
              text="Add setting"
              icon="plus"
              actions={more.map((field) => ({
                id: field.name,
                label: field.title,
                run: () => edit(path(field.name), firstLevels(field)[0]),
              }))}
            />
          )}
        </fieldset>
      )}
      {open && <EngineSections raw={raw} path={['factors', factor, level]} level={level} />}
      {open && Object.keys(change).length > 0 && (
        <LevelChanges raw={raw} path={['factors', factor, level]} level={level} change={change} />
      )}
    </li>
  );
};

interface Props {
  readonly raw: Raw;
  readonly factor: string;
  readonly bundles: Raw;
  /** The settings and options that the levels may vary, without those of other factors. */
  readonly free: readonly FormField[];
  readonly engines: readonly EngineDescriptor[];
}

/** True for a place and the places below it: a column is below the columns of its table. */
const isWithin = (place: string, above: string): boolean =>
  place === above || place.startsWith(`${above}.`) || place.startsWith(`${above}[`);

/** True for the field of a place, and for that of a part of it: the text of a check. */
const isFieldOf = (place: string, own: string): boolean => isWithin(place, own) || isWithin(own, place);

/**
 * Puts the focus on the value at a path below an element: the first field of an entry that has a row, such as a column,
 * and otherwise the last text field, because an index list has its new index there.
 */
function focusOn(above: HTMLElement, path: KeyPath): void {
  const place = formatPath(path);
  const found = [...above.querySelectorAll<HTMLElement>('[data-place]')].find(
    ({ dataset }) => dataset.place !== undefined && isFieldOf(place, dataset.place),
  );
  const row = [...(found?.querySelectorAll('tr') ?? [])].find(
    (one) => one.querySelector('th')?.title === String(path.at(-1)),
  );
  const field =
    row?.querySelector<HTMLElement>('button, input') ??
    [...(found?.querySelectorAll<HTMLElement>('input[type="text"], [role="textbox"]') ?? [])].at(-1);
  field?.focus();
  // The user's first key replaces the copied value of a short field.
  if (field instanceof HTMLInputElement) field.select();
}

/** Named levels with their settings and their changes of the file. A new level is a copy of the last one. */
export const BundleLevels = ({ raw, factor, bundles, free, engines }: Props) => {
  const opened = useStore(openedLevel);
  const isOpen = (level: string) => opened?.factor === factor && opened.level === level;
  const levels = Object.keys(bundles);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    if (opened?.factor !== factor || opened.place === undefined || !list.current) return;
    focusOn(list.current, opened.place);
    // The level is shown again without taking the focus.
    openedLevel.set({ factor, level: opened.level });
  }, [opened, factor]);
  return (
    <>
      <ul ref={list} aria-label={`Levels of ${factor}`}>
        {Object.entries(bundles).map(([level, bundle]) => (
          <Level
            key={level}
            raw={raw}
            factor={factor}
            level={level}
            bundle={isRecord(bundle) ? bundle : {}}
            free={free}
            engines={engines}
            levels={levels}
            open={isOpen(level)}
            onToggle={() => openedLevel.set(isOpen(level) ? null : { factor, level })}
          />
        ))}
      </ul>
      <AddNamed
        label={`Name of a new level of ${factor}`}
        placeholder="New level"
        taken={levels}
        problemOf={() => null}
        additions={[
          {
            action: 'Add level',
            onAdd: (name) => {
              const last = Object.values(bundles).at(-1);
              edit(['factors', factor, name], isRecord(last) ? last : {});
              openedLevel.set({ factor, level: name });
            },
          },
        ]}
      />
    </>
  );
};
