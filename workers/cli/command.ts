import type { ParseArgsOptionDescriptor } from 'node:util';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Home } from '#platform/paths.ts';

/** The parsed options of a command, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** An option of a command. */
interface CommandOption extends ParseArgsOptionDescriptor {
  /** Its line in the help. */
  readonly about: string;
  /** True if it names a file that the command writes: the command starts only if the file can be written. */
  readonly isOutput?: true;
  /** Its possible values. Absent: any text. */
  readonly oneOf?: readonly string[];
  /** The reason why a value cannot be used, as a sentence after the option's name; null: it can. Absent: any can. */
  readonly problem?: (value: string) => string | null;
}

/** The option `--json` of commands whose result can be printed as JSON. */
export const jsonOption = { json: { type: 'boolean', about: 'Prints JSON.' } } as const;

/** One command of `dyno`. */
export interface Command {
  readonly name: string;
  /** Arguments as shown in the help: "FILE". */
  readonly arguments: string;
  readonly summary: string;
  readonly help?: string;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Least and most positional arguments. */
  readonly takes: readonly [number, number];
  /** Resolves to the exit code. Errors that it throws are printed. */
  run(context: CommandContext): Promise<number>;
}

/** The arguments of a command and its output. */
export interface CommandContext {
  readonly home: Home;
  readonly positionals: readonly string[];
  readonly values: Values;
  /** Prints a line to standard output. */
  print(text: string): void;
  /** Prints a value to standard output as JSON. */
  printJson(value: unknown): void;
  /** Prints a line to standard error, for everything except the command's result. */
  note(text: string): void;
}

/** A part of a command that the first argument names. It gets the other arguments. */
export type Action = (context: CommandContext, names: readonly string[]) => number | Promise<number>;

/** The `run` of a command with actions. Without arguments the first action runs, which lists and changes nothing. */
export const runAction =
  (command: string, actions: Readonly<Record<string, Action>>): Command['run'] =>
  async (context) => {
    const all = Object.keys(actions);
    const [name = all[0] ?? '', ...names] = context.positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action) return action(context, names);
    context.note(`dyno ${command}: “${name}” is none of ${all.join(', ')}.`);
    return exitCodes.usage;
  };

/** The text of an option; undefined without the option. */
export const text = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** The texts of an option that may be repeated; empty without the option. */
export const texts = (values: Values, name: string): readonly string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};
