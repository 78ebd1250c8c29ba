import { createHash } from 'node:crypto';
import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Session } from '#engine-api/session.ts';
import type { StopSignal } from '#engine-api/stop-signal.ts';
import { requireSessionSettings } from '#engine-api/support/session-settings.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { rowOrder } from '#model/statements/row-order.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { StatementMix } from '#model/statements/statements.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import { type ComparedStatement, type ControlRequest, plansOf } from '#protocol/messages.ts';
import { type CanonicalAnswer, canonicalAnswer } from './canonical-rows.ts';
import { compareRows, type RowPair, type RowsCompared } from './compare-rows.ts';
import { prepareStep, stepBatch } from './mix-steps.ts';
import { everyStep, planItems } from './plan-items.ts';
import { valueText, withoutChanges } from './reading.ts';
import { createTableKeys } from './table-keys.ts';

type Request = ControlRequest & { readonly call: 'compareAnswers' };

/** An answer with more rows than these is not compared. */
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
  const endMs = performance.now() + request.withinMs;
  const compared: ComparedAnswers[] = [];
  for (const [i, statement] of request.statements.entries()) {
    stop.throwIfAborted();
    const startMs = performance.now();
    // Each of the statements that are left gets the same part of the time that is left.
    const untilMs = startMs + Math.max(0, endMs - startMs) / (request.statements.length - i);
    await using session = await database.openSession(request.options, request.settings.isolation, settings);
    const common = { statement: statement.name, baseline: statement.baseline };
    const work = { ...request, language, statement, session, untilMs, stop, toError };
    compared.push({ ...common, ...(await compareStatement(work)) });
  }
  return compared;
}

interface Work extends Pick<Request, 'tables' | 'settings' | 'options' | 'seed' | 'draws' | 'withinMs'> {
  readonly language: StatementLanguage;
  readonly statement: ComparedStatement;
  readonly session: Session;
  readonly untilMs: number;
  readonly stop: StopSignal;
  readonly toError: (thrown: unknown) => ErrorData;
}

type Outcome = Omit<ComparedAnswers, 'statement' | 'baseline'>;

async function compareStatement(work: Work): Promise<Outcome> {
  const { session, language, untilMs, stop, toError } = work;
  let draws = 0;
  let rows = 0;
  let isLate = false;
  let doubt: string | null = null;
  const cancel = () => void session.cancel().catch(() => {});
  const tooLong = setTimeout(
    () => {
      isLate = true;
      cancel();
    },
    Math.max(1, untilMs - performance.now()),
  );
  stop.addEventListener('abort', cancel);
  const outcome = (): Outcome => {
    if (doubt !== null) return { outcome: 'cannotTell', draws, why: doubt };
    if (draws === 0) return notChecked(lateText(work));
    const found = { outcome: 'equal', draws } as const;
    return rows > 0 ? found : { ...found, outcome: 'cannotTell', why: 'no draw of its parameters found a row' };
  };
  try {
    const own = await asked(work, work.statement.ownMix);
    const baseline = await asked(work, work.statement.baselineMix);
    const compareDraws = async (): Promise<Outcome> => {
      for (let draw = 0; draw < work.draws && performance.now() < untilMs; draw++) {
        stop.throwIfAborted();
        const compared = await compareDraw(baseline, own, draw, language);
        draws++;
        if (compared.outcome === 'differ') return differenceOf(work, compared, baseline.parametersOf(draw), draws);
        if (compared.outcome === 'cannotTell') doubt ??= compared.why;
        else rows += compared.rows;
      }
      return outcome();
    };
    return await withoutChanges(session, language, compareDraws, toError);
  } catch (thrown) {
    stop.throwIfAborted();
    return isLate ? outcome() : notChecked(`the server refused it: ${toError(thrown).message}`, draws);
  } finally {
    clearTimeout(tooLong);
    stop.removeEventListener('abort', cancel);
  }
}

const notChecked = (why: string, draws = 0): Outcome => ({ outcome: 'notChecked', draws, why });

const lateText = ({ withinMs }: Work): string =>
  `an answer took longer than the time for comparisons, which is ${withinMs / 1_000} s in each trial`;

/** A text that can be asked with the values of a draw. */
interface Asked {
  readonly text: string;
  readonly parametersOf: (draw: number) => readonly { readonly name: string; readonly value: string | null }[];
  readonly answer: (draw: number) => ReturnType<Awaited<ReturnType<typeof prepareStep>>['own']['show']>;
}

/** Prepares a mix's only statement. The draws are those of a call with the same number and seed. */
async function asked({ tables, settings, options, seed, session }: Work, mix: StatementMix): Promise<Asked> {
  const items = planItems(mix, seed, createTableKeys(tables, settings, 0), { documents: settings.documents });
  const planned = items[0]!;
  const step = everyStep(planned.steps)[0]!;
  const plan = { mix, items, method: settings.method, tables: plansOf(tables), options };
  const { own, spec } = await prepareStep(session, step, plan);
  const batchOf = (draw: number) => stepBatch(step, planned.batchOfAll(draw), planned.slots);
  return {
    text: spec.text,
    parametersOf: (draw) => {
      const { columns } = batchOf(draw);
      return step.parameters.flatMap(({ name, type }, p) =>
        Object.hasOwn(spec.own.lists, name) ? [] : [{ name, value: valueText(decodeColumn(columns[p]!, type, 1)[0]!) }],
      );
    },
    answer: async (draw) => await own.show(own.encode(batchOf(draw)), mostRows),
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
  // Documents have named fields, and rows have columns at places.
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
    digests: { baseline: digestOf(before), own: digestOf(answered) },
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

const shortened = (value: string | null): string | null =>
  value !== null && value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value;

/** The rows as a multiset, in as many digits as tell any two answers of a run apart. */
function digestOf({ rows }: CanonicalAnswer): string {
  const hash = createHash('sha256');
  for (const row of rows.map((one) => JSON.stringify(one)).toSorted()) hash.update(row).update('\n');
  return hash.digest('hex').slice(0, 16);
}
