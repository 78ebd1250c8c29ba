import * as v from 'valibot';
import { fileKey, type KeyFacts, keyTitle } from '../file-key.ts';
import type { OptionValue } from './options.ts';
import type { LoadKind, MethodName, OperationName } from './vocabulary.ts';

/**
 * The part of a run that a setting changes. table: how a table is created, stored and filled; trials with different
 * values never share a table. session: the state of each connection. load: the number of calls and their start times.
 * call: the work of one call. trial: the steps before a trial.
 */
type SettingScope = 'table' | 'session' | 'load' | 'call' | 'trial';

/** Facts about one variant on one engine, which determine if a setting has an effect. */
export interface CellFacts {
  readonly operation: OperationName;
  readonly method: MethodName;
  readonly load: LoadKind;
  /** thinkMs is above 0. */
  readonly hasThinkTime: boolean;
  /** A pooler lends connections of the server for one transaction at a time. */
  readonly poolsTransactions: boolean;
  /** A scan with `orderBy`. */
  readonly isSorted: boolean;
  /** The method keeps several calls in flight on one connection. */
  readonly pipelines: boolean;
  /** The method sends several calls in one message. */
  readonly batches: boolean;
  /** The server generates the rows; the client sends none. */
  readonly serverData: boolean;
  /** The client binds nulls. */
  readonly sendsNulls: boolean;
  /** Every trial begins with a cold cache, with any value of `cache`. */
  readonly isAlwaysCold: boolean;
  readonly hasTimestamps: boolean;
  /** The dataset has documents, and the engine has a native type for them. */
  readonly hasNativeDocuments: boolean;
  /** The dataset's table has columns that may hold nulls. */
  readonly hasNullableColumns: boolean;
  /** The dataset's table has a key. */
  readonly hasDatasetKey: boolean;
  /** True if at least one table has a key. */
  readonly hasKey: boolean;
  readonly hasIndexes: boolean;
  /** The experiment creates at least one table. */
  readonly hasTables: boolean;
  /** The tables have references, and the engine checks foreign keys. */
  readonly hasForeignKeys: boolean;
}

/**
 * The complete record of one setting. The form, the JSON Schema, `--set`, the planner and the run file derive from it.
 */
interface Setting<S extends v.GenericSchema<OptionValue>> extends Pick<KeyFacts, 'help' | 'unit'> {
  readonly label: string;
  readonly schema: S;
  /** The value if neither the file nor a factor sets one. */
  readonly default: v.InferOutput<S>;
  /** Texts for values with a special meaning: "Sort memory: the server’s own" instead of 0 KB. */
  readonly words?: Readonly<Record<string, string>>;
  readonly scope: SettingScope;
  /**
   * True: calls with another value may find other rows. Absent: calls must return the same answers with every value.
   */
  readonly changesRows?: true;
  /**
   * True if the setting has an effect in a cell. Absent: in every cell. Variants that differ only in settings without
   * effect run once. A cell whose descriptor lists the setting under `uses` always counts as affected.
   */
  appliesTo?(cell: CellFacts): boolean;
  /**
   * True if a value needs support of the engine in a cell. Settings of `whereUsed` have this. If the descriptor's cell
   * does not list the setting under `uses`, its `unsupportedReasons` give the reason, and the cell is empty with this
   * value.
   */
  asks?(cell: CellFacts): boolean;
}

/** A setting whose schema carries its title (the label with its unit) and its description (the help). */
export const defineSetting = <S extends v.GenericSchema<OptionValue>>({
  words = {},
  appliesTo = () => true,
  ...setting
}: Setting<S>) => {
  const { label, help, unit } = setting;
  const schema = fileKey(setting.schema, { label, help, unit });
  return { ...setting, unit: unit ?? null, words, appliesTo, title: keyTitle(label, unit), schema };
};

/** A value of `appliesTo`: the setting affects only cells whose descriptor lists it under `uses`. */
export const whereUsed = (): boolean => false;

/** The name of a column, or an empty text. */
export const columnName = v.pipe(v.string(), v.regex(/^([a-zA-Z_]\w*)?$/, 'is no name of a column'), v.maxLength(60));
