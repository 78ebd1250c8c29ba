import { setTimeout } from 'node:timers/promises';
import type { Batch, ColumnVector } from '#contract/batch.ts';
import type { PlansByName } from '#contract/dataset.ts';
import type { Call, Operation, OwnStatement, Session, StatementPlan } from '#contract/engine.ts';
import { DynoError, type ErrorData } from '#contract/error.ts';
import type { MethodName, Options } from '#contract/settings.ts';
import type { MixStatement, StatementMix } from '#contract/statements.ts';
import { capture } from './captured.ts';
import type { Counts } from './counts.ts';
import { type Pause, type PlannedItem, type StatementStep, stepsOf } from './plan-items.ts';
import type { StatementCounters } from './statement-counters.ts';

export interface MixPlan {
  readonly mix: StatementMix;
  readonly items: readonly PlannedItem[];
  readonly method: MethodName;
  readonly tables: PlansByName;
  readonly options: Options;
}

interface ReadyStep extends StatementStep {
  readonly own: OwnStatement;
  readonly spec: MixStatement;
}

interface MixCall {
  readonly planned: number;
  readonly batch: Batch;
  readonly path: readonly (
    | Pause
    | { readonly kind: 'statement'; readonly step: ReadyStep; readonly call: Call | null }
  )[];
}

/** Prepares a step of an item in a session. */
export async function prepareStep(
  session: Session,
  step: StatementStep,
  { mix, method, tables, options }: MixPlan,
): Promise<ReadyStep> {
  const spec = mix.statements[step.statement]!;
  if (!session.prepareStatement) throw new DynoError('unsupported', 'This engine runs no statements of your own.');
  const { text, isRead } = spec;
  const plan: StatementPlan = {
    text,
    isRead,
    method,
    parameters: step.parameters,
    tables,
    options,
  };
  try {
    return { ...step, spec, own: await session.prepareStatement(plan) };
  } catch (thrown) {
    // An engine's errors are mapped by who calls; of what is Dyno's own, the name is said here.
    if (!(thrown instanceof DynoError)) throw thrown;
    throw new DynoError(thrown.data.kind, `${spec.name}: ${thrown.message}`, thrown.data);
  }
}

/** The values of a step out of those of its item, and of what was captured. The batch's first column is the item's index. */
export const stepBatch = (
  { places }: Pick<StatementStep, 'places'>,
  { columns }: Batch,
  captured: readonly ColumnVector[],
): Batch => ({
  rows: 1,
  columns: places.map((place) => (place < 0 ? captured[-1 - place]! : columns[place + 1]!)),
  laidOut: null,
});

/** The steps that a batch's call runs, in order. */
export const pathOf = ({ steps }: PlannedItem, { columns }: Batch): readonly (StatementStep | Pause)[] => [
  ...stepsOf(steps, (place) => {
    const runs = columns[place + 1]!;
    return runs.kind === 'number' ? runs.values[0]! : 0;
  }),
];

const needsCaptured = ({ places }: StatementStep): boolean => places.some((place) => place < 0);

/** Rows that are not as expected, as an error; null where they are, or nothing is expected. */
export function wrongRows({ name, expectRows, isRead }: MixStatement, rows: number): ErrorData | null {
  if (expectRows === null || (rows >= expectRows.min && rows <= expectRows.max)) return null;
  const { min, max } = expectRows;
  const wanted = min === max ? `${min}` : max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  const did = isRead ? 'returned' : 'touched';
  return new DynoError(
    'wrongResult',
    `\`${name}\` ${did} ${rows} ${rows === 1 ? 'row' : 'rows'}; ${wanted} expected.`,
    {
      hint: 'Look at expectRows, and at what the parameters are drawn from.',
    },
  ).data;
}

/**
 * The experiment's own statements as one operation: a call is whichever its batch says. Each statement is counted and timed by itself, a
 * transaction as a whole, too. Calls answer 0: the rows of different statements are no sum that says anything.
 */
export async function prepareMix(
  session: Session,
  plan: MixPlan,
  counters: StatementCounters,
  toError: (thrown: unknown) => ErrorData,
): Promise<Operation> {
  const ready: ReadyStep[][] = [];
  const known = new Map<string, OwnStatement>();
  for (const { statements } of plan.items) {
    const made: ReadyStep[] = [];
    for (const step of statements) {
      // A statement of several items, with the same parameters, is prepared once.
      const id = `${step.statement} ${JSON.stringify(step.parameters)}`;
      const own = known.get(id);
      const one = own
        ? { ...step, own, spec: plan.mix.statements[step.statement]! }
        : await prepareStep(session, step, plan);
      known.set(id, one.own);
      made.push(one);
    }
    ready.push(made);
  }

  /** Counts what a statement came to. Throws where it was not as expected. */
  const ended = (step: ReadyStep, startMs: number, rows: number): void => {
    const counts = counters.statements[step.statement]!;
    const wrong = wrongRows(step.spec, rows);
    if (wrong === null) counters.succeeded(counts, startMs, performance.now(), rows);
    else throw new DynoError(wrong.kind, wrong.message, wrong);
  };
  const failed = (step: ReadyStep, startMs: number, thrown: unknown): never => {
    counters.failed(counters.statements[step.statement]!, startMs, performance.now(), toError(thrown).kind);
    throw thrown;
  };
  const endedAlone = (step: ReadyStep, startMs: number, rows: number): number => {
    ended(step, startMs, rows);
    if (!step.spec.isRead) counters.committed(performance.now());
    return 0;
  };
  const runStep = async (step: ReadyStep, call: Call, captured: ColumnVector[]): Promise<void> => {
    const start = performance.now();
    try {
      if (step.captures.length === 0) return ended(step, start, await step.own.run(call));
      const answer = await step.own.first(call);
      ended(step, start, answer.count);
      for (const { spec, slot } of step.captures) captured[slot] = capture(spec, answer, plan.mix);
    } catch (thrown) {
      failed(step, start, thrown);
    }
  };
  /** An engine that answers at once is not made to wait for a turn of the event loop. */
  const runAlone = (step: ReadyStep, call: Call): Promise<number> | number => {
    const start = performance.now();
    try {
      const answer = step.own.run(call);
      if (typeof answer !== 'number')
        return answer.then((rows) => endedAlone(step, start, rows)).catch((thrown) => failed(step, start, thrown));
      return endedAlone(step, start, answer);
    } catch (thrown) {
      return failed(step, start, thrown);
    }
  };
  const runTransaction = async (counts: Counts, { planned, batch, path }: MixCall): Promise<number> => {
    const start = performance.now();
    try {
      await session.begin();
      try {
        const captured = [...plan.items[planned]!.slots];
        for (const one of path) {
          if (one.kind === 'pause') await setTimeout(one.drawMs());
          else {
            const { step } = one;
            await runStep(step, one.call ?? step.own.encode(stepBatch(step, batch, captured)), captured);
          }
        }
        await session.commit();
      } catch (thrown) {
        // What went wrong first is what counts; a session that cannot roll back says so with its next call.
        await (async () => session.rollback())().catch(() => {});
        throw thrown;
      }
    } catch (thrown) {
      counters.failed(counts, start, performance.now(), toError(thrown).kind);
      throw thrown;
    }
    const end = performance.now();
    counters.succeeded(counts, start, end, 0);
    counters.committed(end);
    return 0;
  };

  return {
    layout: null,
    encode(batch): MixCall {
      const choice = batch.columns[0]!;
      const planned = choice.kind === 'number' ? choice.values[0]! : 0;
      const path = pathOf(plan.items[planned]!, batch).map((one) => {
        if (one.kind === 'pause') return one;
        const step = ready[planned]![one.id]!;
        const call = needsCaptured(step) ? null : step.own.encode(stepBatch(step, batch, []));
        return { kind: 'statement' as const, step, call };
      });
      return { planned, batch, path };
    },
    run(call) {
      const mixCall = call as MixCall;
      const counts = counters.transactions[plan.items[mixCall.planned]!.index];
      if (counts) return runTransaction(counts, mixCall);
      const [alone] = mixCall.path;
      if (alone?.kind !== 'statement') throw new DynoError('internal', 'A call without a statement.');
      return runAlone(alone.step, alone.call);
    },
  };
}
