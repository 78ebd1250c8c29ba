import { useState } from 'react';
import { isStatementName } from '#contract/statements.ts';
import { useStore } from '../../store.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { draft } from '../draft-store.ts';
import { edit } from '../form/edit.ts';
import { isRecord, type Raw, recordAt } from '../form/form-model.ts';
import { Section } from '../form/section.tsx';
import { StatementFields } from './statement-fields.tsx';
import { StepsFields } from './steps-fields.tsx';
import { TryResults } from './try-results.tsx';
import { stopTrying, tries, tryItem } from './try-store.ts';

interface NewItemProps {
  readonly statements: readonly string[];
  /** Names of statements, transactions and scenarios. */
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

const TryLine = ({ item }: { readonly item: string }) => {
  const { busy, item: tried, reports } = useStore(tries);
  const now = useStore(draft);
  const runnable = now !== null && now.checkedText === now.text && now.checked?.plan != null;
  return (
    <div className="try-line">
      <div className="row">
        <Button icon="play" isDisabled={!runnable || busy !== null} onPress={() => void tryItem(item)}>
          Try once
        </Button>
        <span className="faint">
          Runs {item} once on each target and rolls back what it changes. No load is put on a server.
        </span>
      </div>
      {busy === 'try' && tried === item && (
        <div className="row">
          <Progress label={`Trying ${item}`} fraction={null} />
          <Button kind="quiet" onPress={stopTrying}>
            Stop
          </Button>
        </div>
      )}
      {tried === item && reports.length > 0 && <TryResults reports={reports} />}
    </div>
  );
};

const notes = { statements: {}, transactions: { note: 'transaction' }, scenarios: { note: 'scenario' } } as const;

/** The experiment's own statements, transactions and scenarios; nothing where its workload is another. */
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
      title="Own statements"
      about="Named parameters (:name in SQL, “$name” in a MongoDB command, $name in RQL); {table} is the dataset’s table, {name} another one’s."
    >
      {names.length > 0 && (
        <Tabs
          label="Statements, transactions and scenarios"
          selected={chosen}
          onSelect={setSelected}
          items={items.map(({ id, value, kind }) => {
            const mapping = isRecord(value) ? value : {};
            return {
              id,
              label: id,
              ...notes[kind],
              content:
                kind === 'statements' ? (
                  <>
                    <StatementFields key={id} name={id} value={mapping} />
                    <TryLine item={id} />
                  </>
                ) : (
                  <>
                    <StepsFields key={id} kind={kind} name={id} value={mapping} />
                    {kind === 'transactions' && <TryLine item={id} />}
                  </>
                ),
            };
          })}
        />
      )}
      <NewItem statements={Object.keys(statements)} taken={names} onAdd={setSelected} />
    </Section>
  );
};
