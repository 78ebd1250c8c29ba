import { fnv1a } from '#model/text/fnv1a.ts';

/**
 * The kinds of steps of a query plan, the same for every engine. fullScan: reads every row of a table. indexSeek: reads
 * the entries of an index that a condition selects. indexScan: reads every entry of an index. hash: builds a hash table
 * for a join or for groups. change: inserts, updates or deletes rows.
 */
export const planStepKinds = [
  'fullScan',
  'indexSeek',
  'indexScan',
  'sort',
  'hash',
  'join',
  'aggregate',
  'change',
  'other',
] as const;
/** The kind of a step of a query plan. */
export type PlanStepKind = (typeof planStepKinds)[number];

/**
 * How far an execution of a step goes. toEnd: it returns all its rows. mayStop: a step above may want no more of them
 * (LIMIT, EXISTS), so that fewer rows are counted than there are. mayRepeat: a step above may also go back to rows
 * (merge join), so that some are counted twice.
 */
export const planStepExtents = ['toEnd', 'mayStop', 'mayRepeat'] as const;
/** How far an execution of a step goes. */
export type PlanStepExtent = (typeof planStepExtents)[number];

/**
 * One step of a query plan. Rows are those of one execution of the step; `loops` says how often it was executed. Null
 * stands for what the engine does not report.
 */
export interface PlanStep {
  /** 0: the root. The children of a step follow it, one level deeper, in the order of the engine. */
  readonly depth: number;
  /** The kind of the step; other: none of the kinds fits. */
  readonly kind: PlanStepKind;
  /** The engine's own name of the step: "Seq Scan", "SEARCH". */
  readonly operator: string;
  /** The table that the step reads or changes, as the server names it; null: none, or not reported. */
  readonly table: string | null;
  /** The index that the step reads; null: none, or not reported. */
  readonly index: string | null;
  /** Rows that the optimizer expected the step to pass on. */
  readonly estimatedRows: number | null;
  /** Rows that the step passed on when the statement was executed for the plan. */
  readonly actualRows: number | null;
  /** Rows that the step read to find `actualRows`. */
  readonly examinedRows: number | null;
  /**
   * 0: the step was never executed, since the steps above needed nothing of it. Null: the statement was not executed
   * for the plan, or the engine counts no executions of the step.
   */
  readonly loops: number | null;
  /**
   * Processes that share each execution of the step: each of them counts as one of its `loops`, and reads a part of the
   * rows.
   */
  readonly sharedBy: number;
  /** How far its executions go, which decides how to interpret `actualRows` and `examinedRows`. */
  readonly extent: PlanStepExtent;
  /** The optimizer's estimate for the step and its children, in units of the engine's own. */
  readonly cost: number | null;
  /** True: the step wrote temporary files because its memory did not suffice. */
  readonly spilled: boolean | null;
  /** The condition that is checked on each row after it was read, in the engine's words. */
  readonly filter: string | null;
  /** Everything else that the engine says of the step: one line for each property. */
  readonly details: readonly string[];
}

/** How long a server may execute a read for its plan, ms; afterwards it is asked for the plan without executing it. */
export const mostPlanMs = 2_000;

/** A step about which nothing is known; engines fill in the facts that their servers report. */
export const unknownStep: PlanStep = {
  depth: 0,
  kind: 'other',
  operator: '',
  table: null,
  index: null,
  estimatedRows: null,
  actualRows: null,
  examinedRows: null,
  loops: null,
  sharedBy: 1,
  extent: 'toEnd',
  cost: null,
  spilled: null,
  filter: null,
  details: [],
};

/** The way in which a server executes a statement, as the server describes it. */
export interface QueryPlan {
  /** The command that the plan comes from: "EXPLAIN (ANALYZE, FORMAT JSON)". */
  readonly command: string;
  /** True: the statement was executed for the plan, so that actual rows are known. */
  readonly executed: boolean;
  /** The tree of steps in pre-order. */
  readonly steps: readonly PlanStep[];
  /**
   * The statement in the server's language: a custom statement as the file writes it, an operation with the
   * parameters of its method; at most 8,000 characters.
   */
  readonly text: string;
  /** The plan as the server printed it (text, JSON or XML). Null: longer than 64,000 characters, or not printed. */
  readonly printed: string | null;
}

/** Lengths in characters; the rows of a long INSERT say no more about its plan. */
const mostText = 8_000;
const mostPrinted = 64_000;

/**
 * The texts of a plan that are kept. A printed plan is kept as a whole or not at all, because other programs could not
 * read a part of it.
 */
export const planTexts = (text: string, printed: string | null): Pick<QueryPlan, 'text' | 'printed'> => ({
  text: text.length > mostText ? `${text.slice(0, mostText - 1)}…` : text,
  printed: printed !== null && printed.length > mostPrinted ? null : printed,
});

/**
 * The shape of a plan as text: operators, tables and indexes of all steps, without constants, rows and costs. Two
 * executions of a statement have the same plan if their shapes are equal.
 */
export const planShape = ({ steps }: Pick<QueryPlan, 'steps'>): string =>
  steps
    .map(({ depth, kind, operator, table, index }) => JSON.stringify([depth, kind, operator, table, index]))
    .join('\n');

/**
 * A short name for the shape of a plan. Equal shapes have equal names. Different shapes rarely have the same name (once
 * in four thousand million).
 */
export const planId = (plan: Pick<QueryPlan, 'steps'>): string => fnv1a(planShape(plan));
