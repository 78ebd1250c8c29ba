import type { Problem } from './diagnostic.ts';

/** The most problems of one file that a check returns. */
export const mostProblems = 100;

/** Thrown by a check to end early, if further checks would add nothing new. */
export class EndOfCheck extends Error {}

/**
 * The problems that `check` reports, each once. The check ends early if it throws {@link EndOfCheck}, and after {@link
 * mostProblems}; then the first problem mentions that there are more.
 */
export function firstProblems(check: (report: (problem: Problem) => void) => void): readonly Problem[] {
  const found = new Map<string, Problem>();
  try {
    check((problem) => {
      const key = JSON.stringify([problem.path, problem.message]);
      if (!found.has(key) && found.size === mostProblems - 1) {
        found.set('', more);
        throw new EndOfCheck();
      }
      found.set(key, problem);
    });
  } catch (thrown) {
    if (!(thrown instanceof EndOfCheck)) throw thrown;
  }
  return [...found.values()];
}

const more: Problem = {
  path: [],
  message: `There are more problems than these ${mostProblems - 1}.`,
  suggestion: 'Solve these first; a new check shows the others.',
};
