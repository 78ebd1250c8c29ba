import type { Connection } from '#contract/connections.ts';
import type { ConfigParser } from '#contract/engine.ts';
import { toErrorData } from '#contract/error.ts';
import type { Experiment } from '#contract/experiment.ts';
import type { Problem } from '#contract/yaml-source.ts';
import { catalog } from '../engines/catalog.ts';
import { judgeConnection } from './connection-draft.ts';
import { isEmbedded } from './targets.ts';

/**
 * Wrong values in targets that are written out, as their engine's own parser sees them. Values from the environment are not known
 * yet and are left out; embedded targets get their address only at the start of a run.
 */
export function targetProblems(experiment: Experiment, connections: readonly Connection[] = []): readonly Problem[] {
  return experiment.targets.flatMap((spec, index) => {
    const connection = typeof spec === 'string' ? connections.find(({ name }) => name === spec) : undefined;
    if (connection) return connectionProblem(connection, index);
    const entry = typeof spec === 'string' ? undefined : catalog.find((one) => one.descriptor.id === spec.engine);
    if (typeof spec === 'string' || !entry || isEmbedded(spec, entry.descriptor)) return [];
    const { name: _, engine: __, ...written } = spec;
    const known = Object.fromEntries(
      Object.entries(written).filter(([, value]) => !JSON.stringify(value).includes('${env:')),
    );
    const error = refusal(entry.config, known);
    if (!error) return [];
    // What is missing may come from the environment.
    const isWhole = Object.keys(known).length === Object.keys(written).length;
    if (!isWhole && error.message === refusal(entry.config, {})?.message) return [];
    const key = Object.keys(known).find(
      (one) => refusal(entry.config, { [one]: known[one] })?.message === error.message,
    );
    return {
      severity: 'error',
      path: ['targets', index, ...(key === undefined ? [] : [key])],
      at: 'value',
      message: error.message,
      suggestion: error.hint,
    } satisfies Problem;
  });
}

/** A connection that somebody has changed by hand, or that an older version has written. */
function connectionProblem(connection: Connection, index: number): readonly Problem[] {
  const { problems } = judgeConnection(connection);
  return problems.slice(0, 1).map(({ field, message, hint }) => ({
    severity: 'error',
    path: ['targets', index],
    at: 'value',
    message: `The connection \`${connection.name}\`: ${field ? `${field}: ` : ''}${message}`,
    suggestion: hint,
  }));
}

function refusal(config: ConfigParser, raw: Readonly<Record<string, unknown>>) {
  try {
    config.parse(raw);
    return null;
  } catch (thrown) {
    return toErrorData(thrown);
  }
}
