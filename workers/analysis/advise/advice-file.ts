import type { Mapping } from '#experiment/schema/changes.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { placesOfLevels, settingsOf } from '#experiment/schema/levels.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Variant } from '#protocol/plan.ts';
import { isOption, isSetting } from '#rules/file/factor-rules.ts';
import { specOf } from '#rules/targets/target-fields.ts';
import type { Candidate } from './candidate.ts';

/** The factor of an experiment that measures advice, and its level without a change. */
export const adviceFactor = 'advice';
/** The level without a change. */
export const unchangedLevel = 'unchanged';

type Edits = readonly (readonly [Path, unknown])[];

const edited = (file: YamlSource, edits: Edits): YamlSource =>
  edits.reduce((made, [path, value]) => setIn(made, path, value), file);

/** The file with one variant on one target, written out without factors and without what belongs to other runs. */
export function oneVariant(source: YamlSource, experiment: Experiment, variant: Variant, target: string): YamlSource {
  const file = writtenOut(source);
  const spec = specOf(experiment, target);
  const has = (key: string) => isMapping(file.value) && Object.hasOwn(file.value, key);
  const measure = ['search', 'stages', 'budgetSeconds'].filter((key) => Object.hasOwn(experiment.measure, key));
  return edited(file, [
    ...settingsInLevels(experiment, variant),
    ...placesOfLevels(experiment, variant.levels).map(({ path, value }) => [path, value] as const),
    ...['factors', 'baseline', 'explain', 'compare', 'judge', 'goals']
      .filter(has)
      .map((key) => [[key], undefined] as const),
    ...measure.map((key) => [['measure', key], undefined] as const),
    [['targets'], [spec]],
  ]);
}

/** The settings of a variant's levels, as the workload of a file without factors. */
const settingsInLevels = ({ factors }: Experiment, { levels }: Variant): Edits =>
  Object.entries(levels).flatMap(([factor, level]): Edits => {
    const all = factors[factor];
    if (all === undefined || Array.isArray(all)) {
      if (isSetting(factor)) return [[['workload', factor], level]];
      return isOption(factor) ? [[['workload', 'options', factor], level]] : [];
    }
    const { options, ...settings } = settingsOf((all as Readonly<Record<string, Mapping>>)[String(level)] ?? {});
    return [
      ...Object.entries(settings).map(([name, value]) => [['workload', name], value] as const),
      ...Object.entries(isMapping(options) ? options : {}).map(
        ([name, value]) => [['workload', 'options', name], value] as const,
      ),
    ];
  });

interface AdviceFile {
  readonly name: string;
  readonly question: string;
  /** Empty: a run that only looks at times and plans. */
  readonly candidates: readonly Candidate[];
  readonly probes: Mapping;
  readonly seconds: number;
  readonly repeats: number;
}

/** Draws of the parameters with which the answers of a rewritten text are compared. */
const draws = 50;

/** The file that measures candidates beside each other. `base`: made by oneVariant. */
export function adviceFile(
  base: YamlSource,
  { name, question, candidates, probes, seconds, repeats }: AdviceFile,
): YamlSource {
  const levels = Object.fromEntries(candidates.map(({ title, change }) => [title, change]));
  const equal = isMapping(base.value) && isMapping(base.value.equal) ? base.value.equal : {};
  return edited(base, [
    [['name'], name],
    [['question'], question],
    ...Object.entries(probes).map(([statement, probe]) => [['statements', statement], probe] as const),
    // The time to create indexes is only measured after loading.
    [['workload', 'indexCreation'], 'afterLoad'],
    ...(candidates.length === 0
      ? []
      : ([
          [['factors'], { [adviceFactor]: { [unchangedLevel]: {}, ...levels } }],
          [['baseline'], { [adviceFactor]: unchangedLevel }],
          [['compare'], 'levels'],
          [['equal'], { ...equal, draws: Math.max(draws, Number(equal.draws ?? 0)) }],
        ] as const)),
    [['measure', 'until'], { seconds }],
    [['measure', 'repeats'], repeats],
    [['measure', 'warmupSeconds'], Math.min(1, seconds / 3)],
    [['measure', 'order'], 'interleaved'],
  ]);
}
