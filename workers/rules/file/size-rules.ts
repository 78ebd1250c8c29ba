import { withSize } from '#experiment/schema/sizes.ts';
import { isMapping } from '#model/is-mapping.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** The chosen size must exist, and each size must result in a valid experiment. */
export function checkSizes(experiment: Mapping, check: (value: Mapping, report: Report) => void, report: Report): void {
  const names = Object.keys(isMapping(experiment.sizes) ? experiment.sizes : {});
  if (typeof experiment.size === 'string' && !names.includes(experiment.size))
    report({
      path: ['size'],
      message: `There is no size \`${experiment.size}\`.`,
      suggestion:
        didYouMean(experiment.size, names) ??
        (names.length === 0 ? 'The file has no `sizes`.' : `There are: \`${names.join('`, `')}\`.`),
    });
  const known = new Set<string>();
  const wordsOf = (path: Path, message: string) => `${path.join('.')} ${message}`;
  check(experiment, ({ path, message }) => known.add(wordsOf(path, message)));
  for (const name of names)
    check(withSize(experiment, name), (problem) => {
      if (!known.has(wordsOf(problem.path, problem.message)))
        report({ ...problem, path: ['sizes', name, ...problem.path] });
    });
}
