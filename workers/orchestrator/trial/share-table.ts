import { isDeepStrictEqual } from 'node:util';
import { tableSettingNames } from '#model/settings/settings.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import type { Variant } from '#protocol/plan.ts';

/** Whether the next trial on the target can use the table: nothing changes it, and the trial would make it alike. */
export const canShareTable = (a: Variant, b: Variant): boolean =>
  [a, b].every(({ settings }) => readOnlyOperations.includes(settings.operation)) &&
  isDeepStrictEqual(a.settings.options, b.settings.options) &&
  tableSettingNames.every((name) => a.settings[name] === b.settings[name]);
