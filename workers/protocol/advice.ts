import * as v from 'valibot';
import { indexSchema } from '#model/dataset/indexes.ts';
import { amount, finite, ms, type Read, share, whole } from './read-values.ts';

/** The kinds of advice. The simpler one comes first where two of them are equally fast. */
export const adviceKinds = [
  'redundantIndex',
  'unusedIndex',
  'sortMemory',
  'statistics',
  'rewrite',
  'lookUps',
  'columnOrder',
  'partialIndex',
  'missingIndex',
  'pathIndex',
  'expressionIndex',
  'coveringIndex',
  'rewriteAndIndex',
] as const;
/** A kind of advice. */
export type AdviceKind = (typeof adviceKinds)[number];

const step = v.variant('do', [
  v.object({ do: v.literal('createIndex'), table: v.string(), index: indexSchema }),
  v.object({
    do: v.literal('dropIndex'),
    table: v.string(),
    index: indexSchema,
    /** The name that the index has in the user's own table; absent: no table of theirs has it. */
    ownName: v.exactOptional(v.string()),
  }),
  v.object({ do: v.literal('set'), name: v.string(), value: v.string() }),
  v.object({ do: v.literal('setUp'), name: v.string(), text: v.string() }),
  v.object({ do: v.literal('replaceText'), statement: v.string(), text: v.string() }),
]);
/** A part of a candidate, as the user would carry it out. */
export type AdviceStep = Read<typeof step>;
/** An index that advice creates or drops. */
export type AdvisedIndex = Read<typeof indexSchema>;

const candidate = v.object({
  kind: v.picklist(adviceKinds),
  /** The name of the level, which says what is changed: "index on orders (customer, sold)". */
  title: v.string(),
  /** The reason to try it, as a sentence. */
  why: v.string(),
  /** The tables whose writes it may make slower or faster. */
  tables: v.array(v.string()),
  /** The statements that it is meant for. Empty: those that write. */
  statements: v.array(v.string()),
  steps: v.array(step),
  /** The change of the file, as a level has it. */
  change: v.record(v.string(), v.unknown()),
});
/** A change that may make the statements faster. It is a level of the experiment that measures it. */
export type Candidate = Read<typeof candidate>;

const ratio = v.object({ value: share, low: share, high: share });
/** A ratio of times with bounds that hold for all claims of the run together. Below 1: faster. */
export type TimeRatio = Read<typeof ratio>;

const effect = v.object({
  work: v.string(),
  /** probe: an insert that the advice has added, because the file writes to the table nowhere. */
  kind: v.picklist(['read', 'write', 'probe']),
  /** The median where each repeat has enough calls, because a busy machine disturbs it least; else the mean. */
  figure: v.union([v.literal('mean'), share]),
  beforeMs: ms,
  afterMs: ms,
  ratio,
});
/** The effect of a candidate on one statement or transaction. */
export type AdviceEffect = Read<typeof effect>;

const judged = v.object({
  candidate,
  /**
   * observed: faster, but its answers were not compared; notTried: no run can have it, or the server does not use it;
   * outOfBudget: the budget ended before it was measured.
   */
  verdict: v.picklist(['recommended', 'observed', 'notRecommended', 'notShown', 'notTried', 'outOfBudget']),
  /** The reason for the verdict, as a sentence. */
  why: v.string(),
  /** The time of the file's mix, weighted; null: not measured. */
  total: v.nullable(ratio),
  effects: v.array(effect),
  /** Bytes of all indexes with the change, less those without; null: not known. */
  bytes: v.nullable(finite),
  /** The time to create the indexes of the change, ms; null: none, or not known. */
  buildMs: v.nullable(ms),
  /** The better advice that this one is measured instead of; null: it is the best, or has another purpose. */
  insteadOf: v.nullable(v.string()),
});
/** A candidate with what was measured of it. */
export type JudgedAdvice = Read<typeof judged>;

/** The advice that a run has measured, as its file keeps it. */
export const adviceSchema = v.object({
  budgetSeconds: amount,
  usedSeconds: amount,
  repeats: whole,
  /** The measured candidates, the best first, then those that were not measured. */
  advice: v.array(judged),
  /** The limits of what was tried, as sentences. */
  remarks: v.array(v.string()),
});
/** The advice that a run has measured. */
export type Advice = Read<typeof adviceSchema>;
