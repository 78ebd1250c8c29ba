import { totalmem } from 'node:os';
import { reservedBytes } from '#engine-api/support/server-parameters.ts';
import { findEngine } from '#engines/catalog.ts';
import { formatBytes } from '#model/format/format.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { instancesOf } from '#planning/server-instances.ts';
import type { Plan } from '#protocol/plan.ts';

/** The share of the machine's memory that servers may reserve; the rest is for their sessions, Dyno and the system. */
const mostOfMemory = 0.8;

/** The servers that a run starts for itself live side by side, so they have to fit into memory together. */
export function serverMemoryProblems(plan: Plan, memoryBytes = totalmem()): readonly Problem[] {
  const reserved = plan.targets.reduce((sum, { name, engine }) => {
    const { descriptor } = findEngine(engine) ?? {};
    const instances = [...(instancesOf(plan, name)?.values() ?? [])];
    return (
      sum + instances.reduce((own, { parameters }) => own + (descriptor ? reservedBytes(descriptor, parameters) : 0), 0)
    );
  }, 0);
  if (reserved <= memoryBytes * mostOfMemory) return [];
  return [
    {
      path: ['factors'],
      at: 'key',
      message: `The servers of this run would reserve ${formatBytes(reserved)} together, and this machine has ${formatBytes(memoryBytes)}.`,
      suggestion: `All servers of a run live side by side. Give them at most ${mostOfMemory * 100} % of the memory: smaller values, or an experiment for each value.`,
    },
  ];
}
