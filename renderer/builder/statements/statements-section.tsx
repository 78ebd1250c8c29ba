import { Fragment, useState } from 'react';
import { renameStatement } from '#experiment/yaml/rename.ts';
import { isStatementName } from '#model/statements/statements.ts';
import { fileTopic } from '../../help/help-store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { Tabs } from '../../ui/display/tabs.tsx';
import { isRecord, type Raw, recordAt } from '../draft/raw-experiment.ts';
import { edit } from '../form/edit.ts';
import { NamedTools } from '../form/named-tools.tsx';
import { Section } from '../form/section.tsx';
import { StatementFields } from './statement-fields.tsx';
import { StepsFields } from './steps-fields.tsx';
import { TryLine } from './try-line.tsx';

interface NewItemProps {
  readonly statements: readonly string[];
  /** Names that statements, transactions and scenarios have already. */
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
}

const NewItem = ({ statements, taken, onAdd }: NewItemProps) => {
  const [name, setName] = useState('');
  const valid = isStatementName(name) && !taken.includes(name);
  const first = statements[0];
  const add = (path: string, value: unknown) => {
    edit([path, name], value);
    onAdd(name);
    setName('');
  };
  return (
    <div className="row add-column">
      <TextField
        label="Name of a new statement, transaction or scenario"
        hideLabel
        placeholder="new-statement"
        value={name}
        onChange={setName}
      />
      <Button icon="plus" isDisabled={!valid} onPress={() => add('statements', { text: 'SELECT 1' })}>
        Add statement
      </Button>
      <Button
        kind="quiet"
        isDisabled={!valid || first === undefined}
        onPress={() => add('transactions', { steps: [first] })}
      >
        Add transaction
      </Button>
      <Button
        kind="quiet"
        isDisabled={!valid || first === undefined}
        onPress={() => add('scenarios', { steps: [first] })}
      >
        Add scenario
      </Button>
    </div>
  );
};

const kinds = { statements: 'statement', transactions: 'transaction', scenarios: 'scenario' } as const;

/** The custom statements, transactions and scenarios. Renders nothing for a workload without them. */
export const StatementsSection = ({ raw }: { readonly raw: Raw }) => {
  const statements = recordAt(raw, ['statements']);
  const transactions = recordAt(raw, ['transactions']);
  const scenarios = recordAt(raw, ['scenarios']);
  const [selected, setSelected] = useState('');
  const items = [
    ...Object.entries(statements).map(([id, value]) => ({ id, value, kind: 'statements' as const })),
    ...Object.entries(transactions).map(([id, value]) => ({ id, value, kind: 'transactions' as const })),
    ...Object.entries(scenarios).map(([id, value]) => ({ id, value, kind: 'scenarios' as const })),
  ];
  const names = items.map(({ id }) => id);
  if (names.length === 0 && recordAt(raw, ['workload']).operation !== 'statement') return null;
  const chosen = names.includes(selected) ? selected : (names[0] ?? '');
  return (
    <Section
      title="Custom statements"
      help={fileTopic('statements')}
      about="Named parameters (:name in SQL, “$name” in JSON for MongoDB and RavenDB, $name in RQL); {table} is the dataset’s table, {name} another one’s."
    >
      {names.length > 0 && (
        <Tabs
          label="Statements, transactions and scenarios"
          selected={chosen}
          onSelect={setSelected}
          items={items.map(({ id, value, kind }) => {
            const mapping = isRecord(value) ? value : {};
            const what = kinds[kind];
            return {
              id,
              label: id,
              ...(kind !== 'statements' && { note: what }),
              content: (
                <Fragment key={id}>
                  <div className="statement">
                    <NamedTools
                      section={kind}
                      isAlone={items.filter((one) => one.kind === kind).length === 1}
                      name={id}
                      what={what}
                      isFree={(next) => isStatementName(next) && !names.includes(next)}
                      rename={renameStatement}
                      onRenamed={setSelected}
                    />
                    {kind === 'statements' ? (
                      <StatementFields name={id} value={mapping} />
                    ) : (
                      <StepsFields kind={kind} name={id} value={mapping} />
                    )}
                  </div>
                  {kind !== 'scenarios' && <TryLine kind="statement" name={id} />}
                </Fragment>
              ),
            };
          })}
        />
      )}
      <NewItem statements={Object.keys(statements)} taken={names} onAdd={setSelected} />
    </Section>
  );
};
