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

/** The languages of scripts. */
export const scriptLanguages = ['node', 'java'] as const;
/** A language of scripts. */
export type ScriptLanguage = (typeof scriptLanguages)[number];

/** The name of a language, and the ending of its files. */
export const scriptKinds: Readonly<
  Record<ScriptLanguage, { readonly label: string; readonly ending: 'mjs' | 'java' }>
> = { node: { label: 'Node', ending: 'mjs' }, java: { label: 'Java', ending: 'java' } };

/** A language of scripts, with the answer for one cell. */
export interface ScriptOffer {
  /** The language. */
  readonly language: ScriptLanguage;
  /** The reason why the cell has no script in it; null: it has one. */
  readonly cannot: string | null;
}

/** The literals of a dialect: each is a text before the value and one behind it. */
export interface LiteralForms {
  /** Around a text, whose quotes are doubled. */
  readonly text: readonly [string, string];
  /** Around the UTF-8 of a text with a backslash, in hexadecimal. Null: a backslash is a letter like others. */
  readonly hexText: readonly [string, string] | null;
  /** Around hexadecimal digits. */
  readonly bytes: readonly [string, string];
  /** Around a uuid, in the form of `uuidDigits`. */
  readonly uuid: readonly [string, string];
  /** `hex`: 32 hexadecimal digits; `dashes`: with four dashes between them. */
  readonly uuidDigits: 'hex' | 'dashes';
  /** Around a time as `2024-02-29 12:34:56.000789`, in UTC. */
  readonly timestamp: readonly [string, string];
  /** False, then true. */
  readonly booleans: readonly [string, string];
}

/** A driver of JDBC, as a script for Java uses it. */
export interface JdbcClient {
  /** The driver, as Maven names it. */
  readonly packages: readonly string[];
  /** An example of the connection's URL. */
  readonly url: string;
  /** Properties of the connection. */
  readonly properties: Readonly<Record<string, string>>;
  /** Sentences that say how its calls differ from Dyno's. */
  readonly notes: readonly string[];
  /** The call that binds a uuid: setObject with a java.util.UUID, setBytes, setString, or SQL Server's type GUID. */
  readonly uuid: 'object' | 'bytes' | 'text' | 'guid';
  /** The literals of the method literal. */
  readonly forms: LiteralForms;
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
  /**
   * A query of one row: the number of the table's rows, then the checksum of each column, as Database.checksum has it.
   * Default: the script reads the rows and sums them itself, if its language has code for that.
   */
  readonly checksum?: (work: ReproducedWork) => string;
  /** The client of a script for Node. */
  node(work: ReproducedWork): ReproducedClient | Cannot;
  /** The client of a script for Java. Called for the methods literal, bind, prepared and multiRow alone. */
  jdbc(work: ReproducedWork): JdbcClient | Cannot;
}
