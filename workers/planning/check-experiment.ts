import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { KnownConnection } from '#model/connections.ts';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseExperiment } from '#rules/experiment-file.ts';
import type { FindMark } from '#rules/targets/plan-targets.ts';
import { makePlan } from './make-plan.ts';

/** Reads, checks and plans an experiment's text without any server. */
export function checkExperiment(
  text: string,
  catalog: readonly EngineDescriptor[],
  connections: readonly KnownConnection[] = [],
  findMark?: FindMark,
): { readonly experiment: Experiment | null; readonly plan: Plan | null; readonly diagnostics: readonly Diagnostic[] } {
  const { experiment, diagnostics } = parseExperiment(text);
  if (!experiment) return { experiment: null, plan: null, diagnostics };
  const planned = makePlan(experiment, catalog, text, connections, findMark);
  const all = [...diagnostics, ...planned.diagnostics].sort((a, b) => a.line - b.line || a.column - b.column);
  return { experiment, plan: planned.plan, diagnostics: all };
}
