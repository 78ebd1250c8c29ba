import { withSize } from '#experiment/schema/sizes.ts';
import { isMapping } from '#model/is-mapping.ts';
import { didYouMean, meantLevel } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';
import { isOption, isSetting } from './factor-rules.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Levels of published figures should occur in this file, in one of its sizes; charts omit figures with others. */
export function checkPublished(experiment: Mapping, report: Report): void {
  const known = levelsOf(experiment);
  for (const [index, published] of listOf(experiment.published).entries()) {
    if (!isMapping(published)) continue;
    const path = ['published', index];
    checkLevels(published.baseline, [...path, 'baseline'], known, report);
    for (const [at, value] of listOf(published.values).entries())
      if (isMapping(value)) checkLevels(value.levels, [...path, 'values', at, 'levels'], known, report);
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The levels of every factor, in all sizes. */
function levelsOf(experiment: Mapping): ReadonlyMap<string, ReadonlySet<string>> {
  const names = Object.keys(isMapping(experiment.sizes) ? experiment.sizes : {});
  const known = new Map<string, Set<string>>();
  for (const one of [experiment, ...names.map((name) => withSize(experiment, name))])
    for (const [factor, levels] of Object.entries(isMapping(one.factors) ? one.factors : {})) {
      const all = Array.isArray(levels) ? levels.map(String) : isMapping(levels) ? Object.keys(levels) : [];
      known.set(factor, new Set([...(known.get(factor) ?? []), ...all]));
    }
  return known;
}

function checkLevels(levels: unknown, path: Path, known: ReadonlyMap<string, ReadonlySet<string>>, report: Report) {
  for (const [factor, level] of Object.entries(isMapping(levels) ? levels : {})) {
    const own = known.get(factor);
    const problem = (at: 'key' | 'value', message: string, suggestion: string) =>
      report({ severity: 'warning', path: [...path, factor], at, message, suggestion });
    if (own === undefined && factor !== 'target' && !isSetting(factor) && !isOption(factor))
      problem(
        'key',
        `\`${factor}\` is neither a factor nor a setting.`,
        didYouMean(factor, known.keys()) ?? `Factors: ${[...known.keys()].join(', ')}.`,
      );
    else if (own !== undefined && !own.has(String(level)))
      problem('value', `\`${factor}\` has no level \`${String(level)}\` in any size.`, meantLevel(level, own));
  }
}
