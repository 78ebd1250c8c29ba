import { DynoError } from '#model/error.ts';
import { bytesOfText } from '#model/format/size-text.ts';
import type { ServerParameters } from '#model/settings/server-parameters.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { BuiltInTarget, EngineDescriptor } from '../descriptor.ts';

type Setting = Pick<EngineDescriptor, 'label' | 'serverParameters' | 'unsupportedReasons'>;

/** A target whose server would get parameters. */
export interface ParameterTarget {
  /** Null: a server of the user's. */
  readonly builtIn: BuiltInTarget | null;
  /** True: the user has saved it as a connection. */
  readonly isConnection: boolean;
  /** True: a production connection leads to it. */
  readonly isProduction: boolean;
}

/**
 * The reason, as a sentence, why Dyno does not set parameters of a target's server, or not these parameters; null: it
 * does.
 */
export function noServerParametersText(
  engine: Setting,
  { builtIn, isConnection, isProduction }: ParameterTarget,
  names: readonly string[],
): string | null {
  const { label, serverParameters, unsupportedReasons } = engine;
  if (!serverParameters) return unsupportedReasons.serverParameters ?? `Dyno sets no parameters of ${label}.`;
  const { atStart, running } = serverParameters;
  if (builtIn) return atStart === undefined ? `Dyno starts ${label} with its default parameters alone.` : null;
  if (!running) return `Dyno changes no parameters of a running ${label}. Use \`session\`, or a built-in target.`;
  if (isProduction) return 'Dyno changes no parameters of a production server. Use `session`, or another server.';
  if (!isConnection)
    return 'Dyno changes parameters of your saved connections only: save this server under Connections, and write its name.';
  const fixed = names.filter((name) => !running.names.includes(name));
  if (fixed.length === 0) return null;
  return fixed
    .map((name) => {
      const why = running.refused?.[name];
      return why ? `${name} is not changed on your own server. ${why}` : needsRestartText(name);
    })
    .join(' ');
}

/** The reason why a parameter is not changed on the user's server. */
export const needsRestartText = (name: string): string =>
  `${name} needs a restart; Dyno restarts only its own servers.`;

/** The reason why a parameter that the version lacks is not changed. */
export const unknownParameterText = (name: string): string => `This server has no parameter ${name}.`;

/** The error of a run that finds the server's lock for changes held by another one. */
export const heldByAnother = (): DynoError =>
  new DynoError('permission', 'Another session changes parameters of this server for Dyno now.', {
    hint: 'Wait until the other run has ended: it gives the parameters back then.',
  });

/** The reason, as a sentence, why a parameter is not set; null: the server judges it. */
export function serverParameterProblem(
  { label, serverParameters: rules }: Setting,
  name: string,
  value: string,
): string | null {
  if (!rules) return null;
  if (!rules.names.includes(name))
    return (
      didYouMean(name, rules.names) ??
      `Dyno sets only the parameters of ${label} that docs/engines.md lists: numbers, switches and choices that name no file, program, library or address, and change no answer.`
    );
  if (!new RegExp(`^(?:${rules.values})$`, 'i').test(value))
    return `${JSON.stringify(value)} is neither a number with its unit nor a word.`;
  return null;
}

/**
 * Throws 'unsupported' where the target's server gets no parameters, and 'badInput' for a parameter that Dyno does not
 * set.
 */
export function requireServerParameters(engine: Setting, target: ParameterTarget, parameters: ServerParameters): void {
  const none = noServerParametersText(engine, target, Object.keys(parameters));
  if (none !== null) throw new DynoError('unsupported', `server: ${none}`);
  for (const [name, value] of Object.entries(parameters)) {
    const why = serverParameterProblem(engine, name, value);
    if (why !== null) throw new DynoError('badInput', `server: ${name} is not set. ${why}`);
  }
}

/** The bytes of memory that a server reserves because of its parameters. */
export const reservedBytes = (
  { serverParameters }: Pick<EngineDescriptor, 'serverParameters'>,
  parameters: ServerParameters,
): number =>
  Object.entries(serverParameters?.memory ?? {}).reduce(
    // A negative size is an error of the server's start, and makes no room for other servers.
    (sum, [name, bytesOfOne]) => sum + Math.max(0, bytesOfText(parameters[name] ?? '', bytesOfOne) ?? 0),
    0,
  );
