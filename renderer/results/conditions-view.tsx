import { variantLabel } from '#contract/variant-of.ts';
import { builtInWords } from '../../workers/analysis/built.ts';
import { checkTable } from '../../workers/analysis/check-words.ts';
import { formatBytes, formatMs, formatShort, formatStored } from '../../workers/analysis/format.ts';
import { likeForLikeTable } from '../../workers/analysis/like-for-like.ts';
import { loadFacts } from '../../workers/analysis/load-words.ts';
import { untilWords, warmupWords } from '../../workers/analysis/measure-words.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { networkTable } from '../../workers/analysis/network-table.ts';
import { repeatsOfRun } from '../../workers/analysis/verdict-words.ts';
import { verifiedText } from '../../workers/analysis/verified-words.ts';
import { Swatch } from '../charts/swatch.tsx';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';
import { scrollable } from '../ui/scrollable.ts';
import { CellTablePanel } from './cell-table-panel.tsx';
import { ConflictsPanel } from './conflicts-panel.tsx';
import { ServerPanel } from './server-panel.tsx';

type Props = { readonly model: RunModel };

const groups = [
  { id: 'setup', title: 'Setup' },
  { id: 'durability', title: 'Durability' },
  { id: 'memory', title: 'Memory' },
  { id: 'other', title: 'Other settings' },
] as const;

const LikeForLike = ({ model }: Props) => {
  const rows = likeForLikeTable(model);
  return (
    <Panel
      label="Like for like"
      anchor="fairness"
      title="Like for like"
      about="What the targets promise and are given, as it was found; differences are marked, and repeated under the charts where they change the work itself."
    >
      <div className="scroll-x" ref={scrollable}>
        <table className="grid-table like-table">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              {model.targets.map(({ name }) => (
                <th key={name} scope="col">
                  <span className="legend">
                    <Swatch index={model.plan.targets.find((target) => target.name === name)?.index ?? 0} /> {name}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Product</th>
              {model.targets.map(({ name, fingerprint, error }) => (
                <td key={name}>{fingerprint?.product ?? error?.message ?? '–'}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Address</th>
              {model.targets.map(({ name, address }) => (
                <td key={name}>{address}</td>
              ))}
            </tr>
            <tr>
              <th scope="row">Driver</th>
              {model.targets.map(({ name, descriptor }) => (
                <td key={name}>{descriptor.driver}</td>
              ))}
            </tr>
            {model.targets.some(({ descriptor }) => descriptor.notice) && (
              <tr>
                <th scope="row">To know</th>
                {model.targets.map(({ name, descriptor }) => (
                  <td key={name} className="muted">
                    {descriptor.notice}
                  </td>
                ))}
              </tr>
            )}
          </tbody>
          {groups.map(({ id, title }) => {
            const own = rows.filter((row) => row.group === id);
            return own.length === 0 ? null : (
              <tbody key={id}>
                <tr>
                  <th scope="rowgroup" colSpan={model.targets.length + 1} className="group-head">
                    {title}
                  </th>
                </tr>
                {own.map((row) => (
                  <tr key={row.setting}>
                    <th scope="row">{row.setting}</th>
                    {row.values.map((value, t) => (
                      <td key={model.targets[t]?.name} className={row.differs ? 'differs' : undefined}>
                        {value ?? <span className="faint">–</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            );
          })}
        </table>
      </div>
    </Panel>
  );
};

const Calibration = ({ model }: Props) => (
  <Panel
    label="Calibration"
    anchor="calibration"
    title="Calibration"
    about="What this client reaches alone, and the cheapest statement of each server over one connection; measured before the run."
  >
    <table className="grid-table">
      <thead>
        <tr>
          <th scope="col">Measured alone</th>
          <th scope="col" className="num">
            Rate
          </th>
          <th scope="col" className="num">
            p50
          </th>
          <th scope="col" className="num">
            p99
          </th>
        </tr>
      </thead>
      <tbody>
        {model.calibration.map((entry) => (
          <tr key={`${entry.kind} ${entry.target ?? ''} ${entry.label}`}>
            <th scope="row">{entry.label}</th>
            <td className="num">
              {formatShort(entry.perSecond)} {entry.unit}/s
            </td>
            <td className="num">{formatMs(entry.p50Us === null ? null : entry.p50Us / 1_000)}</td>
            <td className="num">{formatMs(entry.p99Us === null ? null : entry.p99Us / 1_000)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);

/** What the servers were found to hold after the clock had stopped. */
const Rows = ({ model }: Props) => {
  const cells = model.cells.filter(({ verification }) => verification !== null);
  if (cells.length === 0) return null;
  const anyBuilt = cells.some(({ built }) => built !== null);
  return (
    <Panel
      label="Rows in the tables"
      anchor="stored"
      title="Rows in the tables"
      about="Looked at after the clock had stopped, against what the client was told. The least of all repeats counts. Bytes are on disk unless they are said to be in memory."
    >
      <GridTable
        columns={[
          'Variant',
          'Target',
          'Verified',
          'How',
          ...numbers('Stored per row'),
          ...(anyBuilt ? ['Built over the rows'] : []),
        ]}
      >
        {cells.map((cell) => (
          <tr key={`${cell.variant} ${cell.target}`}>
            <th scope="row">{variantLabel(model.plan, cell.variant)}</th>
            <td>{cell.target}</td>
            <td className={cell.verification?.outcome === 'mismatch' ? 'bad' : undefined}>
              {cell.verification && verifiedText[cell.verification.outcome]}
            </td>
            <td className="muted">{cell.verification?.note}</td>
            <td className="num">{formatStored(cell.storedBytesPerRow)}</td>
            {anyBuilt && <td>{cell.built && builtInWords(cell.built)}</td>}
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};

function facts(model: RunModel): readonly (readonly [string, string])[] {
  const { environment } = model;
  const { measure } = model.plan;
  return [
    ['Dyno', environment.app],
    [
      'Runtime',
      Object.entries(environment.runtime)
        .map((pair) => pair.join(' '))
        .join(', '),
    ],
    [
      'Drivers',
      Object.entries(environment.drivers)
        .map((pair) => pair.join(' '))
        .join(', '),
    ],
    ['Operating system', environment.os],
    ['Processor', `${environment.cpu}, ${environment.cores} cores`],
    ['Memory', formatBytes(environment.memoryBytes)],
    ['Repeats', repeatsOfRun(model)],
    ['A trial ends', untilWords(model.plan)],
    ['Warm-up', warmupWords(model.plan)],
    ...loadFacts(model.plan),
    ['Order', `${measure.order}, seed ${measure.seed}`],
  ];
}

const Environment = ({ model }: Props) => (
  <Panel label="Environment" title="Machine and plan">
    <table className="grid-table">
      <tbody>
        {facts(model).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </Panel>
);

/** Under which conditions the numbers came about. */
export const ConditionsView = ({ model }: Props) => (
  <div className="view">
    <LikeForLike model={model} />
    <CellTablePanel table={networkTable(model)} />
    <CellTablePanel table={checkTable(model)} />
    <Rows model={model} />
    <ServerPanel model={model} />
    <ConflictsPanel model={model} />
    <div className="chart-grid">
      <Calibration model={model} />
      <Environment model={model} />
    </div>
  </div>
);
