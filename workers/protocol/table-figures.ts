import type { QueryPlan } from '#engine-api/query-plan.ts';
import type { ColumnCondition, QueriedColumn, QueriedTable, RowQuery } from '#engine-api/table-queries.ts';
import type { PlansByName } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';

/** The value of a condition: the n-th most frequent value of its column, from 1, as the server counts them. */
interface RankedValue {
  readonly rank: number;
}

/** A condition whose value may be one that the server looks up. */
export type AskedCondition = Omit<ColumnCondition, 'value'> & {
  readonly value: ColumnCondition['value'] | RankedValue;
};

/** A query, with values that the server may look up. */
export type AskedRowQuery = Omit<RowQuery, 'where' | 'joined'> & {
  readonly where: readonly AskedCondition[];
  readonly joined?: Omit<NonNullable<RowQuery['joined']>, 'where'> & { readonly where: readonly AskedCondition[] };
};

/** A request for figures of tables and of queries for their rows. */
export interface FiguresRequest {
  /** Dyno's own tables by the names that queries give them. */
  readonly tables: PlansByName;
  readonly options: Options;
  /** The tables whose rows are counted. */
  readonly counted: readonly QueriedTable[];
  /** The columns whose values are counted. */
  readonly columns: readonly { readonly table: QueriedTable; readonly column: QueriedColumn }[];
  readonly queries: readonly AskedRowQuery[];
  /** False: no query is executed, and plans are those of the optimizer alone. */
  readonly mayRun: boolean;
}

/** Counts of a column. */
export interface CountedColumn {
  /** Different values. */
  readonly different: number;
  /** Rows of the most frequent value. */
  readonly most: number;
  /** Rows that are not null. */
  readonly present: number;
  /** Mean length of the texts in characters; null: another type, or no text. */
  readonly meanLength: number | null;
}

/** The answer to a query. */
export interface AnsweredQuery {
  /** Rows that the optimizer expects; null: the engine does not tell. */
  readonly estimated: number | null;
  /** Rows that there are; null: the query was not executed. */
  readonly rows: number | null;
  /** Null: there is no plan. */
  readonly plan: QueryPlan | null;
  /** The reason, as a sentence, why a part is missing; null: none is. */
  readonly why: string | null;
}

/** Figures in the order of the request. Null stands for what the server did not answer in time, or may not be asked. */
export interface TableFigures {
  readonly counted: readonly (number | null)[];
  readonly columns: readonly (CountedColumn | null)[];
  readonly queries: readonly AnsweredQuery[];
}
