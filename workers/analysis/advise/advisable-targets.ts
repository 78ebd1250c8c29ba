import type { Plan } from '#protocol/plan.ts';

/** The names of the targets that run statements of the user's own, which advice is about. */
export function advisableTargets({ targets, trials, variants }: Plan): readonly string[] {
  const statements = new Set(variants.filter(({ settings }) => settings.operation === 'statement').map(({ id }) => id));
  // The builder asks at each change of the file, and most files have many trials and no statements.
  if (statements.size === 0) return [];
  return targets
    .map(({ name }) => name)
    .filter((name) => trials.some((one) => one.target === name && statements.has(one.variant)));
}
