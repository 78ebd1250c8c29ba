import { tableSettingNames } from '#model/settings/settings.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import type { Variant } from '#protocol/plan.ts';

/** True if the target's next trial can use the table: nothing changes it, and the trial would create it identically. */
export const canShareTable = (a: Variant, b: Variant): boolean =>
  [a, b].every(({ settings }) => readOnlyOperations.includes(settings.operation)) &&
  optionsText(a) === optionsText(b) &&
  tableSettingNames.every((name) => a.settings[name] === b.settings[name]);

const optionsText = ({ settings }: Variant): string => JSON.stringify(Object.entries(settings.options).sort());
