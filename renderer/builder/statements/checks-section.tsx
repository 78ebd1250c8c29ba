import { useState } from 'react';
import { renameCheck } from '#experiment/yaml/rename.ts';
import { datasetTable } from '#model/dataset/tables.ts';
import { isStatementName } from '#model/statements/statements.ts';
import { fileTopic } from '../../help/help-store.ts';
import { TextField } from '../../ui/controls/fields.tsx';
import { Tabs } from '../../ui/display/tabs.tsx';
import { asText, isRecord, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { AddNamed } from '../form/add-named.tsx';
import { edit } from '../form/edit.ts';
import { Helped } from '../form/helped.tsx';
import { NamedTools } from '../form/named-tools.tsx';
import { Section } from '../form/section.tsx';
import { TextFields } from './text-fields.tsx';
import { TryLine } from './try-line.tsx';

interface CheckProps {
  readonly name: string;
  readonly value: Raw;
  readonly names: readonly string[];
  readonly onRenamed: (name: string) => void;
}

const Check = ({ name, value, names, onRenamed }: CheckProps) => {
  const path = ['checks', name];
  return (
    <>
      <div className="statement">
        <NamedTools
          section="checks"
          isAlone={names.length === 1}
          name={name}
          what="check"
          isFree={(next) => isStatementName(next) && !names.includes(next)}
          rename={renameCheck}
          onRenamed={onRenamed}
        />
        <Helped about="Conditions that must hold" help="checks.NAME.about">
          <TextField
            label="Conditions that must hold"
            value={asText(value.about)}
            onChange={(about) => edit([...path, 'about'], about === '' ? undefined : about)}
          />
        </Helped>
        <TextFields path={[...path, 'text']} name={name} text={value.text} />
      </div>
      <TryLine kind="check" name={name} />
    </>
  );
};

/** A query on the first table that has a key, which returns no row. */
function firstText(raw: Raw): string {
  const tables = { [datasetTable]: recordAt(raw, ['dataset']), ...recordAt(raw, ['tables']) };
  const [found] = Object.entries(tables).flatMap(([name, table]) => {
    const key = asText(recordAt(table, []).key);
    return key === '' ? [] : [{ name, key }];
  });
  return found ? `SELECT ${found.key} FROM {${found.name}} WHERE ${found.key} IS NULL` : 'SELECT 1 WHERE 1 = 0';
}

/** The checks after each trial. Renders nothing for a workload without custom statements. */
export const ChecksSection = ({ raw }: { readonly raw: Raw }) => {
  const checks = recordAt(raw, ['checks']);
  const names = Object.keys(checks);
  const [selected, setSelected] = useState('');
  if (names.length === 0 && recordAt(raw, ['workload']).operation !== 'statement') return null;
  const chosen = names.includes(selected) ? selected : (names[0] ?? '');
  return (
    <Section
      title="Checks"
      help={fileTopic('checks')}
      about="Queries without parameters that must return no row. They run after each trial, outside the measured time."
    >
      {names.length > 0 && (
        <Tabs
          label="Checks"
          selected={chosen}
          onSelect={setSelected}
          items={Object.entries(checks).map(([id, value]) => ({
            id,
            label: id,
            content: (
              <Check key={id} name={id} value={isRecord(value) ? value : {}} names={names} onRenamed={setSelected} />
            ),
          }))}
        />
      )}
      <AddNamed
        label="Name of a new check"
        placeholder="new-check"
        action="Add check"
        taken={names}
        isName={isStatementName}
        onAdd={(name) => {
          edit(['checks', name], { text: firstText(raw) });
          setSelected(name);
        }}
      />
    </Section>
  );
};
