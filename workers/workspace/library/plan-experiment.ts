import { catalog } from '#engines/catalog.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { SavedConnection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { oneLine } from '#model/text/printable.ts';
import { checkExperiment } from '#planning/check-experiment.ts';
import type { Plan } from '#protocol/plan.ts';
import { markOf } from '../connections/production-hosts.ts';
import { targetProblems } from '../connections/target-problems.ts';
import { listAdvice } from './list-advice.ts';

/** The plan of an experiment (null if it has errors), and all its problems. */
export interface CheckedPlan {
  readonly plan: Plan | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Plans an experiment from its text, with all its problems. `connections`: the connections that it may name; `folder`:
 * where the files are that it names, for advice on what is in them.
 */
export function planExperiment(
  yaml: string,
  connections: readonly SavedConnection[] = [],
  folder: string | null = null,
): CheckedPlan {
  const { experiment, plan, diagnostics } = checkExperiment(
    yaml,
    catalog.map((one) => one.descriptor),
    connections,
    (target) => markOf(target, connections),
  );
  const inTargets = experiment && plan ? targetProblems(experiment, connections) : [];
  const onLists =
    experiment && folder !== null
      ? listAdvice(experiment, plan?.targets.map(({ engine }) => engine) ?? [], folder)
      : [];
  if (inTargets.length + onLists.length === 0) return { plan, diagnostics };
  const located = [...inTargets, ...onLists].map(readYaml(yaml).locate);
  return { plan: inTargets.length > 0 ? null : plan, diagnostics: [...diagnostics, ...located] };
}

/** Returns the plan, or throws 'badInput' with the first problems as text. */
export function requirePlan(yaml: string, connections: readonly SavedConnection[] = []): Plan {
  const { plan, diagnostics } = planExperiment(yaml, connections);
  if (plan) return plan;
  const errors = diagnostics.filter((one) => one.severity === 'error');
  throw new DynoError(
    'badInput',
    `The experiment has ${errors.length} error${errors.length === 1 ? '' : 's'}:\n${errors.map(diagnosticLine).join('\n')}`,
  );
}

/** A problem as text: "12:3 workload.conections: unknown key. Did you mean …?" */
export const diagnosticLine = ({ line, column, path, message, suggestion }: Diagnostic): string =>
  oneLine(`${line}:${column} ${path ? `${path}: ` : ''}${message}${suggestion ? ` ${suggestion}` : ''}`);
