import type { Plan } from '#protocol/plan.ts';

/** The experiment's name and, if a size was chosen, the size: "Insert duel (published)". */
export const experimentName = ({ experiment: { name, size } }: Pick<Plan, 'experiment'>): string =>
  size === undefined ? name : `${name} (${size})`;
