import { type ReactNode, useState } from 'react';
import type { TableFacts } from '#engine-api/table-facts.ts';
import { type ColumnChoices, retyped, rowBytes } from '#experiment/import-tables/retyped.ts';
import { twinOf } from '#experiment/import-tables/twin.ts';
import { twinText } from '#experiment/import-tables/twin-text.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { formatBytes, formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { openDraft } from '../../builder/open-draft.ts';
import { appInfo } from '../../state/app-info.ts';
import { attempt, request } from '../../state/bridge.ts';
import { withAnswers } from '../../state/passwords.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Checkbox, Select } from '../../ui/controls/fields.tsx';
import { ServerChoice, useOfferedServers, useOwnServers } from '../test-sql/server-choice.tsx';
import { smallestOn } from '../test-sql/smallest-experiment.ts';
import { StepTitle } from '../test-sql/step-title.tsx';
import { TablesTable, tableId } from './tables-table.tsx';

interface Props {
  readonly chosen: string | null;
  readonly onChoose: (target: string) => void;
  /** The choice between statements and tables. */
  readonly what: ReactNode;
  readonly onClose: () => void;
}

const scales = ['0.01', '0.1', '1', '10'];
type Answer = { readonly facts: readonly TableFacts[] } | { readonly problem: string } | null;

/** The steps that make an experiment with the tables of a server: read, tick, choose types. */
export const TableSteps = ({ chosen, onChoose, what, onClose }: Props) => {
  const servers = useOwnServers();
  const offered = useOfferedServers();
  const engines = useStore(appInfo)?.engines ?? [];
  const [answer, setAnswer] = useState<Answer>(null);
  const [isReading, setReading] = useState(false);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = useState<ColumnChoices>({});
  const [scale, setScale] = useState('1');
  const [keepValues, setKeepValues] = useState(false);
  const [on, setOn] = useState<string | null>(null);
  const server = servers.find(({ target }) => target === chosen);
  const engine = engines.find(({ id }) => id === server?.engine);
  const source = engine?.tableStatistics;
  const facts = answer && 'facts' in answer ? answer.facts : null;
  const taken = (facts ?? []).filter((table) => !left.has(tableId(table)));
  const twin = taken.length === 0 ? null : twinOf(retyped(taken, choices), { scale: Number(scale), keepValues });
  const targets = [...(server ? [server] : []), ...offered.filter(({ target }) => target !== server?.target)];
  const to = targets.find(({ target }) => target === on) ?? server;
  const start = async () => {
    if (!server || !engine?.statements) return;
    setReading(true);
    setAnswer(null);
    const { target } = server;
    const text = smallestOn(target, engine.statements.language);
    try {
      const told = await withAnswers(({ passwords }) =>
        request('statements:importTables', { text, target, passwords }),
      );
      if (!told) return;
      setAnswer(told);
      setLeft(new Set());
      setChoices({});
    } catch (thrown) {
      const error = toErrorData(thrown);
      setAnswer(error.kind === 'cancelled' ? null : { problem: errorText(error) });
    } finally {
      setReading(false);
    }
  };
  const stop = () => void attempt('Could not stop', () => request('statements:cancel', null));
  const make = () => {
    if (!server || !to || !twin) return;
    const text = twinText(
      twin,
      { name: server.target, engine: server.engine },
      { name: to.target, engine: to.engine },
      engines,
    );
    openDraft({ id: null, origin: 'mine', text, isUnsaved: true, section: 'workload' });
    onClose();
  };
  return (
    <>
      <div className="dialog-body test-sql">
        <ServerChoice
          servers={servers}
          chosen={chosen}
          onChange={(target) => {
            if (isReading) stop();
            onChoose(target);
            setAnswer(null);
          }}
          onLeave={onClose}
        />
        <section aria-label="Tables" className="test-sql-main import-statements">
          <StepTitle step={2} title="Tables">
            {what}
          </StepTitle>
          <div className="row">
            <p className="grow" aria-live="polite">
              {aboutText(server?.label ?? null, source ?? null, engine?.unsupportedReasons.tableStatistics ?? '')}
            </p>
            {source !== undefined && (
              <Button onPress={isReading ? stop : () => void start()}>
                {isReading ? 'Stop reading' : facts ? 'Read again' : 'Read the tables'}
              </Button>
            )}
          </div>
          {answer && 'problem' in answer && <p role="alert">{answer.problem}</p>}
          {facts?.length === 0 && <p className="muted">The user of the connection may read no table of yours.</p>}
          {facts && facts.length > 0 && (
            <>
              <div className="row import-tables-choices">
                <Select
                  label="Rows for each row of yours"
                  value={scale}
                  choices={scales.map((id) => ({ id, label: id }))}
                  onChange={setScale}
                />
                <Select
                  label="Made on"
                  value={to?.target ?? null}
                  choices={targets.map(({ target, label }) => ({ id: target, label }))}
                  onChange={setOn}
                />
                <Checkbox label="Keep frequent texts as they are" checked={keepValues} onChange={setKeepValues} />
              </div>
              <TablesTable
                facts={facts}
                twin={twin}
                scale={Number(scale)}
                left={left}
                onTick={(id, isOn) =>
                  setLeft((now) => new Set(isOn ? [...now].filter((one) => one !== id) : [...now, id]))
                }
                choices={choices}
                onChoices={setChoices}
              />
              {twin && twin.told.length > 0 && (
                <details>
                  <summary>What differs, and what the server does not know</summary>
                  <ul className="test-sql-told">
                    {[...new Set(twin.told)].map((one) => (
                      <li key={one}>{one}</li>
                    ))}
                  </ul>
                </details>
              )}
            </>
          )}
        </section>
      </div>
      <div className="dialog-actions test-sql-actions">
        <p className="grow muted" aria-live="polite">
          {twin
            ? sizeText(taken, Number(scale))
            : server
              ? 'No row leaves the server, and nothing changes there.'
              : 'Choose a server.'}
        </p>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind="primary" isDisabled={twin === null} onPress={make}>
          Make the experiment
        </Button>
      </div>
    </>
  );
};

function aboutText(label: string | null, source: string | null, reason: string): string {
  if (label === null) return 'Dyno reads the definitions of tables and the statistics that the server has of them.';
  if (source === null) return `${label} has no statistics that Dyno reads. ${reason}`;
  return `Dyno reads ${source} of ${label}, and makes generated rows with the same statistics. Frequent numbers and times, and bounds of histograms, are values of the server.`;
}

function sizeText(taken: readonly TableFacts[], scale: number): string {
  const rows = taken.reduce((sum, one) => sum + one.rows * scale, 0);
  const bytes = taken.reduce((sum, one) => sum + one.rows * scale * rowBytes(one), 0);
  return `${many(taken.length, 'table')} with ${formatCount(Math.round(rows))} rows, about ${formatBytes(bytes)} without indexes. The builder estimates the time of a run.`;
}
