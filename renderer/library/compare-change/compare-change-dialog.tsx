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
import { changeFile, compareChangeOpen, nothingTyped, type TypedChange, typedParts } from './change-file.ts';
import { WhatChanges } from './what-changes.tsx';

const usual: HowHard = { connections: 1, seconds: 3, repeats: 5, weights: {} };

/** The content of the dialog: a server, the SQL as it is, what changes, and the load. */
const Steps = ({ onClose }: { readonly onClose: () => void }) => {
  const info = useStore(appInfo);
  const servers = useOfferedServers();
  const own = servers.filter(({ isOwn }) => isOwn);
  const [chosen, setChosen] = useState<string | null>(own.length === 1 ? own[0]!.target : null);
  const typed = useStore(typedParts);
  const setTyped = (more: Partial<typeof typed>) => typedParts.set({ ...typed, ...more });
  const [rows, setRows] = useState<NumberEntry>(10_000);
  const rowCount = typeof rows === 'number' && numberProblem(rows, rowRules) === null ? rows : null;
  const [load, setLoad] = useState<HowHard>(usual);
  const server = servers.find(({ target }) => target === chosen);
  const engine = server?.engine ?? null;
  const versions = servers.filter((one) => one.engine === engine && one.target !== chosen);
  // Another server may be chosen after the version.
  const isOffered = versions.some(({ target }) => target === typed.change.version);
  const change: TypedChange = isOffered ? typed.change : { ...typed.change, version: null };
  const least = rowCount ?? rowRules.min;
  const before = useScriptDraft(typed.before, engine, least);
  const isText = change.kind === 'text';
  // The changed SQL is read behind the SQL as it is, which has its tables, and later: Dyno reads one script at a time.
  const hasAfter = isText && before?.isCurrent === true && before.draft !== null && typed.after.trim() !== '';
  const both = useScriptDraft(hasAfter ? `${typed.before.trimEnd()}\n;\n${typed.after}` : '', engine, least);
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
      : typed.before.trim() === ''
        ? 'Paste or open the SQL as it is.'
        : before?.problem || (hasAfter && both?.problem)
          ? 'The SQL could not be read.'
          : before?.isCurrent && !before.draft
            ? 'The SQL has no statement.'
            : found !== null && found.tables.length > 0 && rowCount === null
              ? 'Enter the number of rows in each table.'
              : change.kind === 'version' && versions.length === 0
                ? 'Dyno knows no other server of this engine.'
                : (file?.lacks ?? checkProblem(check));
  const open = () => {
    if (text === null) return false;
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section: 'factors' });
    typedParts.set(nothingTyped);
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
            value={typed.before}
            problem={before?.problem ?? undefined}
            onChange={(text) => setTyped({ before: text })}
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
            onChange={(next) => setTyped({ change: next })}
            statements={found?.statements.map(({ name }) => name) ?? []}
            tables={found?.tables.map(({ name }) => name) ?? []}
            versions={server === undefined ? null : versions}
            after={typed.after}
            problem={both?.problem ?? undefined}
            onAfter={(text) => setTyped({ after: text })}
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
