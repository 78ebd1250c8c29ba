import type { EngineOption } from '#contract/engine.ts';
import { optionAppliesTo, optionsFor } from '#contract/engine-options.ts';
import type { OptionValue } from '#contract/settings.ts';
import type { CellFacts } from './facts.ts';

/** A knob of a cell's engine: what it is, the factor that varies it, and how it is set here. */
export interface OwnOption {
  readonly option: EngineOption;
  readonly factor: string;
  readonly value: OptionValue;
}

/** By its short name, whichever engine has it; null where the cell's has none of that name, or the cell does not heed it. */
export function optionOf({ target: { descriptor }, settings }: CellFacts, name: string): OwnOption | null {
  const option = descriptor.options?.find((one) => one.name === name);
  if (option === undefined || !optionAppliesTo(option, settings.operation, settings.method)) return null;
  return { option, factor: `${descriptor.id}.${name}`, value: optionsFor(descriptor, settings)[name]! };
}
