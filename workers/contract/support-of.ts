import type { EngineDescriptor, Support } from './engine.ts';
import { DynoError } from './error.ts';
import type { MethodName, OperationName } from './settings.ts';

/** A cell of an engine. Throws 'unsupported', with what the descriptor says of it, where it is empty. */
export function supportOf(engine: EngineDescriptor, operation: OperationName, method: MethodName): Support {
  const support = engine.support[operation]?.[method];
  if (support) return support;
  throw new DynoError('unsupported', `${engine.label} cannot ${operation} by ${method}.`, {
    hint: engine.cannot[`${operation}.${method}`] ?? engine.cannot[method] ?? null,
  });
}
