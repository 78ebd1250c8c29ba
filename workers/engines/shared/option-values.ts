import type { EngineOption } from '#engine-api/option.ts';
import type { Options } from '#model/settings/options.ts';

type Choice<O> = O extends { readonly choices: readonly (infer C)[] } ? C : boolean;

/** The options of one session or table, as typed values. */
export type OptionValues<All extends readonly EngineOption[]> = { readonly [O in All[number] as O['name']]: Choice<O> };

/** Shared code has already checked the values; a missing option has its default. */
export const optionReader =
  <All extends readonly EngineOption[]>(options: All) =>
  (given: Options): OptionValues<All> =>
    Object.fromEntries(
      options.map(({ name, defaultValue }) => [name, given[name] ?? defaultValue]),
    ) as OptionValues<All>;
