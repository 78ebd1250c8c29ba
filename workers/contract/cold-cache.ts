import type { BuiltInTarget, EngineDescriptor } from './engine.ts';
import type { Settings } from './settings.ts';

/** Plans of older versions have no such setting. */
export const isCold = ({ cache = 'asIs' }: Partial<Settings>): boolean => cache === 'cold';

/** How the cache of such a target is emptied before a trial, in words; null where it cannot be. */
export const emptiedBy = ({ emptyCache }: EngineDescriptor, builtIn: BuiltInTarget | null): string | null =>
  builtIn?.restartEmptiesCache ? 'a restart of the server' : (emptyCache ?? null);

/** Why a trial cannot begin with the data out of the server's memory; null where it can, or need not. */
export const whyNotCold = (
  engine: EngineDescriptor,
  builtIn: BuiltInTarget | null,
  settings: Settings,
): string | null =>
  !isCold(settings) || emptiedBy(engine, builtIn) !== null
    ? null
    : (engine.cannot['cache.cold'] ??
      `No command empties the cache of ${engine.label}, and Dyno restarts only servers that it has started itself.`);
