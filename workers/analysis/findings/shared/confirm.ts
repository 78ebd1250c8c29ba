import type { Experiment } from '#experiment/schema/experiment.ts';
import { placesOfLevels } from '#experiment/schema/levels.ts';
import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { writtenOut } from '#experiment/yaml/written-out.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { OptionValue } from '#model/settings/options.ts';
import type { Settings } from '#model/settings/settings.ts';
import { leastForVerdict, repeatsOf } from '#planning/repeats.ts';
import { impossibleText } from '#rules/cells/cell-support.ts';
import { specOf } from '#rules/targets/target-fields.ts';
import type { RunModel } from '../../run-model/run-model.ts';
import type { CellFacts, RunFacts } from './facts.ts';
import type { Confirm, Edit } from './finding.ts';

type Level = string | number | boolean;

interface Words {
  readonly title: string;
  readonly question: string;
}

/** An experiment that varies one thing and keeps everything else as in the finding's cell. */
interface Trial extends Words {
  /** A setting, or an option as engine.name. */
  readonly vary: string;
  /** The levels include the cell's own level, which is otherwise added in front. */
  readonly levels: readonly Level[];
  /** Other settings that must change as well, in all variants. */
  readonly workload?: Partial<Settings>;
  /** Further edits, made last. */
  readonly more?: readonly Edit[];
}

/**
 * The run's experiment on the cell's target only, with one factor and enough repeats for a verdict. Null: there is
 * nothing to vary.
 */
export function confirmBy(facts: RunFacts, cell: CellFacts, trial: Trial): Confirm | null {
  const { vary, levels, more = [] } = trial;
  const own = ownLevel(cell, vary);
  const all = own === undefined || levels.includes(own) ? levels : [own, ...levels];
  if (all.length < 2 && more.length === 0) return null;
  const edits: readonly Edit[] = [
    { path: vary.includes('.') ? ['workload', 'options', vary] : ['workload', vary], value: undefined },
    { path: ['factors'], value: { [vary]: all } },
    { path: ['baseline'], value: own === undefined ? undefined : { [vary]: own } },
    ...more,
  ];
  return confirmWith(facts, cell, trial, edits);
}

/**
 * The run's experiment on the cell's target only, with the cell's settings, these edits, and enough repeats for a
 * verdict.
 */
export function confirmWith(
  { model }: RunFacts,
  cell: CellFacts,
  { title, question, vary, workload = {} }: Words & Partial<Pick<Trial, 'vary' | 'workload'>>,
  edits: readonly Edit[],
): Confirm {
  const { experiment } = model.plan;
  const { options, ...settings } = { ...fixedByFactors(experiment, cell), ...workload };
  const target = specOf(experiment, cell.target.name);
  return {
    title,
    question,
    edits: [
      { path: ['name'], value: title },
      { path: ['question'], value: question },
      {
        path: ['about'],
        value: `Made from a run of “${experiment.name}”, to confirm what was found for ${cell.name}.`,
      },
      ...Object.entries(settings)
        .filter(([name]) => name !== vary)
        .map(([name, value]): Edit => ({ path: ['workload', name], value })),
      ...Object.entries(options ?? {})
        .filter(([name]) => name !== vary)
        .map(([name, value]): Edit => ({ path: ['workload', 'options', name], value })),
      ...placesOfLevels(experiment, cell.variant.levels),
      { path: ['factors'], value: undefined },
      { path: ['baseline'], value: undefined },
      { path: ['explain'], value: undefined },
      ...(experiment.compare === undefined ? [] : [{ path: ['compare'], value: undefined }]),
      ...(target === undefined || experiment.targets.length === 1 ? [] : [{ path: ['targets'], value: [target] }]),
      ...(repeatsOf(model.plan.measure).max < leastForVerdict
        ? [
            {
              path: ['measure', 'repeats'],
              // A precision requires a range of repeats.
              value: experiment.measure.until?.precision === undefined ? leastForVerdict : { max: leastForVerdict },
            },
          ]
        : []),
      ...(experiment.measure.search ? [{ path: ['measure', 'search'], value: undefined }] : []),
      ...edits,
    ],
  };
}

/** Trials that last this many seconds, instead of any other end; a precision stays. */
export const untilSeconds = (seconds: number): readonly Edit[] => [
  { path: ['measure', 'until', 'seconds'], value: seconds },
  { path: ['measure', 'until', 'rows'], value: undefined },
  { path: ['measure', 'until', 'calls'], value: undefined },
];

/**
 * The experiment's text, in the size of the run, with a finding's edits. Throws DynoError('badInput') if the text no
 * longer matches the run.
 */
export const confirmText = ({ yaml }: Pick<RunModel, 'yaml'>, { edits }: Confirm): string =>
  edits.reduce((file, { path, value }) => setIn(file, path, value), writtenOut(readYaml(yaml))).text;

function ownLevel({ settings }: CellFacts, vary: string): Level | undefined {
  const all: Readonly<Record<string, unknown>> = { ...settings, ...settings.options };
  const own = all[vary];
  return typeof own === 'object' ? undefined : (own as Level | undefined);
}

/** The settings that factors and a search determine, with their values in the cell. */
function fixedByFactors({ factors, measure }: Experiment, { settings }: CellFacts): Partial<Settings> {
  const names = new Set<string>(measure.search ? [measure.search.setting] : []);
  for (const [factor, levels] of Object.entries(factors)) {
    if (Array.isArray(levels)) names.add(factor);
    else
      for (const { options, ...bundle } of Object.values(levels))
        for (const name of [...Object.keys(bundle), ...Object.keys(options ?? {})]) names.add(name);
  }
  const fixed = Object.entries(settings).filter(([name]) => names.has(name));
  const options = Object.entries(settings.options).filter(([name]) => names.has(name));
  return {
    ...Object.fromEntries(fixed),
    ...(options.length > 0 && { options: Object.fromEntries(options) as Record<string, OptionValue> }),
  };
}

/** The levels that the engine can run with all other settings as in the cell. */
export const possibleLevels = <L extends Level>(
  { settings, target, experiment }: CellFacts,
  vary: string,
  levels: readonly L[],
  workload: Partial<Settings> = {},
): readonly L[] => {
  const { dataset } = experiment;
  return levels.filter(
    (level) => impossibleText(target.descriptor, { ...settings, ...workload, [vary]: level }, dataset) === null,
  );
};
