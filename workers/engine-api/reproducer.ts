import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';

/** The work of one cell, as a script repeats it. */
export interface ReproducedWork {
  /** The table, with the key and the indexes that exist before the first row. */
  readonly table: TablePlan;
  /** The operation of the calls. */
  readonly operation: TableOperation;
  /** The method of the calls. */
  readonly method: MethodName;
  /** All settings of the variant. */
  readonly settings: Settings;
  /** The fields of the target as the experiment has them; empty for a target without fields. */
  readonly target: Readonly<Record<string, unknown>>;
}

/** The reason, as a sentence, why a script of this kind would do something else than Dyno. */
export interface Cannot {
  /** The sentence. */
  readonly cannot: string;
}

/** An object that a script creates at the server. It drops the object at its end only if it has created it. */
interface ReproducedObject {
  /** A query that returns a row if the object is there already; the script then leaves it alone. Default: none. */
  readonly exists?: string;
  /** The statements that create it, in this order. */
  readonly create: readonly string[];
  /** A query that returns a row if something else is in it, so that it stays. Default: the server refuses the drop. */
  readonly usedBy?: string;
  /** The statement that drops it. */
  readonly drop: string;
}

/** The text of a statement for any number of rows: `first`, the values of each row, `next` between rows, `last`. */
export interface StatementParts {
  /** The text before the first value. */
  readonly first: string;
  /** The texts between the values of a row. */
  readonly between: readonly string[];
  /** The text between the last value of a row and the first of the next one. */
  readonly next: string;
  /** The text behind the last value. */
  readonly last: string;
  /** The columns of the values of a row, as indexes into the columns of a call. */
  readonly columns: readonly number[];
}

/** A client of a server, as a script contains it. */
export interface ReproducedClient {
  /** The packages of the client, as the language's package manager names them. */
  readonly packages: readonly string[];
  /** The environment variables with the connection, one sentence each. */
  readonly environment: readonly string[];
  /** Sentences that say how its calls differ from Dyno's. */
  readonly notes: readonly string[];
  /** Lines that import what its code needs. Default: none. */
  readonly imports?: readonly string[];
  /** Values by name that its code uses. Default: none. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** The text of the script that connects and sends calls; reproducer/node-script.ts lists the functions in it. */
  readonly code: string;
}

/** The parts of scripts that only the engine knows. */
export interface Reproducer {
  /** The options of the engine that scripts follow; a script with another value of any other option is refused. */
  readonly options: readonly string[];
  /** The objects of a cell, in the order of their creation; the table is the last one. */
  objects(work: ReproducedWork): readonly ReproducedObject[];
  /** The statement of a cell for `rows` rows, in which `place` writes each value. Null: the engine has no text. */
  readonly statement:
    | ((work: ReproducedWork, rows: number, place: (row: number, column: number) => string) => string)
    | null;
  /** The client of a script for Node. */
  node(work: ReproducedWork): ReproducedClient | Cannot;
}
