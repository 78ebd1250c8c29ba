import type { Mapping } from '#experiment/schema/changes.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import {
  changedFileCount,
  changedFiles,
  experimentOf,
  mostChangedFiles,
  placeInLevels,
} from '#experiment/schema/levels.ts';
import { withSize } from '#experiment/schema/sizes.ts';
import { formatCount } from '#model/format/format.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { Fix, Problem } from '#model/text/diagnostic.ts';
import { EndOfCheck } from '#model/text/first-problems.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

/** Reports the problems of a file's data. */
type Check = (value: Mapping, report: Report) => void;

/**
 * Checks the file as written, in every size, and with every combination of levels that change its sections. `whole`:
 * the check of the parts that no level changes, which runs once.
 */
export function checkInAll(experiment: Mapping, check: Check, whole: Check, report: Report): void {
  const names = Object.keys(isMapping(experiment.sizes) ? experiment.sizes : {});
  const most = mostOf(experiment, names.length + 1);
  const inLevels: Check = (value, add) => {
    whole(value, add);
    const count = changedFileCount(value);
    if (count > most) {
      const why = most < mostChangedFiles ? ' of a file of this length with these sizes' : '';
      add({
        path: ['factors'],
        at: 'key',
        message: `The levels that change sections of the file multiply to ${formatCount(count)} experiments; ${most}${why} are the most.`,
        suggestion: 'Vary fewer things at once, or name the combinations you want as levels of one factor.',
      });
      throw new EndOfCheck();
    }
    const files = changedFiles(value).map((one) => ({
      value: one.value,
      place: (path: Path) => placeInLevels(one, path),
    }));
    checkChanged(value, files, check, add);
  };
  const sizes = names.map((name) => ({
    value: withSize(experiment, name),
    place: (path: Path) => ['sizes', name, ...path],
  }));
  checkChanged(experiment, sizes, inLevels, report);
}

const wordsOf = (path: Path, message: string): string => JSON.stringify([formatPath(path), message]);

/** Characters that all checks of a file together may read, because a long file with many levels would block Dyno. */
const mostCharacters = 2_500_000;

/** The most combinations of levels that are checked in each of a file's sizes. */
const mostOf = (file: Mapping, sizes: number): number =>
  Math.max(2, Math.min(mostChangedFiles, Math.floor(mostCharacters / (JSON.stringify(file).length * sizes))));

interface Changed {
  readonly value: Mapping;
  /** Finds the place in the file for a path of the changed file; null: the change does not set this path. */
  readonly place: (path: Path) => Path | null;
}

/** Reports the problems of a file, and the further problems of changed files, at their places in the change. */
function checkChanged(file: Mapping, changed: readonly Changed[], check: Check, report: Report): void {
  const known = new Set<string>();
  const wrong = new Set<string>();
  check(file, (problem) => {
    known.add(wordsOf(problem.path, problem.message));
    if (problem.severity === undefined) wrong.add(formatPath(problem.path));
    report(problem);
  });
  for (const { value, place } of changed)
    check(value, (problem) => {
      if (known.has(wordsOf(problem.path, problem.message))) return;
      const placed = placedProblem(problem, place);
      // The check of the file's shape has reported the change itself.
      if (!wrong.has(formatPath(placed.path))) report(placed);
    });
}

/**
 * The problems of an experiment, and the further problems that it has with the sections that its levels change, at
 * their places in the level.
 */
export function* problemsInAll(
  experiment: Experiment,
  find: (one: Experiment) => Iterable<Problem>,
): Generator<Problem, void> {
  const known = new Set<string>();
  const isNew = ({ path, message }: Problem): boolean => {
    const words = wordsOf(path, message);
    return !known.has(words) && known.add(words).size > 0;
  };
  for (const problem of find(experiment)) if (isNew(problem)) yield problem;
  const own = new Set(known);
  for (const file of changedFiles(experiment)) {
    const levels = Object.fromEntries(file.levels.map(({ factor, level }) => [factor, level]));
    for (const problem of find(experimentOf(experiment, levels))) {
      if (own.has(wordsOf(problem.path, problem.message))) continue;
      const placed = placedProblem(problem, (path) => placeInLevels(file, path));
      if (isNew(placed)) yield placed;
    }
  }
}

/** A problem of a changed file at its place in the change. */
function placedProblem({ fix, ...problem }: Problem, place: Changed['place']): Problem {
  const placed = fix && placedFix(fix, place);
  return { ...problem, path: place(problem.path) ?? ['factors'], ...(placed && { fix: placed }) };
}

/** Null: the fix is about a part that the change does not set. */
function placedFix(fix: Fix, place: Changed['place']): Fix | null {
  if (fix.kind === 'several') {
    const fixes = fix.fixes.map((one) => placedFix(one, place));
    return fixes.every((one) => one !== null) ? { ...fix, fixes } : null;
  }
  const path = place(fix.path);
  return path && { ...fix, path };
}

/** The chosen size must exist. */
export function checkSize({ size, sizes }: Mapping, report: Report): void {
  const names = Object.keys(isMapping(sizes) ? sizes : {});
  if (typeof size !== 'string' || names.includes(size)) return;
  report({
    path: ['size'],
    message: `There is no size \`${size}\`.`,
    suggestion:
      didYouMean(size, names) ??
      (names.length === 0 ? 'The file has no `sizes`.' : `There are: \`${names.join('`, `')}\`.`),
  });
}
