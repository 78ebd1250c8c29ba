import type { EngineConfig } from '#engine-api/config.ts';
import { findEngine } from '#engines/catalog.ts';
import { DynoError, toErrorData } from '#model/error.ts';

/** Which servers an agent drives load against: “host:port”, with * for any characters. */
export interface TargetRules {
  /** Throws 'permission' for a target that the agent does not drive load against. */
  check(engine: string, config: EngineConfig): void;
}

/** `patterns`: none allows every server. */
export function targetRules(patterns: readonly string[]): TargetRules {
  const allowed = patterns.map(patternOf);
  return {
    check(engine, config) {
      const entry = findEngine(engine);
      if (!entry) throw new DynoError('unsupported', `This agent has no engine “${engine.slice(0, 60)}”.`);
      if (entry.descriptor.reference) return; // It reaches nothing.
      if (entry.descriptor.inProcess)
        throw new DynoError('permission', 'An agent drives load against servers, and makes no files of its own.');
      if (allowed.length === 0) return;
      for (const address of addressesOf(
        () => entry.config.endpoints(config),
        entry.config.socketFile?.(config) ?? null,
      ))
        if (!allowed.some((pattern) => pattern.test(address)))
          throw new DynoError('permission', `This agent drives no load against ${address}.`, {
            hint: `It was started with --targets ${patterns.join(' --targets ')}.`,
          });
    },
  };
}

function addressesOf(
  endpoints: () => readonly { readonly host: string; readonly port: number | null }[],
  socketFile: string | null,
): readonly string[] {
  if (socketFile !== null) return [socketFile];
  try {
    const found = endpoints().map(({ host, port }) => `${host}:${port ?? '*'}`);
    if (found.length > 0) return found;
  } catch (thrown) {
    throw new DynoError('permission', `The target's address cannot be read: ${toErrorData(thrown).message}`);
  }
  throw new DynoError('permission', 'The target has no address that this agent could check.');
}

const patternOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
    'i',
  );
