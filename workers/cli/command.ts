import type { ParseArgsOptionsConfig } from 'node:util';
import type { Home } from '#platform/paths.ts';

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
  /** Answers the exit code. What it throws is printed as an error. */
  run(context: CommandContext): Promise<number>;
}

export interface CommandContext {
  readonly home: Home;
  readonly positionals: readonly string[];
  readonly values: Values;
  /** To standard output, with a line end. */
  print(text: string): void;
  /** To standard error: everything that is not the answer itself. */
  note(text: string): void;
}

export const text = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};
