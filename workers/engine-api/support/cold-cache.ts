import type { Settings } from '#model/settings/settings.ts';
import type { BuiltInTarget, EngineDescriptor } from '../descriptor.ts';

/** The part of a measure plan about single calls: `calls` is present where each call is reported by itself. */
type MeasuredCalls = { readonly calls?: unknown };

/** True if trials begin with a cold cache. */
export const isCold = ({ cache }: Pick<Settings, 'cache'>): boolean => cache === 'cold';

/**
 * True if every trial of the target begins cold, with any value of the setting: new sessions are cold, and calls that
 * are reported one by one have no warm-up.
 */
export const isAlwaysCold = (
  { newSessionsAreCold }: Pick<EngineDescriptor, 'newSessionsAreCold'>,
  { calls }: MeasuredCalls,
): boolean => newSessionsAreCold === true && calls !== undefined;

/** True if a trial begins with the data out of the server's memory, because of the setting or of the engine. */
export const beginsCold = (
  engine: Pick<EngineDescriptor, 'newSessionsAreCold'>,
  settings: Pick<Settings, 'cache'>,
  measure: MeasuredCalls,
): boolean => isCold(settings) || isAlwaysCold(engine, measure);

/**
 * Why a trial cannot begin with the data out of the server's memory; null where it can, or need not. `neighbours`: the
 * experiment's other targets on the same built-in server.
 */
export function notColdText(
  engine: EngineDescriptor,
  builtIn: BuiltInTarget | null,
  neighbours: readonly string[],
  settings: Settings,
): string | null {
  if (!isCold(settings)) return null;
  if (builtIn?.restartEmptiesCache)
    return neighbours.length === 0
      ? null
      : `The server is that of ${neighbours.join(' and ')}, too, and is not restarted under another target: give them an experiment each.`;
  if (engine.emptyCache !== undefined) return null;
  return (
    engine.unsupportedReasons['cache.cold'] ??
    `No command empties the cache of ${engine.label}, and Dyno restarts only servers that it has started itself.`
  );
}

/** The command that emptied the cache of a target before its cold trials. */
export const emptiedBy = ({ emptyCache = 'a restart of the server' }: EngineDescriptor): string => emptyCache;
