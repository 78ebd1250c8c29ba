import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { DynoError } from '#model/error.ts';

/**
 * addKey() of an engine whose key cannot be added after the rows: throws 'unsupported' with the descriptor's reason.
 */
export const noKeyAfterwards =
  ({ label, unsupportedReasons }: EngineDescriptor) =>
  async (): Promise<void> => {
    throw new DynoError('unsupported', `${label} adds no key to what has rows.`, {
      hint: unsupportedReasons['keyCreation.afterLoad'] ?? null,
    });
  };
