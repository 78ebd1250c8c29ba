import { formatCount } from '#model/format/format.ts';
import { stagesInWords } from '#model/stages.ts';
import { loadInWords, loadModel } from '#model/statements/load-model.ts';
import { scenariosInWords } from '#model/statements/scenario-words.ts';
import type { Plan } from '#protocol/plan.ts';

/** More than these are not named one by one. */
const mostNamed = 3;

/** "Load: open, 200 arrivals/s (Poisson) on 8 connections": stands under every chart. */
export function describeLoads({ experiment, variants, measure }: LoadPlan): string {
  const { scenarios } = experiment;
  const stages = measure.stages ? `; in stages: ${stagesInWords(measure.stages)}` : '';
  return `Load: ${describeVariantLoads(variants, scenarios !== undefined)}${scenarios ? `; scenarios: ${scenariosInWords(scenarios)}` : ''}${stages}`;
}

type LoadPlan = Pick<Plan, 'experiment' | 'variants' | 'measure'>;

function describeVariantLoads(variants: Plan['variants'], inScenarios: boolean): string {
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
