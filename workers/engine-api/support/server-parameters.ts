import { DynoError } from '#model/error.ts';
import { bytesOfText } from '#model/format/size-text.ts';
import type { ServerParameters } from '#model/settings/server-parameters.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { BuiltInTarget, EngineDescriptor } from '../descriptor.ts';

type Setting = Pick<EngineDescriptor, 'label' | 'serverParameters' | 'unsupportedReasons'>;

/**
 * The reason, as a sentence, why Dyno sets no parameters of a target's server; null: it does. `builtIn`: null for a
 * server of the user's.
 */
export function noServerParametersText(engine: Setting, builtIn: BuiltInTarget | null): string | null {
  const { label, serverParameters, unsupportedReasons } = engine;
  if (!serverParameters) return unsupportedReasons.serverParameters ?? `Dyno sets no parameters of ${label}.`;
  return builtIn
    ? null
    : 'Dyno does not manage this server: a parameter would change it for all its users. Use `session`, set the parameter there yourself, or use a built-in target.';
}

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

/** Throws 'unsupported' where the target's server gets no parameters, and 'badInput' for one that is not set. */
export function requireServerParameters(
  engine: Setting,
  builtIn: BuiltInTarget | null,
  parameters: ServerParameters,
): void {
  const none = noServerParametersText(engine, builtIn);
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
