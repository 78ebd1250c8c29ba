import { useState } from 'react';
import { useStore } from '../../state/store.ts';
import { useScriptDraft } from '../../state/use-script-draft.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { DraftActions } from './draft-actions.tsx';
import { HowHardStep, rowRules } from './how-hard.tsx';
import { foundIn, type HowHard, lacksText, testSqlOpen, typedSql, withLoad } from './own-sql.ts';
import { PickableSql } from './pickable-sql.tsx';
import { ServersChoice, useOfferedServers } from './server-choice.tsx';
import { Understood } from './understood.tsx';
import { useLoad } from './use-load.ts';

const usual: HowHard = { connections: 8, seconds: 3, repeats: 3, weights: {} };

/** The content of the dialog: a server, the SQL, and the load. */
const Steps = ({ onClose }: { readonly onClose: () => void }) => {
  const servers = useOfferedServers();
  const own = servers.filter(({ isOwn }) => isOwn);
  const [chosen, setChosen] = useState<readonly string[]>(own.length === 1 ? [own[0]!.target] : []);
  const script = useStore(typedSql);
  const setScript = typedSql.set;
  const { load, setLoad, rows, setRows, rowCount, weigh } = useLoad(usual);
  const server = servers.find(({ target }) => target === chosen[0]);
  const engine = server?.engine ?? null;
  const read = useScriptDraft(script, engine, rowCount ?? rowRules.min);
  const text = read?.isCurrent && read.draft && chosen.length > 0 ? withLoad(read.draft.text, chosen, load) : null;
  const found = read?.draft ? foundIn(read.draft.text) : null;
  const tables = found?.tables ?? [];
  const lacks = lacksText({
    hasServer: chosen.length > 0,
    script,
    asksFor: 'Paste or open your SQL.',
    hasProblem: Boolean(read?.problem),
    isEmpty: read?.isCurrent === true && !read.draft,
    tables,
    rowCount,
  });
  return (
    <>
      <div className="dialog-body test-sql">
        <ServersChoice servers={servers} chosen={chosen} onChange={setChosen} onLeave={onClose} />
        <section aria-label="SQL" className="test-sql-main sql-field">
          <PickableSql
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
            server={server}
          />
          {found && <Understood {...found} told={read?.draft?.told ?? []} weights={load.weights} onWeight={weigh} />}
        </section>
        <HowHardStep step={3} load={load} onChange={setLoad} rows={tables.length > 0 ? rows : null} onRows={setRows} />
      </div>
      <DraftActions text={text} lacks={lacks} section="workload" onOpened={() => typedSql.set('')} onClose={onClose} />
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
