import { isDeepStrictEqual } from 'node:util';
import { tableSettingNames } from '#model/settings/settings.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import type { Variant } from '#protocol/plan.ts';

/**
 * Whether the table can stay for the next trial on the same target: no operation changes it, and it would be created
 * and filled alike.
 */
export const canShareTable = (a: Variant, b: Variant): boolean =>
  [a, b].every(({ settings }) => readOnlyOperations.includes(settings.operation)) &&
  isDeepStrictEqual(a.settings.options, b.settings.options) &&
  tableSettingNames.every((name) => a.settings[name] === b.settings[name]);
