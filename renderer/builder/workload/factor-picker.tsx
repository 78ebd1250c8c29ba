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

/** Everything that can be varied, in groups. Each entry has a line of explanation, which the filter also searches. */
export const FactorPicker = ({ free, engines, onPick, onPickBundle }: Props) => {
  const { contains } = useFilter({ sensitivity: 'base' });
  const groups = [
    ...settingGroups.map(({ title, names }) => ({ title, own: names as readonly string[] })),
    ...engines.map((engine) => ({ title: engine.label, own: optionFields(engine).map(({ name }) => name) })),
  ].flatMap(({ title, own }) => {
    const fields = free.filter(({ name }) => own.includes(name));
    return fields.length === 0 ? [] : [{ title, fields }];
  });
  return (
    <DialogTrigger>
      <Button kind="quiet" icon="plus" aria-label="Add factor">
        Add factor
      </Button>
      <Popover className="popover factor-picker" placement="bottom end">
        <Dialog className="dialog" aria-label="Add factor">
          {({ close }) => (
            <Autocomplete filter={contains}>
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
                        textValue={`${field.title} ${field.name} ${field.description}`}
                      >
                        <span>{field.title}</span>
                        <span className="faint">{asFormText(firstSentence(field.description), {})}</span>
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
                <MenuSection id=" several">
                  <Header className="factor-group">Several at once</Header>
                  <MenuItem
                    id={bundleId}
                    className="menu-item factor-entry"
                    textValue="Several settings at once, as named levels"
                  >
                    <span>Several settings at once, as named levels</span>
                    <span className="faint">Each level has a name and values of several settings.</span>
                  </MenuItem>
                </MenuSection>
              </Menu>
            </Autocomplete>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
};
