import { useState } from 'react';
import type { TableFacts } from '#engine-api/table-facts.ts';
import { type ColumnChoices, retyped, rowBytes } from '#experiment/import-tables/retyped.ts';
import { twinOf } from '#experiment/import-tables/twin.ts';
import { twinText } from '#experiment/import-tables/twin-text.ts';
import { formatBytes, formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { openDraft } from '../../builder/open-draft.ts';
import { appInfo } from '../../state/app-info.ts';
import { request } from '../../state/bridge.ts';
import { withAnswers } from '../../state/passwords.ts';
import { useStore } from '../../state/store.ts';
import { Checkbox, Select } from '../../ui/controls/fields.tsx';
import { useOfferedServers, useOwnServers } from '../test-sql/server-choice.tsx';
import { smallestOn } from '../test-sql/smallest-experiment.ts';
import { ReadSteps, type ServerPart, useReading } from './read-steps.tsx';
import { TablesTable, tableId } from './tables-table.tsx';

const scales = ['0.01', '0.1', '1', '10'];

/** The steps that make an experiment with the tables of a server: read, tick, choose types. */
export const TableSteps = (part: ServerPart) => {
  const { chosen, onClose } = part;
  const servers = useOwnServers();
  const offered = useOfferedServers();
  const engines = useStore(appInfo)?.engines ?? [];
  const reading = useReading<{ readonly facts: readonly TableFacts[] }>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = useState<ColumnChoices>({});
  const [scale, setScale] = useState('1');
  const [keepValues, setKeepValues] = useState(false);
  const [on, setOn] = useState<string | null>(null);
  const server = servers.find(({ target }) => target === chosen);
  const engine = engines.find(({ id }) => id === server?.engine);
  const source = engine?.tableStatistics;
  const facts = reading.answer?.facts ?? null;
  const taken = (facts ?? []).filter((table) => !left.has(tableId(table)));
  const twin = taken.length === 0 ? null : twinOf(retyped(taken, choices), { scale: Number(scale), keepValues });
  const targets = [...(server ? [server] : []), ...offered.filter(({ target }) => target !== server?.target)];
  const to = targets.find(({ target }) => target === on) ?? server;
  const start = () => {
    if (!server || !engine?.statements) return;
    const { target } = server;
    const text = smallestOn(target, engine.statements.language);
    void reading.read(async () => {
      const told = await withAnswers(({ passwords }) =>
        request('statements:importTables', { text, target, passwords }),
      );
      setLeft(new Set());
      setChoices({});
      return told;
    });
  };
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
    <ReadSteps
      {...part}
      servers={servers}
      title="Tables"
      about={aboutText(server?.label ?? null, source ?? null, engine?.unsupportedReasons.tableStatistics ?? '')}
      reading={reading}
      readLabel={source === undefined ? null : 'Read the tables'}
      onRead={start}
      summary={
        twin
          ? sizeText(taken, Number(scale))
          : server
            ? 'No row leaves the server, and nothing changes there.'
            : 'Choose a server.'
      }
      canMake={twin !== null}
      onMake={make}
    >
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
            onTick={(id, isOn) => setLeft((now) => new Set(isOn ? [...now].filter((one) => one !== id) : [...now, id]))}
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
    </ReadSteps>
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
