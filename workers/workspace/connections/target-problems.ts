import { findEngine } from '#engines/catalog.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { Connection } from '#model/connections.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import { isBuiltIn, writtenOut } from '#rules/targets/target-fields.ts';
import { judgeConnection, refusals } from './connection-draft.ts';

/**
 * Wrong values in targets that an experiment writes out, as their engine's own parser finds them. Values of the
 * environment are unknown and left out; embedded targets get their address only at the start of a run.
 */
export function targetProblems(experiment: Experiment, connections: readonly Connection[] = []): readonly Problem[] {
  return experiment.targets.flatMap((spec, index) => {
    const connection = typeof spec === 'string' ? connections.find(({ name }) => name === spec) : undefined;
    if (connection) return connectionProblem(connection, index);
    const entry = typeof spec === 'string' ? undefined : findEngine(spec.engine);
    if (typeof spec === 'string' || !entry || isBuiltIn(spec, entry.descriptor)) return [];
    const written = writtenOut(spec);
    return refusals(entry, written).map(
      ({ field, message, hint }): Problem => ({
        path: ['targets', index, ...(field !== null && field in written ? [field] : [])],
        message,
        suggestion: hint,
      }),
    );
  });
}

/** This connection was changed by hand. */
function connectionProblem(connection: Connection, index: number): readonly Problem[] {
  const { problems } = judgeConnection(connection);
  return problems.slice(0, 1).map(({ field, message, hint }) => ({
    path: ['targets', index],
    message: `The connection \`${connection.name}\`: ${field ? `${field}: ` : ''}${message}`,
    suggestion: hint,
  }));
}
