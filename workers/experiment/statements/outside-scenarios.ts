import type { Experiment } from '../schema/experiment.ts';

/**
 * The experiment without scenarios. The item gets the values that it shares in the first scenario with it as a step.
 */
export function outsideScenarios({ scenarios = {}, ...experiment }: Experiment, item: string): Experiment {
  const { parameters = {} } = Object.values(scenarios).find(({ steps }) => steps.includes(item)) ?? {};
  const shared = <T extends { readonly parameters: object }>(all: Readonly<Record<string, T>> = {}) =>
    all[item] ? { ...all, [item]: { ...all[item], parameters: { ...all[item].parameters, ...parameters } } } : all;
  return {
    ...experiment,
    statements: shared(experiment.statements),
    transactions: shared(experiment.transactions),
  };
}
