import type { KnownConnection } from './connections.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { EngineDescriptor } from './engine.ts';
import type { Experiment } from './experiment.ts';
import { parseExperiment } from './experiment-file.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';

/** Everything that can be said about an experiment's text without touching a server: read, checked, and planned. */
export function checkExperiment(
  text: string,
  catalog: readonly EngineDescriptor[],
  connections: readonly KnownConnection[] = [],
): { readonly experiment: Experiment | null; readonly plan: Plan | null; readonly diagnostics: readonly Diagnostic[] } {
  const { experiment, diagnostics } = parseExperiment(text);
  if (!experiment) return { experiment: null, plan: null, diagnostics };
  const planned = makePlan(experiment, catalog, text, connections);
  const all = [...diagnostics, ...planned.diagnostics].sort((a, b) => a.line - b.line || a.column - b.column);
  return { experiment, plan: planned.plan, diagnostics: all };
}
