import { connectingSummary } from '#analysis/cells/connecting.ts';
import { networkSummary } from '#analysis/cells/network.ts';
import { perCallSummaries } from '#analysis/cells/per-call.ts';
import { busyMs } from '#analysis/client/busy-time.ts';
import type { BestOfEach } from '#analysis/compare/best-of-each.ts';
import { notComparableText } from '#analysis/compare/comparable.ts';
import { ratios } from '#analysis/compare/compare.ts';
import { costs } from '#analysis/compare/costs.ts';
import { headlineClaims } from '#analysis/compare/headline-claims.ts';
import { latencyRatios } from '#analysis/compare/latency-ratios.ts';
import { meanRatios } from '#analysis/compare/mean-ratios.ts';
import { publishedComparisons } from '#analysis/compare/published.ts';
import { runState } from '#analysis/compare/run-state.ts';
import { sweepsOf } from '#analysis/compare/sweep.ts';
import { tournamentsOf } from '#analysis/compare/tournament.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import type { Shown } from '#analysis/findings/shared/finding.ts';
import { gapsOf } from '#analysis/gap/explain-gap.ts';
import { type GoalOutcome, goalOutcomes } from '#analysis/goals/goal-outcomes.ts';
import { decisionOf, isWorse } from '#analysis/rehearsal/decision.ts';
import type { CellSummary, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { steadinessOf } from '#analysis/run-model/steadiness.ts';
import { changesOf } from '#analysis/server/changes.ts';
import { consumptions } from '#analysis/server/consumption.ts';
import { eventSummaries } from '#analysis/server/event-summary.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { ownShares } from '#analysis/server/server-time.ts';
import { comparedSettings } from '#analysis/settings/compared-settings.ts';
import { changeText, tournamentSentence } from '#analysis/text/tournament-text.ts';
import { type Baseline, baselineOf, type Compare, compareOf } from '#planning/rates/baseline.ts';
import { adviceJson } from '#presentation/text/advice-json.ts';
import { type Answer, answerOf } from '#presentation/text/answer.ts';
import { cellOf } from '#protocol/cell-key.ts';
import type { LoadCounts, TrialResult } from '#protocol/measurement.ts';
import type { PlannedTrial } from '#protocol/plan.ts';

/** A result without its histograms, because the cell contains the percentiles. */
const loadCounts = ({ response: _, sinceStart: __, startError: ___, wait: ____, ...counts }: LoadCounts) => counts;

/** The explanations of a gap; `guilty` has positions in `parts`. */
const gapsJson = (model: RunModel) =>
  gapsOf(model).map(({ from, to, parts, guilty, ...gap }) => ({
    ...gap,
    ...{ from: from.id, to: to.id, parts },
    guilty: guilty.map((part) => parts.indexOf(part)),
  }));

/** The decision of a rehearsal; of plans, whether they are the reference's: the trials have them. */
function decisionJson(model: RunModel) {
  const decision = decisionOf(model);
  return (
    decision && {
      ...decision,
      isWorse: isWorse(decision),
      candidates: decision.candidates.map((one) => ({
        ...one,
        statements: one.statements.map(({ plans, ...statement }) => ({
          ...statement,
          planChanged: plans?.hasChanged ?? null,
        })),
      })),
    }
  );
}

/** The changes of the file on each target; of their plans, whether they are the baseline's: the trials have them. */
const tournamentsJson = (model: RunModel, baseline: Baseline) =>
  tournamentsOf(model, baseline).map((tournament) => ({
    ...tournament,
    rows: tournament.rows.map(({ plans, ...row }) => ({
      change: changeText(model.plan, row.variant, tournament.baseline),
      ...row,
      plans: plans.map(({ after: { statement }, hasChanged }) => ({ statement, hasChanged })),
      sentence: tournamentSentence(model, tournament, { plans, ...row }),
    })),
  }));

/** The histograms of a trial as the run file has them; those of statements stand with their statement. */
const histogramsOf = ({ totals: { service, failed, commit, connecting, load } }: TrialResult) => ({
  service,
  failed,
  commit,
  ...(connecting && { connecting: connecting.opened }),
  ...(load && {
    response: load.response,
    sinceStart: load.sinceStart,
    startError: load.startError,
    wait: load.wait,
  }),
});

const bestJson = ({ fastest, others }: BestOfEach) => ({
  fastest: cellOf(fastest),
  others: others.map(({ best, ...one }) => ({ ...cellOf(best), ...one })),
});

interface JsonOptions {
  readonly compare?: Compare | undefined;
  /** True for the figures of each second and the histograms as well. */
  readonly series?: boolean;
}

/** The keys of the results that a script of @dyno/driver has types for (e2e/driver/results.ts), and all others. */
export type WrittenResults = Pick<RunModel, 'runId' | 'status' | 'startedAt' | 'endedAt' | 'caveats' | 'skipped'> & {
  readonly answer: Omit<Answer, 'latency'>;
  readonly cells: readonly Omit<CellSummary, 'histogram' | 'rowProblems'>[];
  readonly ratios: readonly Ratio[];
  readonly findings: readonly (Omit<Shown, 'picture'> & { readonly rule: string })[];
  readonly goals: readonly GoalOutcome[];
  readonly trials: readonly (
    | (Omit<TrialResult, 'totals' | 'network' | 'stages'> & {
        readonly rows: number;
        readonly rowsPerSecond: number | null;
      })
    | (PlannedTrial & { readonly status: 'damaged' | null })
  )[];
  readonly [key: string]: unknown;
};

/** The results of a run for scripts: summaries, ratios and trials. */
export function resultsJson(model: RunModel, { compare, series: hasSeries = false }: JsonOptions = {}): unknown {
  const baseline = baselineOf(model, compare);
  const claims = headlineClaims(model, baseline);
  const { best, cheapest } = claims;
  const { latency, ...answer } = answerOf(model, baseline, claims);
  const findings = findingsOf(model);
  return {
    runId: model.runId,
    status: model.status,
    state: runState(model),
    startedAt: model.startedAt,
    endedAt: model.endedAt,
    experiment: model.plan.experiment,
    environment: model.environment,
    targets: model.targets.map(({ descriptor: _, probeInfo: __, ...target }) => target),
    calibration: model.calibration,
    compare: compareOf(model, baseline),
    baseline,
    answer,
    cells: model.cells.map(({ histogram, rowProblems: __, ...cell }, i) => ({
      ...cell,
      ...(hasSeries && { histogram }),
      notComparable: notComparableText(model, model.cells[i]!),
    })),
    ratios: ratios(model, baseline),
    judgedTimes: latency && {
      comparisons: latency.comparisons,
      ratios: latency.ratios.map((one) => ({ ...one, certain: latency.certain.has(one) })),
    },
    times: latencyRatios(model, baseline),
    decision: decisionJson(model),
    gaps: gapsJson(model),
    tournaments: tournamentsJson(model, baseline),
    bestOfEach: best && bestJson(best),
    ...(cheapest && { cheapestOfEach: bestJson(cheapest) }),
    published: publishedComparisons(model),
    geometricMeans: meanRatios(model, baseline),
    ...(model.advice && model.targets[0] && { advice: adviceJson(model.advice, model.targets[0].descriptor) }),
    goals: goalOutcomes(model),
    costs: costs(model, baseline),
    enough: model.enough,
    searches: model.searches,
    perCall: perCallSummaries(model),
    sweeps: sweepsOf(model),
    serverWork: eventSummaries(model),
    consumption: consumptions(model),
    servers: serverSummaries(model).map((one) => ({ ...one, ownShares: one.time && ownShares(one.time) })),
    trials: model.trials.map((view) => {
      const { trial, result, damage } = view;
      if (!result) return { ...trial, status: damage === null ? null : 'damaged' };
      // The cells have the comparison of these answers.
      const { totals, network, stages, givenAnswers: _answers, sampledAnswers: _sampled, ...rest } = result;
      const ms = busyMs(result);
      const { service: _, failed: __, commit: ___, connecting: ____, load, ...counts } = totals;
      return {
        ...rest,
        ...counts,
        ...(stages && { stages: stages.map(loadCounts) }),
        ...(load && { load: loadCounts(load) }),
        ...(totals.connecting && { connecting: connectingSummary([result]) }),
        network: networkSummary([network]),
        rowsPerSecond: ms > 0 ? (totals.rows / ms) * 1_000 : null,
        steadiness: steadinessOf(view),
        changes: changesOf(view, model.targets.find(({ name }) => name === trial.target)?.probeInfo),
        ...(hasSeries && { series: view.series, histograms: histogramsOf(result) }),
      };
    }),
    skipped: model.skipped,
    damage: model.damage,
    caveats: model.caveats,
    comparedSettings: comparedSettings(model),
    findings: findings.shown.flatMap(({ rule, lead, also }) =>
      [lead, ...also].map(({ picture: _, ...one }) => ({ rule: rule.id, ...one })),
    ),
    lookedFor: [...findings.shown, ...findings.unshown].flatMap((one) =>
      ('lead' in one ? one.unshown : one.outcomes).map((outcome) => ({ rule: one.rule.id, ...outcome })),
    ),
  } satisfies WrittenResults;
}
