import { createHash } from 'node:crypto';
import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Session } from '#engine-api/session.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { requireSessionSettings } from '#engine-api/support/session-settings.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { type CanonicalAnswer, compareRows, type RowPair, type RowsCompared } from '#model/statements/compare-rows.ts';
import { rowOrder } from '#model/statements/row-order.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { StatementMix } from '#model/statements/statements.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import { type ComparedStatement, type ControlRequest, plansOf } from '#protocol/messages.ts';
import { canonicalAnswer } from './canonical-rows.ts';
import { prepareStep, stepBatch } from './mix-steps.ts';
import { everyStep, planItems, type StatementStep } from './plan-items.ts';
import { valueText, withoutChanges } from './reading.ts';
import { createTableKeys } from './table-keys.ts';

type Request = ControlRequest & { readonly call: 'compareAnswers' };

/** An answer with more rows than this is not compared. */
const mostRows = 10_000;
/** Maximum number of characters of a value that is kept. */
const mostCharacters = 200;

/**
 * Asks the text of each statement, and the baseline's text of it, with the same values, and compares the answers. Ends
 * with the first answers that differ, and with the time. An error of a server is the reason why a statement was not
 * compared.
 */
export async function compareAnswers(
  engine: EngineDescriptor,
  database: Database,
  request: Request,
  toError: (thrown: unknown) => ErrorData,
  stop: StopSignal,
): Promise<readonly ComparedAnswers[]> {
  const { statements: language } = engine;
  if (!language) throw new DynoError('unsupported', 'This engine runs no custom statements.');
  const settings = requireSessionSettings(engine, request.session ?? {});
  const compared: ComparedAnswers[] = [];
  for (const { one: statement, untilMs } of timeOfEach(request)) {
    stop.throwIfAborted();
    await using session = await database.openSession(request.options, request.settings.isolation, settings);
    const common = { statement: statement.name, baseline: statement.baseline };
    const work = { ...request, language, statement, session, untilMs, stop, toError };
    compared.push({ ...common, ...(await compareStatement(work)) });
  }
  return compared;
}

/** The statements of a request one by one, each with the end of its part of the time. */
export function* timeOfEach<One>({
  statements,
  withinMs,
}: {
  readonly statements: readonly One[];
  readonly withinMs: number;
}): Generator<{ readonly one: One; readonly untilMs: number }> {
  const endMs = performance.now() + withinMs;
  for (const [i, one] of statements.entries()) {
    const startMs = performance.now();
    // The remaining time is divided equally among the remaining statements.
    yield { one, untilMs: startMs + Math.max(0, endMs - startMs) / (statements.length - i) };
  }
}

/** Asking one statement on its session. */
export interface AskingWork extends Pick<Request, 'tables' | 'settings' | 'options' | 'seed' | 'draws' | 'withinMs'> {
  readonly language: StatementLanguage;
  readonly session: Session;
  readonly untilMs: number;
  readonly stop: StopSignal;
  readonly toError: (thrown: unknown) => ErrorData;
}

interface Work extends AskingWork {
  readonly statement: ComparedStatement;
}

type Outcome = Omit<ComparedAnswers, 'statement' | 'baseline'>;

async function compareStatement(work: Work): Promise<Outcome> {
  const { language, untilMs, stop } = work;
  let draws = 0;
  let rows = 0;
  let doubt: string | null = null;
  const outcome = (): Outcome => {
    if (doubt !== null) return { outcome: 'cannotTell', draws, why: doubt };
    if (draws === 0) return notChecked(lateText(work));
    const found = { outcome: 'equal', draws } as const;
    return rows > 0 ? found : { ...found, outcome: 'cannotTell', why: 'no draw of its parameters found a row' };
  };
  const found = await askInTime(work, async () => {
    const own = await asked(work, work.statement.ownMix);
    const baseline = await asked(work, work.statement.baselineMix);
    return async () => {
      for (let draw = 0; draw < work.draws && performance.now() < untilMs; draw++) {
        stop.throwIfAborted();
        const compared = await compareDraw(baseline, own, draw, language);
        draws++;
        if (compared.outcome === 'differ')
          return differenceOf(work, compared, baseline.parametersOf(draw, work.statement.keepsLists), draws);
        if (compared.outcome === 'cannotTell') doubt ??= compared.why;
        else rows += compared.rows;
      }
      return outcome();
    };
  });
  if (typeof found === 'string') return notChecked(found, draws);
  return found ?? outcome();
}

/**
 * Prepares, and then asks in a transaction that changes nothing. Null: it took too long, and was cancelled. A text: the
 * server refused it, as a clause.
 */
export async function askInTime<T>(
  { session, language, untilMs, stop, toError }: AskingWork,
  prepare: () => Promise<() => Promise<T>>,
): Promise<T | string | null> {
  let isLate = false;
  const cancel = () => void session.cancel().catch(() => {});
  const tooLong = setTimeout(
    () => {
      isLate = true;
      cancel();
    },
    Math.max(1, untilMs - performance.now()),
  );
  stop.addEventListener('abort', cancel);
  try {
    return await withoutChanges(session, language, await prepare(), toError);
  } catch (thrown) {
    stop.throwIfAborted();
    return isLate ? null : `the server refused it: ${toError(thrown).message}`;
  } finally {
    clearTimeout(tooLong);
    stop.removeEventListener('abort', cancel);
  }
}

const notChecked = (why: string, draws = 0): Outcome => ({ outcome: 'notChecked', draws, why });

/** The reason why no draw was answered. */
export const lateText = ({ withinMs }: Pick<Request, 'withinMs'>): string =>
  `an answer took longer than the time for comparisons, which is ${withinMs / 1_000} s in each trial`;

/** The draws of a mix's only statement: those of a call with the same number and seed. */
export interface Draws {
  readonly step: StatementStep;
  readonly batchOf: (draw: number) => Batch;
  /** Values by name. Values of lists are the user's, and are only included if the file asks for them. */
  readonly parametersOf: (
    draw: number,
    withLists?: boolean,
  ) => readonly { readonly name: string; readonly value: string | null }[];
  /** All values of a draw with their names, also those of lists. */
  readonly valuesOf: (draw: number) => readonly string[];
}

export type DrawnWork = Pick<AskingWork, 'tables' | 'settings' | 'seed'>;

export function drawsOf({ tables, settings, seed }: DrawnWork, mix: StatementMix): Draws {
  const [planned] = planItems(mix, seed, createTableKeys(tables, settings, 0), { documents: settings.documents });
  const step = everyStep(planned!.steps)[0]!;
  const { lists } = mix.statements[step.statement]!.own;
  const batchOf = (draw: number) => stepBatch(step, planned!.batchOfAll(draw), planned!.slots);
  return {
    step,
    batchOf,
    parametersOf: (draw, withLists = false) => {
      const { columns } = batchOf(draw);
      return step.parameters.flatMap(({ name, type }, p) =>
        !withLists && Object.hasOwn(lists, name)
          ? []
          : [{ name, value: valueText(decodeColumn(columns[p]!, type, 1)[0]!) }],
      );
    },
    valuesOf: (draw) => {
      const { columns } = batchOf(draw);
      return step.parameters
        .map(({ name, type }, p) => JSON.stringify([name, valueText(decodeColumn(columns[p]!, type, 1)[0]!)]))
        .toSorted();
    },
  };
}

/** A text that can be asked with the values of a draw. */
interface Asked extends Draws {
  readonly text: string;
  readonly answer: (draw: number) => ReturnType<Awaited<ReturnType<typeof prepareStep>>['own']['show']>;
}

/** Prepares a mix's only statement. */
export async function asked(work: AskingWork, mix: StatementMix): Promise<Asked> {
  const { tables, settings, options, session } = work;
  const draws = drawsOf(work, mix);
  const plan = { mix, method: settings.method, tables: plansOf(tables), options };
  const { own, spec } = await prepareStep(session, draws.step, plan);
  return {
    ...draws,
    text: spec.text,
    answer: async (draw) => await own.show(own.encode(draws.batchOf(draw)), mostRows),
  };
}

type DrawCompared =
  | { readonly outcome: 'equal'; readonly rows: number }
  | (RowsCompared & { readonly outcome: 'cannotTell' })
  | ((RowsCompared & { readonly outcome: 'differ' }) & {
      readonly columns: readonly string[];
      readonly digests: { readonly baseline: string; readonly own: string };
    });

/**
 * Compares the answers to one draw. Where they differ, both texts are asked once more: a text whose own answers differ
 * says nothing.
 */
async function compareDraw(
  baseline: Asked,
  own: Asked,
  draw: number,
  language: StatementLanguage,
): Promise<DrawCompared> {
  const first = { baseline: await baseline.answer(draw), own: await own.answer(draw) };
  // Documents are compared by the names of their fields, and rows by the positions of their columns.
  const columns =
    language.language === 'sql' ? undefined : [...new Set([...first.baseline.columns, ...first.own.columns])];
  const before = canonicalAnswer(first.baseline, columns);
  const answered = canonicalAnswer(first.own, columns);
  const order = rowOrder(baseline.text, language);
  const ownOrder = rowOrder(own.text, language);
  const compared = compareRows(before, answered, order, ownOrder);
  if (compared.outcome === 'equal') return { outcome: 'equal', rows: before.rows.length };
  if (compared.outcome === 'cannotTell') return compared;
  const moving = order.moving ?? ownOrder.moving;
  if (moving !== null) return { outcome: 'cannotTell', why: `the answer depends on ${moving}` };
  const again = canonicalAnswer(await baseline.answer(draw), columns);
  if (compareRows(before, again, order, order).outcome !== 'equal')
    return { outcome: 'cannotTell', why: 'the baseline’s text itself gives other answers to the same values' };
  const ownAgain = canonicalAnswer(await own.answer(draw), columns);
  if (compareRows(answered, ownAgain, ownOrder, ownOrder).outcome !== 'equal')
    return { outcome: 'cannotTell', why: 'its text itself gives other answers to the same values' };
  return {
    ...compared,
    columns: before.columns,
    digests: { baseline: digestOf(before.rows), own: digestOf(answered.rows) },
  };
}

function differenceOf(
  { statement: { keepsRows } }: Work,
  { what, columns, pairs, digests }: DrawCompared & { readonly outcome: 'differ' },
  parameters: ReturnType<Asked['parametersOf']>,
  draws: number,
): Outcome {
  const shown = (row: RowPair['own']) => (row === null ? null : row.map(shortened));
  return {
    outcome: 'differ',
    draws,
    why: what,
    difference: {
      parameters: parameters.map(({ name, value }) => ({ name, value: shortened(value) })),
      digests,
      ...(keepsRows && {
        rows: {
          columns,
          pairs: pairs.map(({ baseline, own }) => ({ baseline: shown(baseline), own: shown(own) })),
        },
      }),
    },
  };
}

/** The first characters of a value. */
export const shortened = (value: string | null): string | null =>
  value !== null && value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value;

/** The digest of rows as a multiset, or in their order, with enough digits to distinguish any two answers of a run. */
export function digestOf(rows: CanonicalAnswer['rows'], inOrder = false): string {
  const hash = createHash('sha256');
  const texts = rows.map((one) => JSON.stringify(one));
  for (const row of inOrder ? texts : texts.toSorted()) hash.update(row).update('\n');
  return hash.digest('hex').slice(0, 16);
}
