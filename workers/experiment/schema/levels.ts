import * as v from 'valibot';
import { withReferences } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { Path } from '#model/text/path-text.ts';
import { depthIn, isText, type Mapping, placesIn, valueAt, withChange } from './changes.ts';
import { type Experiment, experimentSchema, levelSections } from './experiment.ts';

/** One named level, with its change of the file: sections, and its settings as a part of the workload. */
interface LevelChange {
  readonly factor: string;
  readonly level: string;
  readonly change: Mapping;
}

/** The sections of a file in a level; the level's other keys are settings. */
const isSection = (key: string): boolean => (levelSections as readonly string[]).includes(key);

/** The sections of the file that a level changes. Empty: the level has settings only. */
export const sectionsOf = (level: unknown): Mapping =>
  Object.fromEntries(Object.entries(isMapping(level) ? level : {}).filter(([key]) => isSection(key)));

/** The settings of a level, without the sections of the file that it changes. */
export const settingsOf = (level: Mapping): Mapping =>
  Object.fromEntries(Object.entries(level).filter(([key]) => !isSection(key)));

/** The changes that a file contains, with their places: its sizes, its levels, and the levels of its sizes. */
export function changesIn({
  factors,
  sizes,
}: Mapping): readonly { readonly change: Mapping; readonly at: readonly string[] }[] {
  const entries = (all: unknown) =>
    Object.entries(isMapping(all) ? all : {}).flatMap(([name, one]) => (isMapping(one) ? [[name, one] as const] : []));
  const inLevels = (all: unknown, at: readonly string[]) =>
    entries(all).flatMap(([factor, levels]) =>
      entries(levels).map(([level, change]) => ({ change, at: [...at, 'factors', factor, level] })),
    );
  return [
    ...inLevels(factors, []),
    ...entries(sizes).flatMap(([size, change]) => [
      { change, at: ['sizes', size] },
      ...inLevels(change.factors, ['sizes', size]),
    ]),
  ];
}

/** The levels of a file that change sections of it, without their settings. */
export const changesOfLevels = ({ factors }: Mapping): readonly LevelChange[] =>
  Object.entries(isMapping(factors) ? factors : {}).flatMap(([factor, levels]) =>
    Object.entries(isMapping(levels) ? levels : {})
      .map(([level, value]): LevelChange => ({ factor, level, change: sectionsOf(value) }))
      .filter(({ change }) => Object.keys(change).length > 0),
  );

/** The factors that change sections of the file, with all of their levels, those without a change included. */
function changingFactors({ factors }: { readonly factors?: unknown }): readonly (readonly LevelChange[])[] {
  return Object.entries(isMapping(factors) ? factors : {}).flatMap(([factor, levels]) => {
    const all = Object.entries(isMapping(levels) ? levels : {});
    if (!all.some(([, level]) => Object.keys(sectionsOf(level)).length > 0)) return [];
    return [
      all.map(([level, value]): LevelChange => {
        const workload = settingsOf(isMapping(value) ? value : {});
        return { factor, level, change: { ...sectionsOf(value), workload } };
      }),
    ];
  });
}

/** A file with the changes of one combination of levels, as the file of an experiment without these factors. */
interface ChangedFile {
  readonly value: Mapping;
  readonly levels: readonly LevelChange[];
}

/** The most combinations of levels that change sections, because each is checked as a whole file. */
export const mostChangedFiles = 100;

/** Number of combinations of the levels that change sections of the file; 1: no level does. */
export const changedFileCount = (file: Mapping): number =>
  changingFactors(file).reduce((product, levels) => product * levels.length, 1);

/** The file with each combination of the levels that change sections of it. Empty: no level does, or too many do. */
export function changedFiles(file: Mapping): readonly ChangedFile[] {
  const factors = changingFactors(file);
  if (factors.length === 0 || changedFileCount(file) > mostChangedFiles) return [];
  return factors
    .reduce<readonly (readonly LevelChange[])[]>(
      (done, next) => done.flatMap((combination) => next.map((one) => [...combination, one])),
      [[]],
    )
    .map((levels) => ({ value: changedBy(file, levels), levels }));
}

function changedBy(file: Mapping, levels: readonly LevelChange[]): Mapping {
  const done = new Set(levels.map(({ factor }) => factor));
  const without = (all: unknown): Mapping =>
    Object.fromEntries(Object.entries(isMapping(all) ? all : {}).filter(([factor]) => !done.has(factor)));
  const alone: Mapping = {
    ...file,
    factors: without(file.factors),
    ...('baseline' in file && { baseline: without(file.baseline) }),
    ...('explain' in file && { explain: without(file.explain) }),
  };
  return levels.reduce((changed, { change }) => withChange(changed, change), alone);
}

/**
 * The place in the file of a path in a changed file: within the level that sets most of it; null: no level sets any of
 * it.
 */
export function placeInLevels({ levels }: Pick<ChangedFile, 'levels'>, path: Path): Path | null {
  const depths = levels.map(({ change }) => depthIn(change, path));
  const most = Math.max(...depths);
  const found = most === 0 ? undefined : levels[depths.lastIndexOf(most)];
  if (!found) return null;
  // The settings of a level stand in the level itself.
  return ['factors', found.factor, found.level, ...(path[0] === 'workload' ? path.slice(1) : path)];
}

interface Known {
  readonly factors: readonly (readonly LevelChange[])[];
  readonly made: Map<string, Experiment>;
  /** The results by the levels of a variant: progress asks for the same ones again and again. */
  readonly ofLevels: WeakMap<Readonly<Record<string, unknown>>, Experiment>;
}

const known = new WeakMap<Experiment, Known>();

const keyOf = (levels: readonly unknown[]): string => JSON.stringify(levels);

/**
 * The experiment as a variant runs it: with the sections that its levels change. Variants without such a change share
 * the experiment itself, and variants with the same changes share one result.
 */
export function experimentOf(experiment: Experiment, levels: Readonly<Record<string, unknown>>): Experiment {
  const all: Known = known.get(experiment) ?? {
    factors: changingFactors(experiment),
    made: new Map(),
    ofLevels: new WeakMap(),
  };
  known.set(experiment, all);
  if (all.factors.length === 0) return experiment;
  const before = all.ofLevels.get(levels);
  if (before) return before;
  const found = makeExperiment(experiment, levels, all);
  all.ofLevels.set(levels, found);
  return found;
}

function makeExperiment(
  experiment: Experiment,
  levels: Readonly<Record<string, unknown>>,
  { factors, made }: Known,
): Experiment {
  const own = factors.flatMap((all) => all.filter(({ factor, level }) => levels[factor] === level));
  // A run file that somebody has changed may have variants without these levels.
  if (own.length < factors.length) return experiment;
  const key = keyOf(own.map(({ level }) => level));
  const found = made.get(key);
  if (found) return found;
  // The rules for files have accepted these changes, but the experiment of a damaged run file may be invalid.
  const parsed = v.safeParse(experimentSchema, withReferences(changedBy(experiment, own)));
  const result = parsed.success ? parsed.output : experiment;
  made.set(key, result);
  return result;
}

/** The places that the levels of a variant set, with their values, which make a file that has no other variant. */
export function placesOfLevels(
  experiment: Experiment,
  levels: Readonly<Record<string, unknown>>,
): readonly { readonly path: Path; readonly value: unknown }[] {
  const own = changingFactors(experiment).flatMap((all) => all.filter(({ factor, level }) => levels[factor] === level));
  const changed = changedBy(experiment, own);
  const paths = own.flatMap(({ change: { workload: _, ...sections } }) =>
    placesIn(sections).map((path) => (isText(path.slice(0, -1)) ? path.slice(0, -1) : path)),
  );
  return [...new Map(paths.map((path) => [keyOf(path), path])).values()].map((path) => ({
    path,
    value: valueAt(changed, path),
  }));
}
