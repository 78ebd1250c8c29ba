import { useState } from 'react';
import { openDraft } from '../../builder/open-draft.ts';
import { runDraft } from '../../builder/run-draft.ts';
import { runText } from '../../builder/run-sentence.ts';
import { appInfo } from '../../state/app-info.ts';
import { useStore } from '../../state/store.ts';
import { useScriptDraft } from '../../state/use-script-draft.ts';
import { Button } from '../../ui/controls/button.tsx';
import { type NumberEntry, numberProblem } from '../../ui/controls/number-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { HowHardStep, rowRules } from './how-hard.tsx';
import { foundIn, type HowHard, testSqlOpen, typedSql, withLoad } from './own-sql.ts';
import { PickStatements } from './pick-statements.tsx';
import { ServerChoice, useOfferedServers } from './server-choice.tsx';
import { SqlText } from './sql-text.tsx';
import { Understood } from './understood.tsx';
import { checkProblem, useCheckOf } from './use-check-of.ts';

const usual: HowHard = { connections: 8, seconds: 3, repeats: 3, weights: {} };

/** The content of the dialog: a server, the SQL, and the load. */
const Steps = ({ onClose }: { readonly onClose: () => void }) => {
  const info = useStore(appInfo);
  const servers = useOfferedServers();
  const own = servers.filter(({ isOwn }) => isOwn);
  const [chosen, setChosen] = useState<readonly string[]>(own.length === 1 ? [own[0]!.target] : []);
  const script = useStore(typedSql);
  const setScript = typedSql.set;
  const [rows, setRows] = useState<NumberEntry>(10_000);
  const rowCount = typeof rows === 'number' && numberProblem(rows, rowRules) === null ? rows : null;
  const [load, setLoad] = useState<HowHard>(usual);
  const [isPicking, setPicking] = useState(false);
  const server = servers.find(({ target }) => target === chosen[0]);
  const engine = server?.engine ?? null;
  const counting = info?.engines.find(({ id }) => id === engine);
  const read = useScriptDraft(script, engine, rowCount ?? rowRules.min);
  const text = read?.isCurrent && read.draft && chosen.length > 0 ? withLoad(read.draft.text, chosen, load) : null;
  const check = useCheckOf(text);
  const checked = check?.checked ?? null;
  const found = read?.draft ? foundIn(read.draft.text) : null;
  const lacks =
    chosen.length === 0
      ? 'Choose a server.'
      : script.trim() === ''
        ? 'Paste or open your SQL.'
        : read?.problem
          ? 'The SQL could not be read.'
          : read?.isCurrent && !read.draft
            ? 'The SQL has no statement.'
            : found !== null && found.tables.length > 0 && rowCount === null
              ? 'Enter the number of rows in each table.'
              : checkProblem(check);
  const open = () => {
    if (text === null) return false;
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section: 'workload' });
    typedSql.set('');
    onClose();
    return true;
  };
  return (
    <>
      <div className="dialog-body test-sql">
        <section aria-label="Server" className="test-sql-side">
          <h3>
            <span className="test-sql-step">1</span>Server
          </h3>
          <ServerChoice servers={servers} chosen={chosen} onChange={setChosen} onLeave={onClose} />
        </section>
        <section aria-label="SQL" className="test-sql-main sql-field">
          <SqlText
            step={2}
            title="SQL"
            label="SQL statements"
            autoFocus
            placeholder={
              'SELECT * FROM orders WHERE customer_id = $1;\n\nPaste CREATE TABLE as well, and Dyno makes and fills the tables.'
            }
            value={script}
            problem={read?.problem ?? undefined}
            onChange={setScript}
            buttons={
              <Button kind="quiet" isDisabled={server === undefined || isPicking} onPress={() => setPicking(true)}>
                Pick from the server…
              </Button>
            }
          >
            {isPicking && server && (
              <PickStatements
                key={server.target}
                target={server.target}
                label={server.label}
                source={counting?.keptStatements ?? null}
                reason={counting?.unsupportedReasons.keptStatements ?? ''}
                onAdd={(texts) => setScript([script.trim(), ...texts.map((one) => `${one};`)].join('\n').trim())}
                onClose={() => setPicking(false)}
              />
            )}
          </SqlText>
          {found && (
            <Understood
              {...found}
              told={read?.draft?.told ?? []}
              weights={load.weights}
              onWeight={(name, weight) => setLoad((now) => ({ ...now, weights: { ...now.weights, [name]: weight } }))}
            />
          )}
        </section>
        <HowHardStep
          step={3}
          load={load}
          onChange={setLoad}
          rows={found !== null && found.tables.length > 0 ? rows : null}
          onRows={setRows}
        />
      </div>
      <div className="dialog-actions test-sql-actions">
        <p className="grow muted" aria-live="polite">
          {lacks ?? (checked ? runText(checked, info?.engines ?? [], info?.missing ?? {}) : '')}
        </p>
        <Button onPress={onClose}>Cancel</Button>
        <Button isDisabled={text === null} onPress={open}>
          Open in the builder
        </Button>
        <Button
          kind="primary"
          icon="play"
          isDisabled={lacks !== null || checked === null}
          onPress={() => {
            if (open()) void runDraft();
          }}
        >
          Run
        </Button>
      </div>
    </>
  );
};

/** Tests the user's SQL in three steps: a server, the SQL, and the load. */
export const TestSqlDialog = () => {
  const isOpen = useStore(testSqlOpen);
  const onClose = () => testSqlOpen.set(false);
  return (
    <Dialog title="Test my SQL" open={isOpen} full onClose={onClose}>
      <Steps onClose={onClose} />
    </Dialog>
  );
};
