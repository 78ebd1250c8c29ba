import type { Call, Caller, Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import type { Counts } from '../loop/counts.ts';
import type { StatementCounters } from '../loop/statement-counters.ts';
import { type Asking, askPlan } from './ask-plans.ts';
import { capture, capturedAs } from './captured.ts';
import { LeftOpen } from './left-open.ts';
import { type MixPlan, prepareStep, stepBatch, stepDeclared, wrongRows } from './mix-steps.ts';
import { addSteps, everyStep, numberAt, type Pause, type PlannedItem, type StatementStep } from './plan-items.ts';
import { askSampled, type SampledAnswers } from './sampled-answers.ts';
import { StatementRun } from './statement-run.ts';
import { type ReadyStep, StepCounts } from './step-counts.ts';
import { type TransactionCall, TransactionRun } from './transaction-run.ts';

type Path = readonly (ReadyStep | Pause)[];

interface ReadyItem {
  /** Counts of the transaction; null for a single statement. */
  readonly counts: Counts | null;
  readonly slots: PlannedItem['slots'];
  /** The steps that a batch's call runs, in order. */
  readonly pathOf: (batch: Batch) => Path;
  /** Every step once (everyStep), and a batch with the values of all steps. */
  readonly steps: readonly ReadyStep[];
  readonly batchOfAll: PlannedItem['batchOfAll'];
}

interface SampledPlan extends MixPlan {
  /** The calls whose answers are kept; null: there are none. */
  readonly sampled: SampledAnswers | null;
}

interface MixCall extends TransactionCall {
  readonly item: ReadyItem;
}

/**
 * Runs the experiment's custom statements as one operation, whose calls run the item that their batch names. Statements
 * and transactions have their own counts and times. Calls return 0, because the sum of their rows has no meaning.
 */
export async function prepareMix(
  session: Session,
  plan: SampledPlan,
  counters: StatementCounters,
  toError: (thrown: unknown) => ErrorData,
): Promise<MixOperation> {
  return new MixOperation(session, await prepareItems(session, plan, counters), counters, toError);
}

async function prepareItems(session: Session, plan: SampledPlan, counters: StatementCounters): Promise<ReadyItem[]> {
  const prepared = new Map<string, CustomStatement>();
  /** A statement of several items, with the same parameters, is prepared once. */
  const readyStep = async (step: StatementStep, isAlone: boolean): Promise<ReadyStep> => {
    const id = `${step.statement} ${JSON.stringify(step.parameters)}`;
    const spec = plan.mix.statements[step.statement]!;
    const own = prepared.get(id) ?? (await prepareStep(session, step, plan)).own;
    prepared.set(id, own);
    return {
      ...step,
      own,
      spec,
      counts: counters.statements[step.statement]!,
      commits: isAlone && !spec.isRead,
      sampled: plan.sampled?.ofStep(spec.name, step) ?? null,
      needsCaptured: step.places.some((place) => place < 0),
    };
  };
  const ready: ReadyItem[] = [];
  for (const planned of plan.items) {
    const counts = counters.transactions[planned.index]!;
    const statements: ReadyStep[] = [];
    for (const step of planned.statements) statements.push(await readyStep(step, counts === null));
    const pathOf = (batch: Batch): Path => {
      const path: (ReadyStep | Pause)[] = [];
      addSteps(planned.steps, batch, statements, path);
      return path;
    };
    const straight = planned.steps.some(({ kind }) => kind === 'block') ? null : pathOf(noBatch);
    ready.push({
      counts,
      slots: planned.slots,
      pathOf: straight ? () => straight : pathOf,
      steps: everyStep(planned.steps).map(({ id }) => statements[id]!),
      batchOfAll: planned.batchOfAll,
    });
  }
  return ready;
}

const noBatch: Batch = { rows: 1, columns: [] };

/**
 * The plan of a step has the statement as the file writes it, because the text that was sent may contain values of the
 * user's tables. `encode`: null where the values are unknown.
 */
function askStepPlan({ own, spec }: ReadyStep, encode: (() => Call) | null, asking: Asking): Promise<AskedPlan> {
  const { queryPlan } = own;
  const [ask, why] =
    encode === null
      ? [undefined, 'Its values come from the answer of an earlier step that changes rows.']
      : [
          queryPlan && (async () => ({ ...(await queryPlan(encode())), text: spec.text })),
          'Dyno asks this engine for no query plans.',
        ];
  return askPlan(spec.name, ask, why, asking);
}

/** The custom statements of one session. */
export class MixOperation implements Operation<MixCall> {
  readonly #items: readonly ReadyItem[];
  readonly #stepCounts: StepCounts;
  readonly #leftOpen: LeftOpen;
  readonly #statement: StatementRun;
  readonly #transaction: TransactionRun;
  /** The counts of the item that was called last; null: none was. */
  lastCounts: Counts | null = null;
  /** Present if every item can be started. */
  readonly start?: (call: MixCall, caller: Caller) => void;

  constructor(
    session: Session,
    items: readonly ReadyItem[],
    counters: StatementCounters,
    toError: (thrown: unknown) => ErrorData,
  ) {
    this.#items = items;
    this.#stepCounts = new StepCounts(counters, toError);
    this.#leftOpen = new LeftOpen(session);
    this.#statement = new StatementRun(this.#stepCounts, this.#leftOpen);
    this.#transaction = new TransactionRun(session, this.#stepCounts);
    if (items.every(({ counts, steps }) => (counts ? session.transact : steps.every(({ own }) => own.start))))
      this.start = (call, caller) => this.#start(call, caller);
  }

  encode(batch: Batch): MixCall {
    const item = this.#items[numberAt(batch, 0)]!;
    const path = item.pathOf(batch);
    const calls = new Array<Call>(path.length);
    for (let i = 0; i < calls.length; i++) {
      const step = path[i]!;
      calls[i] =
        step.kind === 'pause' || step.needsCaptured ? null : step.own.encode(stepBatch(step, batch, item.slots));
    }
    return { item, batch, path, calls };
  }

  /**
   * Returns the query plan of each statement, with the values of the call with this serial number. If a statement's
   * values come from the answer of an earlier step, it has a plan only if that step reads; the step is then run.
   */
  async queryPlans(serial: number, asking: Asking): Promise<readonly AskedPlan[]> {
    const asked = new Map<string, AskedPlan>();
    for (const { steps, slots, batchOfAll } of this.#items) {
      if (steps.every(({ spec }) => asked.has(spec.name))) continue;
      const batch = batchOfAll(serial);
      const captured = [...slots];
      const declared: (string | null)[] = [];
      const known = new Set<number>();
      for (const step of steps) {
        const { own, spec } = step;
        const isKnown = step.places.every((place) => place >= 0 || known.has(-1 - place));
        const encode = () => own.encode(stepBatch(step, batch, captured), stepDeclared(step, declared));
        if (!asked.has(spec.name)) asked.set(spec.name, await askStepPlan(step, isKnown ? encode : null, asking));
        if (!isKnown || !spec.isRead || step.captures.length === 0) continue;
        const answer = (await own.answer(encode(), 1)).read();
        for (const { spec: one, slot } of wrongRows(spec, answer.count) ? [] : step.captures) {
          captured[slot] = capture(one, answer);
          declared[slot] = capturedAs(one, answer);
          known.add(slot);
        }
      }
    }
    return [...asked.values()];
  }

  run(call: MixCall): Promise<number> | number {
    const { item, path, calls } = call;
    this.lastCounts = item.counts ?? aloneIn(path).counts;
    if (item.counts === null) return this.#runStep(aloneIn(path), calls[0]);
    return new Promise((answered, failed) => this.#start(call, { answered, failed }));
  }

  #start(call: MixCall, caller: Caller): void {
    const { item, path, calls } = call;
    this.lastCounts = item.counts ?? aloneIn(path).counts;
    if (item.counts === null) this.#statement.start(aloneIn(path), calls[0], caller);
    else this.#transaction.start(item.counts, item.slots, call, caller);
  }

  /** An engine that answers at once need not wait for a turn of the event loop. */
  #runStep(step: ReadyStep, call: Call): Promise<number> | number {
    const start = performance.now();
    try {
      const { own, sampled } = step;
      const answer = sampled !== null && start >= sampled.own.dueMs ? askSampled(sampled, own, start) : own.run(call);
      if (answer instanceof Promise) return this.#waitFor(step, start, answer);
      this.#answered(step, start, answer);
      return 0;
    } catch (thrown) {
      return this.#failed(step, start, thrown);
    }
  }

  async #waitFor(step: ReadyStep, startMs: number, answer: Promise<number | null>): Promise<number> {
    try {
      this.#answered(step, startMs, await answer);
      return 0;
    } catch (thrown) {
      return this.#failed(step, startMs, thrown);
    }
  }

  #answered(step: ReadyStep, startMs: number, rows: number | null): void {
    const left = this.#leftOpen.afterAnswer(step);
    if (left) throw left;
    this.#stepCounts.answered(step, startMs, rows);
  }

  #failed({ counts }: ReadyStep, startMs: number, thrown: unknown): Promise<never> {
    this.#stepCounts.failed(counts, startMs, thrown);
    if (!this.#leftOpen.maybe()) throw thrown;
    return this.#leftOpen.end().then(() => {
      throw thrown;
    });
  }
}

/** The statement of an item that is no transaction. */
function aloneIn([step]: Path): ReadyStep {
  if (step?.kind !== 'statement') throw new DynoError('internal', 'A call without a statement.');
  return step;
}
