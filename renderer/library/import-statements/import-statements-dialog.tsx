import { useState } from 'react';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import {
  chooseStatements,
  coveredText,
  importedExperiment,
  otherText,
  pickStatements,
} from '#experiment/import-statements/imported-experiment.ts';
import { type JudgedStatement, judgedStatements } from '#experiment/import-statements/judged-statements.ts';
import { formatPercent } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { openDraft } from '../../builder/open-draft.ts';
import { appInfo } from '../../state/app-info.ts';
import { attempt, request } from '../../state/bridge.ts';
import { withAnswers } from '../../state/passwords.ts';
import { createStore, useStore } from '../../state/store.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useOwnServers } from '../test-sql/server-choice.tsx';
import { smallestOn } from '../test-sql/smallest-experiment.ts';
import { ReadSteps, type ServerPart, useReading } from './read-steps.tsx';
import { StatementsTable } from './statements-table.tsx';
import { TableSteps } from './table-steps.tsx';

const isOpenStore = createStore(false);
/** Opens the dialog that makes an experiment of the statements of a server. */
export const importFromServer = (): void => isOpenStore.set(true);

const usual = { by: 'time', top: 50, writes: false } as const;

/** The statements of a server, as Dyno has judged them. */
interface Read {
  readonly kept: KeptStatements;
  readonly statements: readonly JudgedStatement[];
}

const parts = [
  { id: 'statements', label: 'Statements' },
  { id: 'tables', label: 'Tables' },
];

const Steps = ({ onClose }: { readonly onClose: () => void }) => {
  const servers = useOwnServers();
  const [chosen, setChosen] = useState<string | null>(servers.length === 1 ? servers[0]!.target : null);
  const [part, setPart] = useState('statements');
  const what = <Segmented label="What to read" choices={parts} value={part} onChange={setPart} />;
  const given = { chosen, onChoose: setChosen, what, onClose };
  return part === 'tables' ? <TableSteps {...given} /> : <StatementSteps {...given} />;
};

const StatementSteps = (part: ServerPart) => {
  const { chosen, onClose } = part;
  const servers = useOwnServers();
  const engines = useStore(appInfo)?.engines ?? [];
  const reading = useReading<Read>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const server = servers.find(({ target }) => target === chosen);
  const engine = engines.find(({ id }) => id === server?.engine);
  const language = engine?.statements;
  const source = engine?.keptStatements;
  const read = reading.answer;
  const taken = read?.statements.filter(({ name }) => ticked.has(name)) ?? [];
  const start = () => {
    if (!server || !language) return;
    const { target } = server;
    void reading.read(async () => {
      const told = await withAnswers(({ passwords }) =>
        request('statements:import', { text: smallestOn(target, language.language), target, passwords }),
      );
      if (!told) return null;
      const statements = judgedStatements(told.kept, told.tables, language);
      setTicked(new Set(chooseStatements(statements, usual).taken.map(({ name }) => name)));
      return { kept: told.kept, statements };
    });
  };
  const make = () => {
    if (!server || !engine || !language || !read) return;
    const text = importedExperiment(pickStatements(read.statements, ticked), read.kept, {
      ...{ target: server.target, source: read.kept.source ?? source ?? '', language },
      method: engine.support.statement?.prepared ? 'prepared' : 'bind',
      at: new Date().toISOString(),
    });
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section: 'workload' });
    onClose();
  };
  return (
    <ReadSteps
      {...part}
      servers={servers}
      title="Statements"
      about={aboutText(server?.label ?? null, source ?? null, engine?.unsupportedReasons.keptStatements ?? '')}
      reading={reading}
      readLabel={source === undefined ? null : 'Read the statements'}
      onRead={start}
      summary={read ? takenText(taken, read.kept) : server ? 'Nothing runs on the server.' : 'Choose a server.'}
      canMake={taken.length > 0}
      onMake={make}
    >
      {read && read.statements.length === 0 && (
        <p className="muted">The server has counted no statement of this database yet.</p>
      )}
      {read && read.statements.length > 0 && (
        <StatementsTable
          statements={read.statements}
          ticked={ticked}
          onTick={(name, on) =>
            setTicked((now) => new Set(on ? [...now, name] : [...now].filter((one) => one !== name)))
          }
        />
      )}
      {read && read.kept.others.length > 0 && (
        <details>
          <summary>Counted, and never part of an experiment</summary>
          <ul className="test-sql-told">
            {read.kept.others.map((one) => (
              <li key={one.kind}>
                {formatPercent(read.kept.totalMs > 0 ? one.totalMs / read.kept.totalMs : null)} of the time.{' '}
                {otherText(one)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </ReadSteps>
  );
};

function aboutText(label: string | null, source: string | null, reason: string): string {
  if (label === null) return 'Dyno reads the statements that the server has counted, and no rows.';
  if (source === null) return `${label} tells no statements. ${reason} Open a file of your statements instead.`;
  return `Dyno reads ${source} of ${label}: texts and counts, and the names of tables and columns. Values in the texts become parameters.`;
}

function takenText(taken: readonly JudgedStatement[], kept: KeptStatements): string {
  const writing = taken.filter(({ writes }) => writes !== null).length;
  return `${many(taken.length, 'statement')}: ${coveredText(taken, kept)} that the server has counted.${
    writing > 0 ? ` A run changes your tables by ${many(writing, 'statement')}.` : ''
  }`;
}

/** Makes an experiment of the statements of a server in two steps: a server, and the choice of its statements. */
export const ImportStatementsDialog = () => {
  const isOpen = useStore(isOpenStore);
  const onClose = () => {
    void attempt('Could not stop', () => request('statements:cancel', null));
    isOpenStore.set(false);
  };
  return (
    <Dialog title="New from a server" open={isOpen} full onClose={onClose}>
      <Steps onClose={onClose} />
    </Dialog>
  );
};
