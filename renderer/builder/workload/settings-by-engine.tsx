import { useState } from 'react';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { serverParameterProblem } from '#engine-api/support/server-parameters.ts';
import { sessionSettingProblem } from '#engine-api/support/session-settings.ts';
import { formatPath } from '#model/text/path-text.ts';
import { HelpButton } from '../../help/help-button.tsx';
import { fileTopic } from '../../help/help-store.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Select, TextField } from '../../ui/controls/fields.tsx';
import { GridTable } from '../../ui/display/grid-table.tsx';
import { type KeyPath, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { Fold } from '../form/fold.tsx';
import { useEngines } from '../form/use-engines.ts';
import { AddVariant } from '../variants/add-variant.tsx';

type SectionName = 'session' | 'server';

const words = {
  session: {
    title: 'Settings of sessions',
    what: 'setting',
    example: 'work_mem',
    about: 'Each session makes them after its login, for itself alone.',
  },
  server: {
    title: 'Parameters of servers',
    what: 'parameter',
    example: 'shared_buffers',
    about:
      'Servers that Dyno manages start with them: each set has a server of the run’s own. On a connection of yours, the run changes them while the server runs, after you type its name, and gives the earlier values back.',
  },
} as const;

const takes = (section: SectionName, { sessionSettings, serverParameters }: EngineDescriptor): boolean =>
  (section === 'session' ? sessionSettings : serverParameters) !== undefined;

/** The reason why an engine does not take the value, as a sentence; null: it does, as far as Dyno can tell. */
const problemOf = (section: SectionName, engine: EngineDescriptor, name: string, value: string): string | null =>
  section === 'session' ? sessionSettingProblem(engine, name, value) : serverParameterProblem(engine, name, value);

/** A text as YAML would have it: digits are a number, unless they begin with a zero that the number would lose. */
const typed = (text: string): string | number => (/^(0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

interface ValueProps {
  readonly name: string;
  readonly value: string;
  readonly problem: string | null;
  readonly onChange: (value: string) => void;
}

/** The value of a row. The file keeps the last one while the field is empty. */
const ValueField = ({ name, value, problem, onChange }: ValueProps) => {
  const [isEmpty, setEmpty] = useState(false);
  return (
    <TextField
      label={`Value of ${name}`}
      hideLabel
      value={isEmpty ? '' : value}
      problem={isEmpty ? 'A value is needed here.' : (problem ?? undefined)}
      onChange={(next) => {
        setEmpty(next === '');
        if (next !== '') onChange(next);
      }}
    />
  );
};

interface Props {
  readonly raw: Raw;
  /** The path of the level in the file. Empty: the file itself. */
  readonly path: KeyPath;
  readonly section: SectionName;
  /** The level in labels. Absent: the file itself. */
  readonly level?: string;
}

/** One of the sections by engine, of the file or of a level: a row for each value, and a line that adds one. */
const SettingsByEngine = ({ raw, path, section, level }: Props) => {
  const { all, used } = useEngines(raw);
  const { title, what, example } = words[section];
  const set = recordAt(raw, [...path, section]);
  const rows = Object.keys(set).flatMap((engine) =>
    Object.entries(recordAt(set, [engine])).map(([name, value]) => ({ engine, name, value })),
  );
  const choices = used.filter((engine) => takes(section, engine));
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  if (rows.length === 0 && choices.length === 0) return null;
  const engine = choices.find(({ id }) => id === chosen) ?? choices[0];
  const label = level === undefined ? title : `${title} in ${level}`;
  const nameProblem = engine && name !== '' ? problemOf(section, engine, name, value || '0') : null;
  const isReady = engine !== undefined && name !== '' && value !== '' && nameProblem === null;
  const add = () => {
    if (!isReady) return;
    edit([...path, section, engine.id, name], typed(value));
    setName('');
    setValue('');
  };
  const remove = (of: string, one: string) => {
    const isLast = rows.length === 1;
    // A level stays when it changes nothing more.
    if (isLast && path.length > 0 && Object.keys(recordAt(raw, path)).length === 1) edit(path, {});
    else if (isLast) edit([...path, section], undefined);
    else if (rows.every((row) => row.engine !== of || row.name === one)) edit([...path, section, of], undefined);
    else edit([...path, section, of, one], undefined);
  };
  return (
    <div>
      {rows.length > 0 && (
        <GridTable
          label={label}
          className="columns-table"
          columns={[
            ...['Engine', `Name of the ${what}`, 'Value'],
            ...(level === undefined ? [{ title: 'Variant', kind: 'hidden' } as const] : []),
            { title: 'Remove', kind: 'hidden' },
          ]}
        >
          {rows.map((row) => {
            const own = all.find(({ id }) => id === row.engine);
            return (
              <tr key={`${row.engine} ${row.name}`}>
                <td className="beside-field">{own?.label ?? row.engine}</td>
                <th scope="row" className="mono">
                  {row.name}
                </th>
                <td data-place={formatPath([section, row.engine, row.name])}>
                  <ValueField
                    name={row.name}
                    value={String(row.value)}
                    problem={own ? problemOf(section, own, row.name, String(row.value)) : null}
                    onChange={(next) => edit([...path, section, row.engine, row.name], typed(next))}
                  />
                </td>
                {level === undefined && (
                  <td>
                    <AddVariant
                      raw={raw}
                      title={row.name}
                      path={[section, row.engine, row.name]}
                      value={row.value}
                      label={`Add a variant of ${what} ${row.name}`}
                    />
                  </td>
                )}
                <td>
                  <IconButton
                    icon="trash"
                    label={`Remove ${what} ${row.name}`}
                    onPress={() => remove(row.engine, row.name)}
                  />
                </td>
              </tr>
            );
          })}
        </GridTable>
      )}
      {engine && (
        <form
          className="row add-column"
          onSubmit={(event) => {
            event.preventDefault();
            add();
          }}
        >
          {choices.length > 1 && (
            <Select
              label={`Engine of a new ${what}`}
              hideLabel
              value={engine.id}
              choices={choices.map(({ id, label: text }) => ({ id, label: text }))}
              onChange={setChosen}
            />
          )}
          <TextField
            label={`Name of a new ${what}`}
            hideLabel
            placeholder={example}
            value={name}
            problem={nameProblem ?? undefined}
            onChange={(next) => setName(next.trim())}
          />
          <TextField label={`Value of a new ${what}`} hideLabel placeholder="64MB" value={value} onChange={setValue} />
          <Button icon="plus" isDisabled={!isReady} onPress={add}>
            {`Add ${what}`}
          </Button>
          {level === undefined && (
            <AddVariant
              raw={raw}
              title={name}
              path={[section, engine.id, name]}
              value={typed(value)}
              label={`Add ${what} as a variant`}
              text={`Add ${what} as a variant`}
              isDisabled={!isReady}
            />
          )}
          <HelpButton about={title} topic={fileTopic(section)} />
        </form>
      )}
    </div>
  );
};

/** The settings of sessions and the parameters of servers, folded while none is set. */
export const EngineSections = ({ raw, path, level }: Omit<Props, 'section'>) => {
  const { used } = useEngines(raw);
  const own = recordAt(raw, path);
  const sections = (['session', 'server'] as const).filter(
    (section) => own[section] !== undefined || used.some((engine) => takes(section, engine)),
  );
  if (sections.length === 0) return null;
  return (
    <Fold
      title="Sessions and servers"
      about={sections.map((section) => words[section].title.toLowerCase()).join(', ')}
      isSet={sections.some((section) => own[section] !== undefined)}
    >
      {sections.map((section) => (
        <section
          key={section}
          className="engine-section"
          aria-label={level === undefined ? words[section].title : `${words[section].title} in ${level}`}
        >
          <h3>{words[section].title}</h3>
          <p className="help">{words[section].about}</p>
          <SettingsByEngine raw={raw} path={path} section={section} {...(level !== undefined && { level })} />
        </section>
      ))}
    </Fold>
  );
};
