import type { Experiment } from '#experiment/schema/experiment.ts';
import { settingsOf } from '#experiment/schema/levels.ts';
import { searchLevels } from '#experiment/schema/search.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { Variant } from '#protocol/plan.ts';
import { isOption, isSetting } from '#rules/file/factor-rules.ts';
import { formatLevels } from './variant-of.ts';

type Level = string | number | boolean;

/** One level of one factor, with the settings of that level. */
interface Choice {
  readonly factor: string;
  readonly level: Level;
  readonly sets: Partial<Settings>;
}

/**
 * Every combination of levels, with the last factor varying fastest; one variant named "default" without factors. The
 * loads of a search are levels like others.
 */
export function expandVariants(experiment: Experiment): readonly Variant[] {
  const { search } = experiment.measure;
  const searched = search && { [search.setting]: [...searchLevels(search)] };
  const combinations = Object.entries({ ...experiment.factors, ...searched })
    .map(([factor, levels]) => choices(factor, levels))
    .reduce<readonly (readonly Choice[])[]>(
      (done, next) => done.flatMap((combination) => next.map((choice) => [...combination, choice])),
      [[]],
    );
  return combinations.map((combination) => toVariant(combination, experiment));
}

function choices(factor: string, levels: Experiment['factors'][string]): readonly Choice[] {
  if (!Array.isArray(levels))
    return Object.entries(levels).map(([level, own]) => ({
      factor,
      level,
      sets: settingsOf(own) as Partial<Settings>,
    }));
  return levels.map((level) => ({
    factor,
    level,
    sets: isSetting(factor) ? { [factor]: level } : isOption(factor) ? { options: { [factor]: level } } : {},
  }));
}

function toVariant(combination: readonly Choice[], experiment: Experiment): Variant {
  const sets = [experiment.workload as Partial<Settings>, ...combination.map((choice) => choice.sets)];
  const levels = Object.fromEntries(combination.map(({ factor, level }) => [factor, level]));
  return {
    id: combination.map(({ factor, level }) => `${idPart(factor)}=${idPart(String(level))}`).join(' ') || 'default',
    label: formatLevels(levels) || 'default',
    levels,
    settings: {
      ...(Object.assign({}, defaultSettings, ...sets) as Settings),
      options: Object.assign({}, ...sets.map(({ options }) => options)) as Settings['options'],
    },
  };
}

/** Names that contain an = are quoted, so that no two combinations share an id. */
const idPart = (name: string): string => (name.includes('=') ? JSON.stringify(name) : name);
