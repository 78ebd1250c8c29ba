import type { ParseArgsOptionsConfig } from 'node:util';
import type { Home } from '#platform/paths.ts';

/** The parsed options of a command, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** One command of `dyno`. */
export interface Command {
  readonly name: string;
  /** Arguments as shown in the help: "FILE". */
  readonly arguments: string;
  readonly summary: string;
  readonly help?: string;
  readonly options: ParseArgsOptionsConfig;
  /** A line of help for each option. */
  readonly about: Readonly<Record<string, string>>;
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
  /** Prints a line to standard error: everything but the command's result. */
  note(text: string): void;
}

/** The text of an option; undefined where it is absent. */
export const text = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
