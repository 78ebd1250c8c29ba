import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { MethodName, OperationName } from '#model/settings/vocabulary.ts';
import type { EngineDescriptor } from '../descriptor.ts';
import type { Support } from '../support.ts';

type CellSettings = Pick<Settings, 'operation' | 'method'> & Partial<Pick<Settings, 'copyFrom'>>;

/**
 * The implementation of these settings on an engine; undefined: it has none. A copy from another target counts as an
 * insert of rows that the client sends.
 */
export function cellOf(
  engine: EngineDescriptor,
  { operation, method, copyFrom = '' }: CellSettings,
): Support | undefined {
  if (operation !== 'copy' || copyFrom === '') return engine.support[operation]?.[method];
  const insert = engine.support.insert?.[method];
  return insert && !insert.serverData && !insert.batches
    ? {
        ...insert,
        implementation: `rows of ${copyFrom}; ${insert.implementation}`,
        uses: [...(insert.uses ?? []), 'fetchSize'],
      }
    : undefined;
}

/** The cell of an engine. Throws 'unsupported', with the descriptor's reason, where it is empty. */
export function supportOf(
  engine: EngineDescriptor,
  operation: OperationName,
  method: MethodName,
  copyFrom = '',
): Support {
  const support = cellOf(engine, { operation, method, copyFrom });
  if (support) return support;
  throw new DynoError('unsupported', `${engine.label} cannot ${operation} by ${method}.`, {
    hint: engine.unsupportedReasons[`${operation}.${method}`] ?? engine.unsupportedReasons[method] ?? null,
  });
}
