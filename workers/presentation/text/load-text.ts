import { experimentOf } from '#experiment/schema/levels.ts';
import { formatUpTo } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { stagesText } from '#model/stages.ts';
import { scenariosText } from '#model/statements/format-scenarios.ts';
import { isPlainLoop, type LoadModel, loadModel, loadText } from '#model/statements/load-model.ts';
import { experimentsOf } from '#planning/variant-of.ts';
import type { Plan } from '#protocol/plan.ts';

/** The most loads that are named one by one. */
const mostNamed = 3;

/** The load under every chart: "Load: open, 200 arrivals/s (Poisson) on 8 connections". */
export function loadsText(plan: LoadPlan): string {
  const { stages } = plan.measure;
  const scenarios = scenarioTexts(plan);
  return [
    `Load: ${variantLoadsText(plan)}`,
    ...(scenarios.length > 0 ? [`scenarios: ${differingTexts(scenarios)}`] : []),
    ...(stages ? [`in stages: ${stagesText(stages)}`] : []),
  ].join('; ');
}

type LoadPlan = Pick<Plan, 'experiment' | 'variants' | 'measure'>;

/** The scenarios of all variants, each text once. */
const scenarioTexts = (plan: LoadPlan): readonly string[] => [
  ...new Set(experimentsOf(plan).flatMap(({ scenarios }) => (scenarios ? [scenariosText(scenarios)] : []))),
];

const wordsOf = ({ experiment }: LoadPlan, { levels, settings }: Plan['variants'][number]): string =>
  loadText(loadModel(settings), experimentOf(experiment, levels).scenarios !== undefined);

function variantLoadsText(plan: LoadPlan): string {
  const models = plan.variants.map(({ settings }) => loadModel(settings));
  const words = [...new Set(plan.variants.map((variant) => wordsOf(plan, variant)))];
  if (words.length <= mostNamed) return inOne(words) ?? words.join('; ');
  const kinds = [...Map.groupBy(models, ({ kind }) => kind)].map(([kind, own]) => {
    const pool = own.every(isPlainLoop)
      ? ''
      : ` on ${fromTo(
          own.map(({ connections }) => connections),
          'connection',
        )}`;
    return `${kindWords[kind]}, ${whoCalls(own)}${pool}`;
  });
  return `${kinds.join('; ')} (${words.length} different loads)`;
}

/** The range of loads of one kind: "1 to 64 users", "100 to 1,600 arrivals/s". */
function whoCalls(loads: readonly LoadModel[]): string {
  const { kind } = loads[0]!;
  if (kind === 'closed')
    return fromTo(
      loads.flatMap((one) => (one.kind === 'closed' ? one.users : [])),
      'user',
    );
  const rates = fromTo(
    loads.flatMap((one) => (one.kind === 'closed' ? [] : one.arrivalsPerSecond)),
    null,
  );
  return `${rates} ${kind === 'open' ? 'arrivals' : 'sessions'}/s`;
}

/** "8 connections", "1 to 64 connections". `one` is the singular word; null omits the word. */
function fromTo(values: readonly number[], one: string | null): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const words = one === null ? formatUpTo(high) : many(high, one);
  return low === high ? words : `${formatUpTo(low)} to ${words}`;
}

/** The loads, if they differ in one word: "closed, 16 or 64 users on 8 connections". Null if they differ in more. */
function inOne(loads: readonly string[]): string | null {
  const [first = [], ...others] = loads.map((load) => load.split(' '));
  if (others.length === 0 || others.some(({ length }) => length !== first.length)) return null;
  const differing = first.flatMap((word, at) => (others.every((other) => other[at] === word) ? [] : [at]));
  const [at] = differing;
  if (at === undefined || differing.length > 1) return null;
  const words = [first, ...others].map((load) => load[at]!);
  return first.with(at, `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`).join(' ');
}

const kindWords = { closed: 'closed', open: 'open', partlyOpen: 'partly open' } as const;

/** The load of the plan, or of each variant if variants differ in it. */
export function loadFacts(plan: LoadPlan): readonly (readonly [string, string])[] {
  const { stages } = plan.measure;
  const all = plan.variants.map((variant) => [`Load of ${variant.label}`, wordsOf(plan, variant)] as const);
  const loads = [...new Set(all.map(([, load]) => load))];
  const scenarios = scenarioTexts(plan);
  return [
    ...(loads.length > 1 && all.length > mostNamed
      ? [['Load', variantLoadsText(plan)] as const]
      : loads.length > 1
        ? all
        : loads.map((load) => ['Load', load] as const)),
    ...(scenarios.length > 0 ? [['Scenarios', differingTexts(scenarios)] as const] : []),
    ...(stages ? [['Stages', stagesText(stages)] as const] : []),
  ];
}

/** Texts in which variants differ, as one text that names the first of them: "1,000 rows; 20,000 rows". */
export const differingTexts = (texts: readonly string[]): string =>
  texts.length <= mostNamed
    ? texts.join('; ')
    : `${texts.slice(0, mostNamed).join('; ')}; ${texts.length - mostNamed} more`;
