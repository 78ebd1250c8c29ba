import type { BuiltInTarget, EngineDescriptor } from './engine.ts';
import type { Settings } from './settings.ts';

/** Plans of older versions have no such setting. */
export const isCold = ({ cache = 'asIs' }: Partial<Settings>): boolean => cache === 'cold';

/** Why a trial cannot begin with the data out of the server's memory; null where it can, or need not. */
export const whyNotCold = (
  engine: EngineDescriptor,
  builtIn: BuiltInTarget | null,
  settings: Settings,
): string | null =>
  !isCold(settings) || engine.emptyCache !== undefined || builtIn?.restartEmptiesCache
    ? null
    : (engine.cannot['cache.cold'] ??
      `No command empties the cache of ${engine.label}, and Dyno restarts only servers that it has started itself.`);

/** How the cache of a target on which cold trials ran was emptied. */
export const emptiedBy = ({ emptyCache = 'a restart of the server' }: EngineDescriptor): string => emptyCache;
