import { loadInWords, loadModel } from '#contract/load-model.ts';
import type { Plan } from '#contract/plan.ts';
import { scenariosInWords } from '#contract/scenario-words.ts';
import { stagesInWords } from '#contract/stages.ts';
import { variantLabel } from '#contract/variant-of.ts';
import type { CellRow, CellTable } from './cell-table.ts';
import { formatCount, formatMs, formatNumber } from './format.ts';
import type { RunModel } from './model.ts';

/** More than these are not named one by one. */
const mostNamed = 3;

/** "Load: open, 200 arrivals/s (Poisson) on 8 connections": stands under every chart. */
export function loadRemark({ experiment, variants, measure }: LoadPlan): string {
  const { scenarios } = experiment;
  const stages = measure.stages ? `; in stages: ${stagesInWords(measure.stages)}` : '';
  return `Load: ${loadsInWords(variants, scenarios !== undefined)}${scenarios ? `; scenarios: ${scenariosInWords(scenarios)}` : ''}${stages}`;
}

type LoadPlan = Pick<Plan, 'experiment' | 'variants' | 'measure'>;

function loadsInWords(variants: Plan['variants'], inScenarios: boolean): string {
  const models = variants.map(({ settings }) => loadModel(settings));
  const words = [...new Set(models.map((model) => loadInWords(model, inScenarios)))];
  if (words.length <= mostNamed) return words.join('; ');
  const kinds = [...Map.groupBy(models, ({ kind }) => kind)].map(([kind, own]) => {
    const connections = own.map((one) => one.connections);
    const [low, high] = [Math.min(...connections), Math.max(...connections)];
    return `${kindWords[kind]}, ${low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`} connections`;
  });
  return `${kinds.join('; ')} (${words.length} different, see Conditions)`;
}

const kindWords = { closed: 'closed', open: 'open', partlyOpen: 'partly open' } as const;

/** The load of the plan; of each variant, where they differ in it. */
export function loadFacts({ experiment, variants, measure }: LoadPlan): readonly (readonly [string, string])[] {
  const { scenarios } = experiment;
  const wordsOf = (settings: Plan['variants'][number]['settings']) =>
    loadInWords(loadModel(settings), scenarios !== undefined);
  const all = variants.map(({ label, settings }) => [`Load of ${label}`, wordsOf(settings)] as const);
  const loads = [...new Set(all.map(([, load]) => load))];
  return [
    ...(loads.length > 1 ? all : loads.map((load) => ['Load', load] as const)),
    ...(scenarios ? [['Scenarios', scenariosInWords(scenarios)] as const] : []),
    ...(measure.stages ? [['Stages', stagesInWords(measure.stages)] as const] : []),
  ];
}

const loadColumns = [
  'offered/s',
  'achieved/s',
  'response p50',
  'response p95',
  'response p99',
  'wait p50',
  'wait p99',
  'service p50',
  'service p99',
  'start error p99',
  'backlog at the end',
] as const;

const loadNote =
  'Units of work: calls that commit by themselves, or transactions. Response: from the intended start to the end. Wait: for a connection. Service: of a call. Start error: how late the generator got round to a start. Backlog: units that were not over when the last one had arrived; they are worked on and counted. All repeats merged. A dash: too few to say, or a closed load, which offers as much as is answered.';

/** Of the cells with a load of their own, as texts in the order of loadColumns. The remark: the load in words, where it is not that of all of them. */
function loadRows(model: RunModel): readonly CellRow[] {
  const inScenarios = model.plan.experiment.scenarios !== undefined;
  const cells = model.cells.flatMap(({ load, ...cell }) =>
    load === null ? [] : [{ ...cell, load, words: loadInWords(load.model, inScenarios) }],
  );
  const differ = new Set(cells.map(({ words }) => words)).size > 1;
  return cells.map(({ variant, target, load, words }) => {
    const { response, wait, service, startError } = load;
    return {
      variant: variantLabel(model.plan, variant),
      target,
      remark: differ ? words : null,
      texts: [
        formatNumber(load.offeredPerSecond),
        formatNumber(load.achievedPerSecond),
        ...[response.p50, response.p95, response.p99, wait.p50, wait.p99, service.p50, service.p99, startError.p99].map(
          formatMs,
        ),
        load.backlog === null ? '–' : formatCount(load.backlog),
      ],
    };
  });
}

/** What was offered, what came of it, and who waited for what. Nothing where each connection is a closed loop of its own. */
export const loadTable = (model: RunModel): CellTable => ({
  id: 'load',
  title: 'Load',
  note: loadNote,
  columns: loadColumns,
  remark: 'Load',
  rows: loadRows(model),
});
