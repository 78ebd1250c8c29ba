import { useState } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Header, Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Input, SearchField } from 'react-aria-components/SearchField';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { settingGroups } from '#model/settings/settings.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { FormField } from '../form/form-field.ts';
import { optionFields } from '../form/option-fields.ts';
import { asFormText, firstSentence } from '../form-text.ts';

interface Props {
  /** The settings and options that no factor varies yet. */
  readonly free: readonly FormField[];
  /** The engines of the experiment's targets. */
  readonly engines: readonly EngineDescriptor[];
  readonly onPick: (field: FormField) => void;
  /** Adds named levels of several settings. */
  readonly onPickBundle: () => void;
}

const bundleId = ' bundle';

/** The factors that most experiments of the gallery vary. */
const usual: readonly string[] = ['method', 'connections', 'rowsPerCall', 'callsPerCommit', 'load'];

interface Group {
  readonly title: string;
  readonly fields: readonly FormField[];
}

/** All factors, those that are used most first, the others in groups. */
function groupsOf(free: readonly FormField[], engines: readonly EngineDescriptor[]): readonly Group[] {
  return [
    { title: 'Used most', own: usual },
    ...settingGroups.map(({ title, names }) => ({ title, own: names as readonly string[] })),
    ...engines.map((engine) => ({ title: engine.label, own: optionFields(engine).map(({ name }) => name) })),
  ].map(({ title, own }) => ({
    title,
    fields: free
      .filter(({ name }) => own.includes(name) && (own === usual || !usual.includes(name)))
      .toSorted((a, b) => usual.indexOf(a.name) - usual.indexOf(b.name)),
  }));
}

/** The factors that contain a text: those that have it in their name, and those that have it in their description. */
function foundIn(
  free: readonly FormField[],
  contains: (text: string) => boolean,
  begins: (text: string) => boolean,
): readonly Group[] {
  // A key of the file is found by its beginning, because it has no spaces between its words.
  const isNamed = ({ title, name }: FormField) => contains(title) || begins(name);
  const named = free.filter(isNamed);
  return [
    {
      title: 'Found in the name',
      fields: [...named.filter(({ title }) => begins(title)), ...named.filter(({ title }) => !begins(title))],
    },
    {
      title: 'Found in the description',
      fields: free.filter((field) => !isNamed(field) && contains(field.description)),
    },
  ];
}

const bundleTitle = 'Several settings at once, as named levels';

/** Everything that can be varied. Each entry has a line of explanation; the search looks at the names first. */
export const FactorPicker = ({ free, engines, onPick, onPickBundle }: Props) => {
  const [typed, setTyped] = useState('');
  const { contains, startsWith } = useFilter({ sensitivity: 'base' });
  const text = typed.trim();
  const groups = (
    text === ''
      ? groupsOf(free, engines)
      : foundIn(
          free,
          (one) => contains(one, text),
          (one) => startsWith(one, text),
        )
  ).filter(({ fields }) => fields.length > 0);
  return (
    <DialogTrigger onOpenChange={() => setTyped('')}>
      <Button kind="quiet" icon="plus" aria-label="Add factor">
        Add factor
      </Button>
      <Popover className="popover factor-picker" placement="bottom end">
        <Dialog className="dialog" aria-label="Add factor">
          {({ close }) => (
            <Autocomplete filter={() => true} inputValue={typed} onInputChange={setTyped}>
              <SearchField className="search" aria-label="Search factors" autoFocus>
                <Icon name="search" />
                <Input className="input" placeholder={`Search ${free.length} factors`} />
              </SearchField>
              <Menu
                className="menu factor-list"
                aria-label="Factors"
                renderEmptyState={() => <p className="palette-empty">No matches.</p>}
                onAction={(id) => {
                  close();
                  const field = free.find(({ name }) => name === id);
                  if (field) onPick(field);
                  else onPickBundle();
                }}
              >
                {groups.map(({ title, fields }) => (
                  <MenuSection key={title} id={title}>
                    <Header className="factor-group">{title}</Header>
                    {fields.map((field) => (
                      <MenuItem
                        key={field.name}
                        id={field.name}
                        className="menu-item factor-entry"
                        textValue={field.title}
                      >
                        <span>{field.title}</span>
                        <span className="faint">{asFormText(firstSentence(field.description), {})}</span>
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
                {(text === '' || contains(bundleTitle, text)) && (
                  <MenuSection id=" several">
                    <Header className="factor-group">Several at once</Header>
                    <MenuItem id={bundleId} className="menu-item factor-entry" textValue={bundleTitle}>
                      <span>{bundleTitle}</span>
                      <span className="faint">Each level has a name and values of several settings.</span>
                    </MenuItem>
                  </MenuSection>
                )}
              </Menu>
            </Autocomplete>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
};
