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
import { HowHardStep, rowRules } from '../test-sql/how-hard.tsx';
import { foundIn, type HowHard, withLoad } from '../test-sql/own-sql.ts';
import { ServerChoice, useOfferedServers } from '../test-sql/server-choice.tsx';
import { SqlText } from '../test-sql/sql-text.tsx';
import { Understood } from '../test-sql/understood.tsx';
import { checkProblem, useCheckOf } from '../test-sql/use-check-of.ts';
import { changeFile, compareChangeOpen, noChange, type TypedChange, typedTexts } from './change-file.ts';
import { WhatChanges } from './what-changes.tsx';

const usual: HowHard = { connections: 1, seconds: 3, repeats: 5, weights: {} };

/** The content of the dialog: a server, the SQL as it is, what changes, and the load. */
const Steps = ({ onClose }: { readonly onClose: () => void }) => {
  const info = useStore(appInfo);
  const servers = useOfferedServers();
  const own = servers.filter(({ isOwn }) => isOwn);
  const [chosen, setChosen] = useState<string | null>(own.length === 1 ? own[0]!.target : null);
  const texts = useStore(typedTexts);
  const setTexts = (more: Partial<typeof texts>) => typedTexts.set({ ...texts, ...more });
  const [rows, setRows] = useState<NumberEntry>(10_000);
  const rowCount = typeof rows === 'number' && numberProblem(rows, rowRules) === null ? rows : null;
  const [load, setLoad] = useState<HowHard>(usual);
  const [change, setChange] = useState<TypedChange>(noChange);
  const server = servers.find(({ target }) => target === chosen);
  const engine = server?.engine ?? null;
  const least = rowCount ?? rowRules.min;
  const before = useScriptDraft(texts.before, engine, least);
  const isText = change.kind === 'text';
  // The changed SQL is read behind the SQL as it is, which has its tables, and later: Dyno reads one script at a time.
  const hasAfter = isText && before?.isCurrent === true && before.draft !== null && texts.after.trim() !== '';
  const both = useScriptDraft(hasAfter ? `${texts.before.trimEnd()}\n;\n${texts.after}` : '', engine, least);
  const isRead = before?.isCurrent === true && (!hasAfter || both?.isCurrent === true);
  const file =
    isRead && before.draft && server
      ? changeFile({
          before: withLoad(before.draft.text, [server.target], load),
          both: both?.draft?.text ?? null,
          ...{ target: server.target, engine: server.engine, change },
        })
      : null;
  const text = file?.text ?? null;
  const check = useCheckOf(text);
  const checked = check?.checked ?? null;
  const found = before?.draft ? foundIn(before.draft.text) : null;
  const lacks =
    server === undefined
      ? 'Choose a server.'
      : texts.before.trim() === ''
        ? 'Paste or open the SQL as it is.'
        : before?.problem || (hasAfter && both?.problem)
          ? 'The SQL could not be read.'
          : before?.isCurrent && !before.draft
            ? 'The SQL has no statement.'
            : found !== null && found.tables.length > 0 && rowCount === null
              ? 'Enter the number of rows in each table.'
              : (file?.lacks ?? checkProblem(check));
  const open = () => {
    if (text === null) return false;
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section: 'factors' });
    typedTexts.set({ before: '', after: '' });
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
          <ServerChoice
            servers={servers}
            chosen={chosen === null ? [] : [chosen]}
            onChange={(all) => setChosen(all.at(-1) ?? null)}
            onLeave={onClose}
          />
        </section>
        <section aria-label="As it is" className="test-sql-main compare-texts sql-field">
          <SqlText
            step={2}
            title="As it is"
            label="SQL as it is"
            autoFocus
            placeholder={
              'SELECT * FROM orders WHERE customer_id NOT IN (SELECT id FROM customers);\n\nPaste CREATE TABLE as well, and Dyno makes and fills the tables.'
            }
            value={texts.before}
            problem={before?.problem ?? undefined}
            onChange={(typed) => setTexts({ before: typed })}
          />
          {found && (
            <Understood
              {...found}
              told={before?.draft?.told ?? []}
              weights={load.weights}
              onWeight={(name, weight) => setLoad((now) => ({ ...now, weights: { ...now.weights, [name]: weight } }))}
            />
          )}
          <WhatChanges
            change={change}
            onChange={setChange}
            statements={found?.statements.map(({ name }) => name) ?? []}
            tables={found?.tables.map(({ name }) => name) ?? []}
            versions={servers.filter((one) => one.engine === engine && one.target !== chosen)}
            after={texts.after}
            problem={both?.problem ?? undefined}
            onAfter={(typed) => setTexts({ after: typed })}
          />
        </section>
        <HowHardStep
          step={4}
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

/** Compares the user's SQL with one change in four steps: a server, the SQL as it is, the change, and the load. */
export const CompareChangeDialog = () => {
  const isOpen = useStore(compareChangeOpen);
  const onClose = () => compareChangeOpen.set(false);
  return (
    <Dialog title="Compare a change" open={isOpen} full onClose={onClose}>
      <Steps onClose={onClose} />
    </Dialog>
  );
};
