import { useState } from 'react';
import { makesTable } from '#experiment/statements/create-table.ts';
import { appInfo } from '../../state/app-info.ts';
import { useStore } from '../../state/store.ts';
import { useScriptDraft } from '../../state/use-script-draft.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { DraftActions } from '../test-sql/draft-actions.tsx';
import { HowHardStep, rowRules } from '../test-sql/how-hard.tsx';
import { foundIn, type HowHard, lacksText, withLoad } from '../test-sql/own-sql.ts';
import { PickableSql } from '../test-sql/pickable-sql.tsx';
import { ServerChoice, useOfferedServers } from '../test-sql/server-choice.tsx';
import { Understood } from '../test-sql/understood.tsx';
import { useLoad } from '../test-sql/use-load.ts';
import { changeFile, compareChangeOpen, nothingTyped, type TypedChange, typedParts } from './change-file.ts';
import { WhatChanges } from './what-changes.tsx';

const usual: HowHard = { connections: 1, seconds: 3, repeats: 5, weights: {} };

/** The content of the dialog: a server, the SQL as it is, what changes, and the load. */
const Steps = ({ onClose }: { readonly onClose: () => void }) => {
  const servers = useOfferedServers();
  const own = servers.filter(({ isOwn }) => isOwn);
  const [chosen, setChosen] = useState<string | null>(own.length === 1 ? own[0]!.target : null);
  const typed = useStore(typedParts);
  const setTyped = (more: Partial<typeof typed>) => typedParts.set({ ...typed, ...more });
  const { load, setLoad, rows, setRows, rowCount, weigh } = useLoad(usual);
  const server = servers.find(({ target }) => target === chosen);
  const engine = server?.engine ?? null;
  const descriptor = useStore(appInfo)?.engines.find(({ id }) => id === engine);
  const language = descriptor?.statements;
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
    isRead && before.draft && server && descriptor
      ? changeFile({
          before: withLoad(before.draft.text, [server.target], load),
          both: both?.draft?.text ?? null,
          ...{ target: server.target, engine: descriptor, change },
          makesTables: hasAfter && language !== undefined && makesTable(typed.after, language),
        })
      : null;
  const found = before?.draft ? foundIn(before.draft.text) : null;
  const tables = found?.tables ?? [];
  const lacks =
    lacksText({
      hasServer: server !== undefined,
      script: typed.before,
      asksFor: 'Paste or open the SQL as it is.',
      hasProblem: Boolean(before?.problem || (hasAfter && both?.problem)),
      isEmpty: before?.isCurrent === true && !before.draft,
      tables,
      rowCount,
    }) ??
    (change.kind === 'version' && versions.length === 0
      ? 'Dyno knows no other server of this engine.'
      : (file?.lacks ?? null));
  return (
    <>
      <div className="dialog-body test-sql">
        <ServerChoice servers={servers} chosen={chosen} onChange={setChosen} onLeave={onClose} />
        <section aria-label="As it is" className="test-sql-main compare-texts sql-field">
          <PickableSql
            server={server}
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
          {found && <Understood {...found} told={before?.draft?.told ?? []} weights={load.weights} onWeight={weigh} />}
          <WhatChanges
            change={change}
            onChange={(next) => setTyped({ change: next })}
            statements={found?.statements.map(({ name }) => name) ?? []}
            tables={tables.map(({ name }) => name)}
            options={descriptor?.options ?? []}
            versions={server === undefined ? null : versions}
            after={typed.after}
            problem={both?.problem ?? undefined}
            onAfter={(text) => setTyped({ after: text })}
          />
        </section>
        <HowHardStep step={4} load={load} onChange={setLoad} rows={tables.length > 0 ? rows : null} onRows={setRows} />
      </div>
      <DraftActions
        text={file?.text ?? null}
        lacks={lacks}
        section="factors"
        onOpened={() => typedParts.set(nothingTyped)}
        onClose={onClose}
      />
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
