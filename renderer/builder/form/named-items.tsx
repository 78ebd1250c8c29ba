import { Fragment, type ReactNode, useState } from 'react';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { sentence } from '#model/format/sentence.ts';
import { fileTopic } from '../../help/help-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Tabs } from '../../ui/display/tabs.tsx';
import { type Raw, recordAt } from '../draft/raw-experiment.ts';
import { AddNamed, nameProblem } from './add-named.tsx';
import { edit } from './edit.ts';
import { RenameField } from './rename-field.tsx';
import { Section } from './section.tsx';

/** A section of the file with named items. */
type ItemSection = 'tables' | 'setup' | 'teardown' | 'checks' | 'statements' | 'transactions' | 'scenarios';

interface Props {
  readonly raw: Raw;
  readonly title: string;
  readonly about: string;
  /**
   * The sections of the file with the value of a new item, or a function of its name, the default section first. Null
   * if no item can be added yet.
   */
  readonly sections: Partial<Readonly<Record<ItemSection, unknown>>>;
  /** The section is shown for every workload. Default: only for custom statements, or where it has items. */
  readonly isAlwaysShown?: boolean;
  /** The reason why no item can be added to the sections with null. */
  readonly lack?: string;
  /** A remark after the name of an item, such as its share of the calls. */
  readonly noteOf?: (section: ItemSection, name: string) => string;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly placeholder: string;
  /** The reason why a name is not allowed; null if it is. */
  readonly problemOf: (name: string) => string | null;
  /** Returns the file with an item renamed. */
  readonly rename: (file: YamlSource, old: string, name: string) => YamlSource;
  /** The fields of an item. `names` are the names of all items, in file order. */
  readonly children: (section: ItemSection, name: string, names: readonly string[]) => ReactNode;
}

const noun = (section: string): string =>
  section === 'setup' || section === 'teardown' ? `statement of ${section}` : section.slice(0, -1);
/** The value of a new item. */
const firstOf = (made: unknown, name: string): unknown => (typeof made === 'function' ? made(name) : made);
const all = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const any = new Intl.ListFormat('en-GB', { type: 'disjunction' });

interface ToolsProps extends Pick<Props, 'rename' | 'problemOf'> {
  readonly section: ItemSection;
  readonly name: string;
  readonly isAlone: boolean;
  readonly onRenamed: (name: string) => void;
}

/** Renames or removes an item. */
const Tools = ({ section, name, isAlone, problemOf, rename, onRenamed }: ToolsProps) => (
  <div className="row add-column named-tools">
    <RenameField
      label={`New name of ${name}`}
      hideLabel
      name={name}
      problemOf={problemOf}
      rename={(file, next) => rename(file, name, next)}
      onRenamed={onRenamed}
    />
    <Button kind="quiet" icon="trash" onPress={() => edit(isAlone ? [section] : [section, name], undefined)}>
      {`Remove ${noun(section)}`}
    </Button>
  </div>
);

/** The named items of a section, one tab each. A workload without custom statements may show none. */
export const NamedItems = (props: Props) => {
  const { raw, title, about, sections, lack = '', noteOf, placeholder, problemOf, rename, actions, children } = props;
  const [selected, setSelected] = useState('');
  const kinds = Object.keys(sections) as ItemSection[];
  const [usual] = kinds;
  const items = kinds.flatMap((section) => Object.keys(recordAt(raw, [section])).map((name) => ({ section, name })));
  const names = items.map(({ name }) => name);
  if (!props.isAlwaysShown && names.length === 0 && recordAt(raw, ['workload']).operation !== 'statement') return null;
  const chosen = names.includes(selected) ? selected : (names[0] ?? '');
  return (
    <Section title={title} help={fileTopic(usual ?? '')} about={about} actions={actions}>
      <AddNamed
        label={`Name of a new ${any.format(kinds.map(noun))}`}
        placeholder={placeholder}
        taken={names}
        problemOf={problemOf}
        additions={kinds.map((section) => ({
          action: `Add ${noun(section)}`,
          lack: sections[section] === null ? lack : undefined,
          onAdd: (name) => {
            edit([section, name], firstOf(sections[section], name));
            setSelected(name);
          },
        }))}
      />
      {names.length > 0 && (
        <Tabs
          label={sentence(all.format(kinds))}
          selected={chosen}
          onSelect={setSelected}
          items={items.map(({ section, name }) => ({
            id: name,
            label: name,
            note: [section === usual ? '' : noun(section), noteOf?.(section, name) ?? ''].join(' ').trim(),
            content: (
              <Fragment key={name}>
                <Tools
                  section={section}
                  name={name}
                  isAlone={Object.keys(recordAt(raw, [section])).length === 1}
                  problemOf={(next) => nameProblem(next, names, problemOf)}
                  rename={rename}
                  onRenamed={setSelected}
                />
                {children(section, name, names)}
              </Fragment>
            ),
          }))}
        />
      )}
    </Section>
  );
};
