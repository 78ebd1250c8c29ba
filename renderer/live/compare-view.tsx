import { useMemo, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  type ComparedRun,
  compareWithReference,
  type RunsComparison,
} from '#analysis/between-runs/compare-with-reference.ts';
import { comparisonPromise } from '#analysis/compare/compare-runs.ts';
import { interleaved } from '#analysis/compare/interleaved.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { verdictWords } from '#analysis/text/verdict-text.ts';
import { many } from '#model/format/plural.ts';
import { comparedPlansBlocks, comparedPlansText } from '#presentation/outline/compared-plans.ts';
import {
  comparedCellsTable,
  comparedMachinesTable,
  comparedTimesTable,
  findingChangesTable,
  runChangesTable,
} from '#presentation/tables/comparison/compared-runs-tables.ts';
import type { PanelTable as PanelTableData } from '#presentation/tables/shared/panel-table.ts';
import { changesText, nothingChanged } from '#presentation/text/changes-text.ts';
import { comparedDetails, comparedRunsAnswer } from '#presentation/text/compared-runs-answer.ts';
import { experimentName } from '#presentation/text/experiment-name.ts';
import { runLabels } from '#presentation/text/run-labels.ts';
import { openDraft } from '../builder/open-draft.ts';
import { PanelBlocks } from '../results/panel-blocks.tsx';
import { PanelTable } from '../results/panel-table.tsx';
import { runWithDifference } from '../runs/run-with-difference.ts';
import { attempt } from '../state/bridge.ts';
import { goTo } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { AnswerFacts, CertaintyLine } from '../ui/display/answer-parts.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';
import { useRuns } from './use-run.ts';
import { useRunsAlike } from './use-runs-alike.ts';

const titleOf = (count: number): string => `Comparison of ${count === 2 ? 'two' : count} runs`;

const RunLink = ({ model, label, id }: { readonly model: RunModel; readonly label: string; readonly id: string }) => (
  <AriaButton className="link" onPress={() => goTo({ page: 'run', runId: id })}>
    {experimentName(model.plan)}, {label}
  </AriaButton>
);

/** "2 significantly faster, 4 not statistically significant". */
const countsOf = ({ cells }: ComparedRun): string =>
  [...Map.groupBy(cells, ({ verdict }) => verdict)]
    .map(([verdict, own]) => `${own.length} ${verdictWords[verdict]}`)
    .join(', ');

interface Shown {
  readonly comparison: RunsComparison;
  /** The names of the reference and of the other runs. */
  readonly labels: readonly string[];
}

/** The answer about one run as sentences, and the experiment that would settle the open differences. */
const AnswerOfRun = ({ comparison, labels, at }: Shown & { readonly at: number }) => {
  const { reference, others, findings } = comparison;
  const compared = others[at - 1]!;
  const { run, cells, times, changes } = compared;
  const { headline, certainty, isCertain } = comparedRunsAnswer(run, cells);
  const isAlone = others.length === 1;
  const isOpen = [...cells, ...times].some(({ verdict }) => verdict === 'driftOrChange');
  const canSettle = isAlone && isOpen && run.yaml !== '';
  return (
    <>
      <h2 className={isAlone ? undefined : 'one-of-runs'}>{isAlone ? headline : `${labels[at]}: ${headline}`}</h2>
      <CertaintyLine text={certainty} isCertain={isCertain} />
      {comparedDetails(compared, findings, at).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {changes.length > 0 && <p className="muted">{changesText(changes)}</p>}
      {canSettle && (
        <div className="finding-confirm">
          <Button onPress={() => void openInterleaved(reference, run)}>
            Open an experiment that alternates two versions
          </Button>
          <span className="faint">If both runs name the same targets, add the other version as a target.</span>
        </div>
      )}
    </>
  );
};

const ComparedAnswer = ({ comparison, labels, ids }: Shown & { readonly ids: readonly string[] }) => {
  const { reference, others } = comparison;
  return (
    <section className="panel answer-card" aria-label="Answer">
      <div className="answer-words">
        {others.map((_, i) => (
          <AnswerOfRun key={labels[i + 1]} comparison={comparison} labels={labels} at={i + 1} />
        ))}
      </div>
      <AnswerFacts
        facts={[
          { key: '', name: 'Reference', value: <RunLink model={reference} label={labels[0]!} id={ids[0]!} /> },
          ...others.map((one, i) => ({
            key: labels[i + 1]!,
            name: 'Compared',
            value: (
              <>
                <RunLink model={one.run} label={labels[i + 1]!} id={ids[i + 1]!} />
                <div className="faint compared-counts">
                  {many(one.cells.length, 'cell')}: {countsOf(one)}
                </div>
              </>
            ),
          })),
        ]}
      />
    </section>
  );
};

/** A table of the comparison in a panel of its own. Nothing without rows. */
const TablePanel = ({
  title,
  about,
  model,
  table,
}: {
  readonly title: string;
  readonly about?: string | undefined;
  readonly model: RunModel;
  readonly table: PanelTableData;
}) =>
  table.rows.length === 0 ? null : (
    <Panel label={title} title={title} about={about}>
      <PanelTable model={model} table={table} label={title} />
    </Panel>
  );

/** `ids`: the ids of the runs in the list. A file that was renamed keeps the id of its run. */
const Comparison = ({ models, ids }: { readonly models: readonly RunModel[]; readonly ids: readonly string[] }) => {
  const entries = useStore(runs);
  const alike = useRunsAlike(ids[0]!);
  const comparison = useMemo(() => {
    const [first, ...rest] = models;
    return compareWithReference(first!, rest, entries ?? [], alike);
  }, [models, entries, alike]);
  const { reference, others } = comparison;
  const titles = ids.map((id) => entries?.find((one) => one.id === id)?.title ?? '');
  const labels = runLabels(models, titles, formatMoment);
  const promise = comparisonPromise(
    others.flatMap(({ cells, times }) => [...cells, ...times]),
    null,
  );
  const remarks = others.flatMap(({ remarks: own }, i) =>
    own.map((remark) => (others.length === 1 ? remark : `${labels[i + 1]}: ${remark}`)),
  );
  const hasChanges = others.some(({ changes }) => changes.length > 0);
  return (
    <>
      <PageHead
        title={titleOf(models.length)}
        actions={
          <>
            <ActionMenu
              label="Choose the reference"
              icon="pin"
              text="Reference"
              actions={ids.map((id, i) => ({
                id,
                label: labels[i]!,
                disabled: i === 0,
                run: () => goTo({ page: 'compare', runIds: [id, ...ids.filter((one) => one !== id)] }),
              }))}
            />
            <Button onPress={() => runWithDifference(...ids)}>Run again with a difference…</Button>
            <Button onPress={() => goTo({ page: 'runs' })}>All runs</Button>
          </>
        }
      />
      <div className="page-body stack">
        <ComparedAnswer comparison={comparison} labels={labels} ids={ids} />
        {remarks.length > 0 && (
          <Notice tone="warning" title="Caveats">
            {remarks.map((remark) => (
              <p key={remark}>{remark}</p>
            ))}
          </Notice>
        )}
        <Panel
          label="What changed"
          title="What changed"
          about={hasChanges ? 'Differences between the run files. Equal values are not listed.' : nothingChanged}
        >
          {hasChanges && (
            <PanelTable model={reference} table={runChangesTable(comparison, labels)} label="What changed" />
          )}
        </Panel>
        <TablePanel
          title="Throughput"
          about={`Throughput, and its ratio to the reference, with 95 % intervals over the repeats. ${promise.join(' ')}`}
          model={reference}
          table={comparedCellsTable(comparison, labels)}
        />
        <TablePanel
          title="Times"
          about="The judged times of all units of work, and of each statement and transaction: geometric means of the repeats. A mark at the right is faster."
          model={reference}
          table={comparedTimesTable(comparison, labels)}
        />
        {others.map(({ run, plans }, i) => {
          const sides = [labels[0]!, labels[i + 1]!] as const;
          const title = others.length === 1 ? 'Query plans' : `Query plans of ${sides[1]}`;
          return (
            plans.length > 0 && (
              <Panel key={title} label={title} title={title} about={comparedPlansText(plans)}>
                <PanelBlocks model={run} blocks={comparedPlansBlocks(reference, run, plans, sides)} />
              </Panel>
            )
          );
        })}
        <TablePanel
          title="Findings that differ"
          about="Findings that some of the runs show and others do not."
          model={reference}
          table={findingChangesTable(comparison, labels)}
        />
        <TablePanel
          title={models.length === 2 ? 'Machine in both runs' : 'Machine in these runs'}
          about="The client machine during the measured phases. A difference here may explain why the runs differ."
          model={reference}
          table={comparedMachinesTable(comparison, labels)}
        />
      </div>
    </>
  );
};

/** Opens a copy of the run's experiment that compares two versions. It neither saves nor runs anything. */
async function openInterleaved(before: RunModel, after: RunModel): Promise<void> {
  const made = await attempt('Could not create the experiment', async () => interleaved(before, after));
  if (made) openDraft({ id: null, origin: 'mine', text: made.text, isUnsaved: true });
}

/** The list of the render before if it has the same items. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const kept = useRef(list);
  const isSame = kept.current.length === list.length && list.every((one, i) => one === kept.current[i]);
  if (!isSame) kept.current = list;
  return kept.current;
}

/** The page that compares runs with the first of them, variant by variant. */
export const CompareView = ({ runIds }: { readonly runIds: readonly string[] }) => {
  const progress = useStore(runProgress);
  const feeds = useRuns(runIds);
  const found = feeds.map((feed, i) => feed.model(progress[runIds[i]!]?.live === true));
  const models = useSame(found.filter((model) => model !== null));
  if (feeds.some((feed) => feed.failure()))
    return (
      <div className="page-body stack">
        <Notice tone="error" title="One of the runs cannot be read">
          Open each run to see the reason.
        </Notice>
      </div>
    );
  return models.length === runIds.length ? (
    <Comparison models={models} ids={runIds} />
  ) : (
    <PageHead title={titleOf(runIds.length)} />
  );
};
