import { useMemo } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { compareMachines } from '#analysis/compare/compare-machines.ts';
import { comparePlans } from '#analysis/compare/compare-plans.ts';
import {
  compareRuns,
  comparisonPromise,
  comparisonRemarks,
  earlierRuns,
  type RunComparison,
} from '#analysis/compare/compare-runs.ts';
import { interleaved } from '#analysis/compare/interleaved.ts';
import { whatChanged } from '#analysis/compare/what-changed.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { formatRunRatio, verdictWords } from '#analysis/text/verdict-text.ts';
import { formatInterval } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { variantOf, variantText } from '#planning/variant-of.ts';
import { comparedPlansBlocks, comparedPlansText } from '#presentation/outline/compared-plans.ts';
import { changesTable, nothingChanged } from '#presentation/tables/comparison/changes-table.ts';
import { ratioRange } from '#presentation/tables/shared/ratio-range.ts';
import { changesText } from '#presentation/text/changes-text.ts';
import { comparedRunsAnswer } from '#presentation/text/compared-runs-answer.ts';
import { experimentName } from '#presentation/text/experiment-name.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { openDraft } from '../builder/open-draft.ts';
import { RatioMark } from '../charts/ratio-mark.tsx';
import { PanelBlocks } from '../results/panel-blocks.tsx';
import { PanelTable } from '../results/panel-table.tsx';
import { attempt } from '../state/bridge.ts';
import { goTo } from '../state/navigation.ts';
import { runProgress, runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { GridTable, numbers } from '../ui/display/grid-table.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';
import { useRun } from './use-run.ts';

const RunLink = ({ model }: { readonly model: RunModel }) => (
  <AriaButton className="link" onPress={() => goTo({ page: 'run', runId: model.runId })}>
    {experimentName(model.plan)}, {formatMoment(model.startedAt)}
  </AriaButton>
);

/** "2 significantly faster, 4 not statistically significant". */
const countsOf = (all: readonly RunComparison[]): string =>
  [...Map.groupBy(all, ({ verdict }) => verdict)]
    .map(([verdict, own]) => `${own.length} ${verdictWords[verdict]}`)
    .join(', ');

interface AnswerProps {
  readonly before: RunModel;
  readonly after: RunModel;
  readonly all: readonly RunComparison[];
  readonly changed: string;
}

/** The answer as a sentence, the compared runs, and the experiment that would settle the open differences. */
const ComparedAnswer = ({ before, after, all, changed }: AnswerProps) => {
  const { headline, certainty, isCertain } = comparedRunsAnswer(after, all);
  const canSettle = all.some(({ verdict }) => verdict === 'driftOrChange') && after.yaml !== '';
  return (
    <section className="panel answer-card" aria-label="Answer">
      <div className="answer-words">
        <h2>{headline}</h2>
        {certainty !== null && (
          <div className={`answer-certainty ${isCertain ? 'is-certain' : 'is-uncertain'}`}>
            <span>
              <span aria-hidden="true">{isCertain ? '●' : '◐'}</span> {certainty}
            </span>
          </div>
        )}
        {changed !== '' && <p className="muted">{changed}</p>}
        {canSettle && (
          <div className="finding-confirm">
            <Button onPress={() => void openInterleaved(before, after)}>
              Open an experiment that alternates two versions
            </Button>
            <span className="faint">If both runs name the same targets, add the other version as a target.</span>
          </div>
        )}
      </div>
      <dl className="answer-facts">
        <div>
          <dt>Before</dt>
          <dd>
            <RunLink model={before} />
          </dd>
        </div>
        <div>
          <dt>After</dt>
          <dd>
            <RunLink model={after} />
          </dd>
        </div>
        <div>
          <dt>{many(all.length, 'cell')}</dt>
          <dd>{countsOf(all)}</dd>
        </div>
      </dl>
    </section>
  );
};

const Comparison = ({ before, after }: { readonly before: RunModel; readonly after: RunModel }) => {
  const entries = useStore(runs);
  const earlier = useMemo(() => earlierRuns(before, after, entries ?? []), [before, after, entries]);
  const all = useMemo(() => compareRuns(before, after, earlier), [before, after, earlier]);
  const promise = comparisonPromise(all, null);
  const remarks = useMemo(() => comparisonRemarks(before, after), [before, after]);
  const machine = useMemo(() => compareMachines(before, after), [before, after]);
  const plans = useMemo(() => comparePlans(before, after), [before, after]);
  const changes = useMemo(() => whatChanged(before, after), [before, after]);
  const unit = rateUnit(after);
  const range = ratioRange(all.map(({ ratio }) => ratio));
  return (
    <>
      <PageHead
        title="Comparison of two runs"
        actions={
          <>
            <Button onPress={() => goTo({ page: 'compare', before: after.runId, after: before.runId })}>
              Swap runs
            </Button>
            <Button onPress={() => goTo({ page: 'runs' })}>All runs</Button>
          </>
        }
      />
      <div className="page-body stack">
        <ComparedAnswer before={before} after={after} all={all} changed={changesText(changes)} />
        {remarks.map((remark) => (
          <Notice key={remark} tone="warning" title="Caveats">
            {remark}
          </Notice>
        ))}
        <Panel
          label="Comparison"
          title="After ÷ before"
          about={`Throughput is shown with its 95 % interval over the repeats. ${promise.join(' ')}`}
        >
          <GridTable
            columns={[
              'Variant',
              'Target',
              ...numbers(`Before, ${unit}`, `After, ${unit}`, 'After ÷ before'),
              'Slower · faster',
              'Verdict',
            ]}
          >
            {all.map(({ variant, target, before: old, after: now, ratio, verdict }) => (
              <tr key={`${variant} ${target}`}>
                <th scope="row">{variantOf(after.plan, variant)?.label ?? variantText(before.plan, variant)}</th>
                <td>{target}</td>
                <td className="num">{old === null ? '–' : formatInterval(old)}</td>
                <td className="num">{now === null ? '–' : formatInterval(now)}</td>
                <td className="num">
                  <strong>{formatRunRatio({ ratio, verdict })}</strong>
                </td>
                <td>
                  {ratio !== null && (
                    <RatioMark
                      ratio={ratio}
                      range={range}
                      differs={isDifference(verdict) || verdict === 'driftOrChange'}
                    />
                  )}
                </td>
                <td className={isDifference(verdict) ? undefined : 'muted'}>{verdictWords[verdict]}</td>
              </tr>
            ))}
          </GridTable>
        </Panel>
        <Panel
          label="What changed"
          title="What changed"
          about={
            changes.length === 0
              ? nothingChanged
              : 'Differences between the two run files. Equal values are not listed.'
          }
        >
          {changes.length > 0 && <PanelTable model={after} table={changesTable(changes)} label="What changed" />}
        </Panel>
        <Panel
          label="Machine in both runs"
          title="Machine in both runs"
          about="The client machine during the measured phases. A difference here may explain why the runs differ."
        >
          <GridTable columns={['Figure', ...numbers('Before', 'After'), 'Verdict']}>
            {machine.map(({ what, before: old, after: now, differs }) => (
              <tr key={what}>
                <th scope="row">{what}</th>
                <td className="num">{old}</td>
                <td className="num">{now}</td>
                <td>{differs && old !== now ? 'differs' : ''}</td>
              </tr>
            ))}
          </GridTable>
        </Panel>
        {plans.length > 0 && (
          <Panel label="Query plans" title="Query plans" about={comparedPlansText(plans)}>
            <PanelBlocks model={after} blocks={comparedPlansBlocks(before, after, plans)} />
          </Panel>
        )}
      </div>
    </>
  );
};

/** Opens a copy of the run's experiment that compares two versions. It neither saves nor runs anything. */
async function openInterleaved(before: RunModel, after: RunModel): Promise<void> {
  const made = await attempt('Could not create the experiment', async () => interleaved(before, after));
  if (made) openDraft({ id: null, origin: 'mine', text: made.text, isUnsaved: true });
}

/** The page that compares two runs, variant by variant. */
export const CompareView = ({ before, after }: { readonly before: string; readonly after: string }) => {
  const progress = useStore(runProgress);
  const feeds = [useRun(before), useRun(after)] as const;
  const failed = feeds.some((feed) => feed?.failure());
  const [old, now] = [
    feeds[0]?.model(progress[before]?.live === true),
    feeds[1]?.model(progress[after]?.live === true),
  ];
  if (failed)
    return (
      <div className="page-body stack">
        <Notice tone="error" title="One of the runs cannot be read">
          Open each run to see the reason.
        </Notice>
      </div>
    );
  return old && now ? <Comparison before={old} after={now} /> : <PageHead title="Comparison of two runs" />;
};
