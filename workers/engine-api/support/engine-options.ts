import { formatCount } from '#model/format/format.ts';
import type { Options, OptionValue } from '#model/settings/options.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { MethodName, OperationName } from '#model/settings/vocabulary.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { EngineDescriptor } from '../descriptor.ts';
import type { EngineOption } from '../option.ts';

/** The options of a variant that belong to this engine, under their short names, complete with defaults. */
export const optionsFor = (engine: EngineDescriptor, { options }: Settings): Options =>
  Object.fromEntries(
    (engine.options ?? []).map(({ name, defaultValue }) => [name, options[`${engine.id}.${name}`] ?? defaultValue]),
  );

/** True if the option changes anything in a cell. */
export const optionAppliesTo = ({ cells }: EngineOption, operation: OperationName, method: MethodName): boolean =>
  cells === undefined || ([operation, method, `${operation}.${method}`] as const).some((cell) => cells.includes(cell));

/** The problem of an option as written, given all engines; null where it is valid. */
export function optionProblem(
  name: string,
  value: OptionValue | null,
  catalog: readonly EngineDescriptor[],
): { readonly message: string; readonly suggestion: string | null } | null {
  const [id, short] = name.split('.');
  const engine = catalog.find((one) => one.id === id);
  const all = catalog.flatMap((one) => (one.options ?? []).map((option) => `${one.id}.${option.name}`));
  if (!engine)
    return {
      message: `There is no engine \`${id}\`, so \`${name}\` is no option.`,
      suggestion: didYouMean(name, all) ?? `Engines: ${catalog.map((one) => one.id).join(', ')}.`,
    };
  const option = engine.options?.find((one) => one.name === short);
  if (!option) {
    const own = (engine.options ?? []).map((one) => one.name);
    return {
      message: `${engine.label} has no option \`${short}\`.`,
      suggestion: didYouMean(name, all) ?? (own.length > 0 ? `It has: ${own.join(', ')}.` : 'It has none.'),
    };
  }
  const expected = value === null ? null : mismatch(option, value);
  return expected === null
    ? null
    : { message: `\`${name}\` must be ${expected}; found \`${value}\`.`, suggestion: option.help };
}

function mismatch(
  { choices, defaultValue, min = 0, max = Number.MAX_SAFE_INTEGER }: EngineOption,
  value: OptionValue,
): string | null {
  if (choices) return choices.includes(String(value)) ? null : `one of ${choices.join(', ')}`;
  if (typeof defaultValue === 'boolean') return typeof value === 'boolean' ? null : 'true or false';
  if (typeof defaultValue === 'string') return typeof value === 'string' ? null : 'text';
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
  return fits ? null : `a whole number from ${formatCount(min)} to ${formatCount(max)}`;
}
