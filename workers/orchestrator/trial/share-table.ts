import { isDeepStrictEqual } from 'node:util';
import { readOnlyOperations } from '#model/settings/settings.ts';
import type { Variant } from '#protocol/plan.ts';

/** Whether the table can stay for the next trial on the same target: nothing changes it, and it would be made alike. */
export const canShareTable = (a: Variant, b: Variant): boolean =>
  [a, b].every(({ settings }) => readOnlyOperations.includes(settings.operation)) &&
  (['options', 'keyKind', 'nullShare', 'keyBuild', 'partitions', 'indexBuild', 'dates', 'documents'] as const).every(
    (name) => isDeepStrictEqual(a.settings[name], b.settings[name]),
  );
