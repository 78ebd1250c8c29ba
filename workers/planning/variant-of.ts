import type { Experiment } from '#experiment/schema/experiment.ts';
import { experimentOf } from '#experiment/schema/levels.ts';
import { formatUpTo } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { settingDefinitions } from '#model/settings/settings.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { isOption, isSetting } from '#rules/file/factor-rules.ts';
import { plannedMeasure } from './planned-measure.ts';

/** The variants of a plan by their ids. Panels look a variant up for each cell of each of their rows. */
const byId = new WeakMap<Plan['variants'], ReadonlyMap<string, Variant>>();

/** The variant with this id; undefined where the plan has none (a cell of another run). */
export function variantOf({ variants }: Pick<Plan, 'variants'>, id: string): Variant | undefined {
  const found = byId.get(variants) ?? new Map(variants.map((variant) => [variant.id, variant]));
  byId.set(variants, found);
  return found.get(id);
}

const known = new WeakMap<Plan, Map<Experiment, Plan>>();

/**
 * A plan as one of its variants runs it: its experiment has the sections that the variant's levels change, and the rows
 * of the measurement follow from it. The plan itself where the variant changes no section.
 */
export function planOf(plan: Plan, variant: Pick<Variant, 'levels'> | undefined): Plan {
  const experiment = variant ? experimentOf(plan.experiment, variant.levels) : plan.experiment;
  if (experiment === plan.experiment) return plan;
  const own = known.get(plan) ?? new Map<Experiment, Plan>();
  known.set(plan, own);
  const made = own.get(experiment) ?? { ...plan, experiment, measure: plannedMeasure(experiment, plan.variants) };
  own.set(experiment, made);
  return made;
}

/** The experiments that the variants of a plan run, each once. */
export const experimentsOf = ({
  experiment,
  variants,
}: Pick<Plan, 'experiment' | 'variants'>): readonly Experiment[] => [
  ...new Set(variants.map(({ levels }) => experimentOf(experiment, levels))),
];

/** The levels of the factors that have several. */
const levelsOf = ({ experiment, variants }: Pick<Plan, 'experiment' | 'variants'>) =>
  variants.length < 2
    ? []
    : Object.entries(experiment.factors ?? {}).filter(([, levels]) => Object.keys(levels).length > 1);

/** True for a part of tables or of the engine: a setting of tables, or options of the engine. */
const isOfEngine = (name: string): boolean =>
  name === 'options' || isOption(name) || (isSetting(name) && settingDefinitions[name].scope === 'table');

/**
 * True if the variants run different files, or tables and engines with different options: the levels of a factor change
 * sections of the experiment, or set options of its tables or of the engine.
 */
export const changesFile = (plan: Pick<Plan, 'experiment' | 'variants'>): boolean =>
  experimentsOf(plan).length > 1 ||
  levelsOf(plan).some(([factor, levels]) =>
    Array.isArray(levels)
      ? isOfEngine(factor)
      : Object.values(levels).some((level) => Object.keys(level).some(isOfEngine)),
  );

/**
 * True if the variants are compared as changes: their levels change the file, or have names. The levels of a listed
 * setting of the load or of the access are compared by their own tables and charts.
 */
export const comparesChanges = (plan: Pick<Plan, 'experiment' | 'variants'>): boolean =>
  changesFile(plan) || levelsOf(plan).some(([, levels]) => !Array.isArray(levels));

/** A plan as its variants run it, each difference once. */
export const plansOf = (plan: Plan): readonly Plan[] => [
  ...new Set(plan.variants.map((variant) => planOf(plan, variant))),
];

/** The name of a variant in sentences, tables and charts; its id where the plan does not contain it. */
export const variantText = (plan: Pick<Plan, 'variants'>, id: string): string => variantOf(plan, id)?.label ?? id;

/** Factors whose levels are names that need no other: "prepared", "scan". */
const namesThemselves: ReadonlySet<string> = new Set(['method', 'operation']);

/**
 * A factor's name for people: the label of its setting, else its name in the file, which begins with a capital unless
 * it is an identifier, such as the name of a parameter of the server.
 */
export function factorText(factor: string): string {
  if (isSetting(factor)) return settingDefinitions[factor].label;
  return /[._]/.test(factor) ? factor : sentence(factor);
}

/** A level without its factor: "8", "5 ms", "on", "prepared". */
export function formatLevel(factor: string, level: Variant['levels'][string]): string {
  if (typeof level === 'string') return level;
  if (typeof level === 'boolean') return level ? 'on' : 'off';
  const setting = isSetting(factor) ? settingDefinitions[factor] : null;
  const inWords = setting?.words[String(level)];
  if (inWords !== undefined) return inWords;
  const unit = setting?.unit ?? null;
  return unit === null ? formatUpTo(level) : `${formatUpTo(level)}\u00a0${unit}`;
}

/**
 * Levels as text, each with its factor's name, but for those that name themselves: "prepared · Connections: 8 ·
 * Secondary index: no".
 */
export const formatLevels = (levels: Variant['levels']): string =>
  Object.entries(levels)
    .map(([factor, level]) => {
      const text = formatLevel(factor, level);
      return namesThemselves.has(factor) && typeof level === 'string' ? text : `${factorText(factor)}: ${text}`;
    })
    .join(' · ');
