import type { OptionValue } from '#model/settings/options.ts';
import type { CellKey, ExclusionReasons } from './unsupported.ts';

/**
 * An engine-specific option: how tables are organised, how a session is opened, how a call is made. Experiments vary it
 * as `engine.name`, so it is a part of the plan and not of the target.
 */
export interface EngineOption {
  /** The option's key behind the engine's id and a dot. */
  readonly name: string;
  /** The label in the form, with its unit in brackets. */
  readonly label: string;
  /** The effect of the option in a sentence, for form and documentation. */
  readonly help: string;
  /** All values, if there are few. Default: every value of the type of `defaultValue`. */
  readonly choices?: readonly string[];
  /** Bounds of a whole number, both inclusive. Defaults: 0, and no upper bound. */
  readonly min?: number;
  /** See `min`. */
  readonly max?: number;
  /** The value where the experiment sets none; its type is the option's type. */
  readonly defaultValue: OptionValue;
  /** Values with which the server generates the keys in ascending order. Default: none. */
  readonly serverKeys?: readonly string[];
  /** Cells that the option changes. Default: all of them. */
  readonly cells?: readonly CellKey[];
  /**
   * Reasons by value of the option: that value excludes the feature under the reason's key. Default: no value excludes
   * anything.
   */
  readonly unsupportedReasons?: Readonly<Record<string, ExclusionReasons>>;
}

/** An option of an engine; `more`: its help, its default, and its other members. */
export const option = <const Name extends string, const More extends Omit<EngineOption, 'name' | 'label'>>(
  name: Name,
  label: string,
  more: More,
): { readonly name: Name; readonly label: string } & More => ({ name, label, ...more });
