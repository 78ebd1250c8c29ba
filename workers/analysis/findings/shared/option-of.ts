import type { EngineOption } from '#engine-api/option.ts';
import { optionAppliesTo, optionsFor } from '#engine-api/support/engine-options.ts';
import type { OptionValue } from '#model/settings/options.ts';
import type { CellFacts } from './facts.ts';

/** An option of a cell's engine: its record, the factor that varies it, and its value in the cell. */
interface OwnOption {
  readonly option: EngineOption;
  readonly factor: string;
  readonly value: OptionValue;
}

/**
 * Finds an option by its short name in any engine; null if the cell's engine has no option of this name, or the option
 * does not apply to the cell.
 */
export function optionOf({ target: { descriptor }, settings }: CellFacts, name: string): OwnOption | null {
  const option = descriptor.options?.find((one) => one.name === name);
  if (option === undefined || !optionAppliesTo(option, settings.operation, settings.method)) return null;
  return { option, factor: `${descriptor.id}.${name}`, value: optionsFor(descriptor, settings)[name]! };
}
