import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { toErrorData } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { longestScript } from '#model/statements/longest-script.ts';
import type { Checked } from '#protocol/ipc.ts';
import { openDraft } from '../../builder/open-draft.ts';
import { runDraft } from '../../builder/run-draft.ts';
import { runText } from '../../builder/run-sentence.ts';
import { appInfo } from '../../state/app-info.ts';
import { request } from '../../state/bridge.ts';
import { useStore } from '../../state/store.ts';
import { useScriptDraft } from '../../state/use-script-draft.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/fields.tsx';
import { type NumberEntry, NumberField, numberProblem } from '../../ui/controls/number-field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { errorText } from '../../ui/text/error-text.ts';
import { foundIn, type HowHard, testSqlOpen, typedSql, withLoad } from './own-sql.ts';
import { PickStatements } from './pick-statements.tsx';
import { ServerChoice, useOfferedServers } from './server-choice.tsx';
import { Understood } from './understood.tsx';

const rowRules = { whole: true, min: 1, max: 10_000_000 } as const;

/** The check of an experiment, or the reason why it failed. */
interface Check {
  readonly checked: Checked | null;
  readonly problem: string | null;
}

/** The check of an experiment; null until the check of this text has ended. */
function useCheckOf(text: string | null): Check | null {
  const [check, setCheck] = useState<(Check & { readonly of: string }) | null>(null);
  useEffect(() => {
    if (text === null) return;
    let isLatest = true;
    request('experiments:check', { text }).then(
      (checked) => isLatest && setCheck({ of: text, checked, problem: null }),
      (thrown) => isLatest && setCheck({ of: text, checked: null, problem: errorText(toErrorData(thrown)) }),
    );
    return () => {
      isLatest = false;
    };
  }, [text]);
  return check?.of === text ? check : null;
}

/**
 * The text of a file that the user has chosen, or the reason why it is none. The text only fills the field, as if it
 * was pasted: nothing of it runs before the user presses Run, so that it needs no question.
 */
async function textOf(file: File): Promise<{ readonly text: string; readonly problem: string | null }> {
  const refused = (problem: string) => ({ text: '', problem });
  // A character has four bytes at most.
  if (file.size > longestScript * 4) return refused(tooLong(file.name));
  try {
    const text = await file.text();
    if (text.length > longestScript) return refused(tooLong(file.name));
    return text.includes('\0') ? refused(`“${file.name}” is no text in UTF-8.`) : { text, problem: null };
  } catch {
    return refused(`“${file.name}” cannot be read any more. Choose it again.`);
  }
}

const tooLong = (name: string): string =>
  `“${name}” is too long: Dyno reads scripts of up to ${formatCount(longestScript)} characters. Take the statements and tables that the experiment needs.`;

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
  const file = useRef<HTMLInputElement>(null);
  const [isPicking, setPicking] = useState(false);
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const server = servers.find(({ target }) => target === chosen[0]);
  const engine = server?.engine ?? null;
  const counting = info?.engines.find(({ id }) => id === engine);
  const read = useScriptDraft(script, engine, rowCount ?? rowRules.min);
  const text = read?.isCurrent && read.draft && chosen.length > 0 ? withLoad(read.draft.text, chosen, load) : null;
  const check = useCheckOf(text);
  const checked = check?.checked ?? null;
  const found = read?.draft ? foundIn(read.draft.text) : null;
  const errors = checked?.diagnostics.filter(({ severity }) => severity === 'error') ?? [];
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
              : errors[0]
                ? `${errors[0].message.replaceAll(/`([^`]*)`/g, '“$1”')}${errors.length > 1 ? ` And ${errors.length - 1} more: the builder shows and fixes them.` : ''}`
                : (check?.problem ?? null);
  const open = () => {
    if (text === null) return false;
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section: 'workload' });
    typedSql.set('');
    onClose();
    return true;
  };
  const openFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [picked] = target.files ?? [];
    // The same file can be opened again after it has changed.
    const opened = picked && (await textOf(picked));
    target.value = '';
    if (opened === undefined) return;
    setFileProblem(opened.problem);
    if (opened.problem === null) setScript(opened.text);
  };
  const number = (key: 'connections' | 'seconds' | 'repeats') => ({
    required: true,
    value: load[key],
    onChange: (value: NumberEntry) => setLoad((now) => ({ ...now, [key]: value })),
  });
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
          <h3>
            <span className="test-sql-step">2</span>SQL
            <span className="grow" />
            <input
              ref={file}
              type="file"
              accept=".sql,text/plain"
              hidden
              aria-label="SQL file"
              onChange={(event) => void openFile(event)}
            />
            <Button kind="quiet" isDisabled={server === undefined || isPicking} onPress={() => setPicking(true)}>
              Pick from the server…
            </Button>
            <Button kind="quiet" onPress={() => file.current?.click()}>
              Open a file…
            </Button>
          </h3>
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
          <TextField
            label="SQL statements"
            hideLabel
            multiline
            autoFocus
            placeholder={
              'SELECT * FROM orders WHERE customer_id = $1;\n\nPaste CREATE TABLE as well, and Dyno makes and fills the tables.'
            }
            value={script}
            problem={fileProblem ?? read?.problem ?? undefined}
            onChange={(typed) => {
              setFileProblem(null);
              setScript(typed);
            }}
          />
          {found && (
            <Understood
              {...found}
              told={read?.draft?.told ?? []}
              weights={load.weights}
              onWeight={(name, weight) => setLoad((now) => ({ ...now, weights: { ...now.weights, [name]: weight } }))}
            />
          )}
        </section>
        <section aria-label="How hard" className="test-sql-side test-sql-load">
          <h3>
            <span className="test-sql-step">3</span>How hard
          </h3>
          <div className="test-sql-numbers">
            <NumberField label="Users at once" whole min={1} max={10_000} {...number('connections')} />
            <NumberField label="Seconds per trial" min={0.1} max={86_400} {...number('seconds')} />
            <NumberField label="Trials" whole min={1} max={1_000} {...number('repeats')} />
            {found !== null && found.tables.length > 0 && (
              <NumberField label="Rows in each table" {...rowRules} required value={rows} onChange={setRows} />
            )}
          </div>
        </section>
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
