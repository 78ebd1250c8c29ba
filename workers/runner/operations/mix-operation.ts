import { setTimeout } from 'node:timers/promises';
import type { Batch, ColumnVector } from '#contract/batch.ts';
import type { PlansByName } from '#contract/dataset.ts';
import type { Call, Operation, OwnStatement, Session, StatementPlan } from '#contract/engine.ts';
import { DynoError, type ErrorData } from '#contract/error.ts';
import type { MethodName, Options } from '#contract/settings.ts';
import type { MixStatement, StatementMix } from '#contract/statements.ts';
import type { Counts } from '../loop/counts.ts';
import type { StatementCounters } from '../loop/statement-counters.ts';
import { capture, capturedAs } from './captured.ts';
import { numberAt, type Pause, type PlannedItem, type StatementStep, stepsOf } from './plan-items.ts';

export interface MixPlan {
  readonly mix: StatementMix;
  readonly items: readonly PlannedItem[];
  readonly method: MethodName;
  readonly tables: PlansByName;
  readonly options: Options;
}

interface PreparedStep extends StatementStep {
  readonly own: OwnStatement;
  readonly spec: MixStatement;
}

interface ReadyStep extends PreparedStep {
  readonly counts: Counts;
  /** By itself. */
  readonly commits: boolean;
  /** Then it can be encoded only when a step before has been run. */
  readonly needsCaptured: boolean;
}

type Path = readonly (ReadyStep | Pause)[];

interface ReadyItem {
  /** Of the transaction; null: a statement by itself. */
  readonly counts: Counts | null;
  readonly slots: PlannedItem['slots'];
  /** The steps that a batch's call runs, in order. */
  readonly pathOf: (batch: Batch) => Path;
}

interface MixCall {
  readonly item: ReadyItem;
  readonly batch: Batch;
  readonly path: Path;
  /** One for each step of the path; null where there is none yet. */
  readonly calls: readonly Call[];
}

/** Prepares a step of an item in a session. */
export async function prepareStep(
  session: Session,
  step: StatementStep,
  { mix, method, tables, options }: MixPlan,
): Promise<PreparedStep> {
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

/** The values of a step out of its item's batch, and of what was captured. */
export const stepBatch = (
  { places }: Pick<StatementStep, 'places'>,
  { columns }: Batch,
  captured: readonly ColumnVector[],
): Batch => ({
  rows: 1,
  columns: places.map((place) => (place < 0 ? captured[-1 - place]! : columns[place]!)),
  laidOut: null,
});

/** What the parameters of a step are declared as, of those that were captured; `slots`: what each capture's answer said. */
export const stepDeclared = (
  { places }: Pick<StatementStep, 'places'>,
  slots: readonly (string | null)[],
): readonly (string | null)[] => places.map((place) => (place < 0 ? (slots[-1 - place] ?? null) : null));

/** Rows that are not as expected, as an error; null where they are, nothing is expected, or the server does not say how many there were. */
export function wrongRows({ name, expectRows, isRead }: MixStatement, rows: number | null): ErrorData | null {
  if (expectRows === null || rows === null || (rows >= expectRows.min && rows <= expectRows.max)) return null;
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
): Promise<Operation<MixCall>> {
  const known = new Map<string, OwnStatement>();
  /** A statement of several items, with the same parameters, is prepared once. */
  const readyStep = async (step: StatementStep, isAlone: boolean): Promise<ReadyStep> => {
    const id = `${step.statement} ${JSON.stringify(step.parameters)}`;
    const spec = plan.mix.statements[step.statement]!;
    const own = known.get(id) ?? (await prepareStep(session, step, plan)).own;
    known.set(id, own);
    return {
      ...step,
      own,
      spec,
      counts: counters.statements[step.statement]!,
      commits: isAlone && !spec.isRead,
      needsCaptured: step.places.some((place) => place < 0),
    };
  };
  const ready: ReadyItem[] = [];
  for (const planned of plan.items) {
    const counts = counters.transactions[planned.index]!;
    const statements: ReadyStep[] = [];
    for (const step of planned.statements) statements.push(await readyStep(step, counts === null));
    const pathOf = (batch: Batch): Path =>
      stepsOf(planned.steps, batch).map((step) => (step.kind === 'pause' ? step : statements[step.id]!));
    const straight = planned.steps.some(({ kind }) => kind === 'block') ? null : pathOf(noBatch);
    ready.push({ counts, slots: planned.slots, pathOf: straight ? () => straight : pathOf });
  }

  /** Counts what a statement came to. Throws where it was not as expected. */
  const ended = ({ spec, counts, commits }: ReadyStep, startMs: number, rows: number | null): number => {
    const wrong = wrongRows(spec, rows);
    if (wrong !== null) throw new DynoError(wrong.kind, wrong.message, wrong);
    const end = performance.now();
    counters.succeeded(counts, startMs, end, rows);
    if (commits) counters.committed(end);
    return 0;
  };
  const failed = (counts: Counts, startMs: number, thrown: unknown): never => {
    counters.failed(counts, startMs, performance.now(), toError(thrown).kind);
    throw thrown;
  };
  const later = async (step: ReadyStep, startMs: number, answer: Promise<number | null>): Promise<number> => {
    try {
      return ended(step, startMs, await answer);
    } catch (thrown) {
      return failed(step.counts, startMs, thrown);
    }
  };
  /** An engine that answers at once is not made to wait for a turn of the event loop. */
  const runStep = (step: ReadyStep, call: Call): Promise<number> | number => {
    const start = performance.now();
    try {
      const answer = step.own.run(call);
      if (answer instanceof Promise) return later(step, start, answer);
      return ended(step, start, answer);
    } catch (thrown) {
      return failed(step.counts, start, thrown);
    }
  };
  const runCapturing = async (
    step: ReadyStep,
    call: Call,
    captured: ColumnVector[],
    declared: (string | null)[],
  ): Promise<void> => {
    const start = performance.now();
    try {
      const answer = await step.own.first(call);
      ended(step, start, answer.count);
      for (const { spec, slot } of step.captures) {
        captured[slot] = capture(spec, answer);
        declared[slot] = capturedAs(spec, answer);
      }
    } catch (thrown) {
      failed(step.counts, start, thrown);
    }
  };
  const runTransaction = async (counts: Counts, { item, batch, path, calls }: MixCall): Promise<number> => {
    const start = performance.now();
    try {
      await session.begin();
      try {
        const captured = [...item.slots];
        const declared: (string | null)[] = [];
        for (const [i, step] of path.entries()) {
          if (step.kind === 'pause') await setTimeout(step.drawMs());
          else {
            const call = step.needsCaptured
              ? step.own.encode(stepBatch(step, batch, captured), stepDeclared(step, declared))
              : calls[i];
            await (step.captures.length > 0 ? runCapturing(step, call, captured, declared) : runStep(step, call));
          }
        }
        await session.commit();
      } catch (thrown) {
        // What went wrong first is what counts; a session that cannot roll back says so with its next call.
        await (async () => session.rollback())().catch(() => {});
        throw thrown;
      }
    } catch (thrown) {
      return failed(counts, start, thrown);
    }
    const end = performance.now();
    counters.succeeded(counts, start, end, 0);
    counters.committed(end);
    return 0;
  };

  return {
    layout: null,
    encode(batch) {
      const item = ready[numberAt(batch, 0)]!;
      const path = item.pathOf(batch);
      const calls = path.map((step) =>
        step.kind === 'pause' || step.needsCaptured ? null : step.own.encode(stepBatch(step, batch, item.slots)),
      );
      return { item, batch, path, calls };
    },
    run(mixCall) {
      const { item, path, calls } = mixCall;
      if (item.counts) return runTransaction(item.counts, mixCall);
      const [alone] = path;
      if (alone?.kind !== 'statement') throw new DynoError('internal', 'A call without a statement.');
      return runStep(alone, calls[0]);
    },
  };
}

const noBatch: Batch = { rows: 1, columns: [], laidOut: null };
