import { catalog } from '#engines/catalog.ts';
import type { SavedConnection } from '#model/connections.ts';
import type { PlanContext } from '#planning/plan-experiment.ts';
import { markOf } from '../connections/production-hosts.ts';
import { targetProblems } from '../connections/target-problems.ts';
import { listAdvice } from './list-advice.ts';
import { missingFiles } from './missing-files.ts';
import { serverMemoryProblems } from './server-memory.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);

/**
 * The context of plans on this machine: all its engines. `connections`: the connections that experiments may name;
 * `folder`: the folder of the files that they name, which have to be there, and for advice on what is in them.
 */
export const planContext = (
  connections: readonly SavedConnection[] = [],
  folder: string | null = null,
): PlanContext => ({
  catalog: descriptors,
  connections,
  findMark: (target) => markOf(target, connections),
  findMore: (experiment, plan) => [
    ...(plan ? [...targetProblems(experiment, connections), ...serverMemoryProblems(plan)] : []),
    ...(folder === null
      ? []
      : [
          ...missingFiles(experiment, plan, folder),
          ...listAdvice(experiment, plan?.targets.map(({ engine }) => engine) ?? [], folder),
        ]),
  ],
});
