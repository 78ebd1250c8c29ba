import { useState } from 'react';
import { searchAims } from '#experiment/schema/search.ts';
import { estimateVolume, volumeBasis, volumeText } from '#planning/estimate-volume.ts';
import { sharedLoadLines } from '#planning/load-lines.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { type SearchLine, searchLines, searchTrials } from '#planning/search-lines.ts';
import { instanceTexts } from '#planning/server-instances.ts';
import { variantText } from '#planning/variant-of.ts';
import type { Checked } from '#protocol/ipc.ts';
import type { Plan } from '#protocol/plan.ts';
import { appInfo } from '../state/app-info.ts';
import { useStore } from '../state/store.ts';
import { Tabs } from '../ui/display/tabs.tsx';
import { ProblemList } from './problems/problem-list.tsx';

const list = new Intl.ListFormat('en', { type: 'conjunction' });
const skipped = 'skipped';

interface Row {
  readonly label: string;
  /** The text of a row for one target. */
  readonly textOf: (target: string) => string;
}

/** A row for each variant or search. Targets with the same text share a line, so that twelve targets fit. */
const PlanTable = ({
  title,
  plan,
  rows,
}: {
  readonly title: string;
  readonly plan: Plan;
  readonly rows: readonly Row[];
}) => {
  const targets = plan.targets.map(({ name }) => name);
  return (
    <table className="grid-table plan-table">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">On each target</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ label, textOf }) => {
          const groups = [...Map.groupBy(targets, textOf)];
          // If targets are skipped, only these are named.
          const others = groups.filter(([text]) => text !== skipped);
          return (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {groups.map(([text, names]) => (
                  <div key={text} className={text === skipped ? 'faint' : undefined}>
                    {groups.length === 1 || (others.length === 1 && text !== skipped)
                      ? text
                      : `${text} on ${list.format(names)}`}
                  </div>
                ))}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
};

/** The searches. Each combination of the other factors has a row. */
const SearchTable = ({ plan }: { readonly plan: Plan }) => {
  const lines = searchLines(plan);
  const about = (line: SearchLine | undefined): string => {
    if (line === undefined) return skipped;
    const { least, most } = searchTrials(line, plan.measure);
    return `about ${least} to ${most} trials at up to ${line.levels.length} loads`;
  };
  const { search } = plan.measure;
  const rows = [...new Set(lines.map(({ label }) => label))].map((label) => ({
    label: label === '' && search ? searchAims[search.find].label : label,
    textOf: (target: string) => about(lines.find((line) => line.label === label && line.target === target)),
  }));
  return <PlanTable title="Search" plan={plan} rows={rows} />;
};

/** Trials per cell, as text. */
function formatTrials({ measure }: Plan): string {
  const { min, max, relativeMargin } = repeatsOf(measure);
  if (relativeMargin !== null) return `${min} to ${max} trials`;
  return max === 1 ? '1 trial' : `${max} trials`;
}

const VariantTable = ({ plan }: { readonly plan: Plan }) => {
  const trials = formatTrials(plan);
  const runs = new Set(plan.trials.map(({ variant, target }) => `${variant} ${target}`));
  const rows = plan.variants.map(({ id, label }) => ({
    label,
    textOf: (target: string) => (runs.has(`${id} ${target}`) ? trials : skipped),
  }));
  return <PlanTable title="Variant" plan={plan} rows={rows} />;
};

const SkippedTable = ({ plan }: { readonly plan: Plan }) =>
  plan.skipped.length === 0 ? (
    <p className="panel-text muted">Every variant runs on every target.</p>
  ) : (
    <table className="grid-table plan-table">
      <thead>
        <tr>
          <th scope="col">Skipped</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {plan.skipped.map((cell) => (
          <tr key={`${cell.variant} ${cell.target}`}>
            <th scope="row">
              {variantText(plan, cell.variant)} <span className="muted">on {cell.target}</span>
            </th>
            <td className="muted">{cell.reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );

/** The estimated bytes that the run writes. */
const VolumeTable = ({ plan }: { readonly plan: Plan }) => {
  const engines = useStore(appInfo)?.engines ?? [];
  const references = new Set(engines.flatMap(({ id, reference }) => (reference ? [id] : [])));
  const groups = [...Map.groupBy(estimateVolume(plan, references), volumeText)];
  if (groups.length === 0) return null;
  return (
    <div className="panel-text">
      {groups.map(([text, of]) => (
        <div key={text}>
          <strong>{`Written to ${list.format(of.map(({ target }) => target))}:`}</strong> {text}
        </div>
      ))}
      {groups.some(([, of]) => of.some(({ rows }) => (rows ?? 0) > 0)) && <p className="help">{volumeBasis}</p>}
    </div>
  );
};

/** The targets whose variants share loads. */
const SharedLoads = ({ plan }: { readonly plan: Plan }) =>
  sharedLoadLines(plan).map((line) => (
    <p key={line} className="panel-text">
      {line}
    </p>
  ));

/** The servers that the run starts for itself, and the effect on the order of the trials. */
const ServersText = ({ plan }: { readonly plan: Plan }) => {
  const texts = instanceTexts(plan);
  return texts.length === 0 ? null : (
    <div className="panel-text">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
};

/** The rows of the plan: searches, or variants. */
const rowsOf = (plan: Plan): number =>
  plan.measure.search ? new Set(searchLines(plan).map(({ label }) => label)).size : plan.variants.length;

type Tab = 'variants' | 'skipped' | 'problems';

/** The plan: what will run, what will be skipped and why, and the problems of the file. */
export const PlanPanel = ({ checked }: { readonly checked: Checked | null }) => {
  const [chosen, setChosen] = useState<Tab | null>(null);
  const plan = checked?.plan ?? null;
  const problems = checked?.diagnostics ?? [];
  const noPlan = <p className="panel-text muted">The plan appears when the file has no errors.</p>;
  return (
    <section className="plan-panel" aria-label="Plan">
      <Tabs<Tab>
        label="Plan"
        selected={chosen ?? (checked !== null && plan === null ? 'problems' : 'variants')}
        onSelect={setChosen}
        items={[
          {
            id: 'variants',
            label: 'Variants',
            note: plan ? String(rowsOf(plan)) : '',
            content: plan ? (
              <>
                {plan.measure.search ? <SearchTable plan={plan} /> : <VariantTable plan={plan} />}
                <SharedLoads plan={plan} />
                <ServersText plan={plan} />
                <VolumeTable plan={plan} />
              </>
            ) : (
              noPlan
            ),
          },
          {
            id: 'skipped',
            label: 'Skipped',
            note: plan ? String(plan.skipped.length) : '',
            content: plan ? <SkippedTable plan={plan} /> : noPlan,
          },
          {
            id: 'problems',
            label: 'Problems',
            note: String(problems.length),
            content: <ProblemList problems={problems} isDraft />,
          },
        ]}
      />
    </section>
  );
};
