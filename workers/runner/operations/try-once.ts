import type { Database } from '#engine-api/database.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Session } from '#engine-api/session.ts';
import type { AnsweredRows, StatementPlan } from '#engine-api/statement.ts';
import { requireSessionSettings } from '#engine-api/support/session-settings.ts';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import type { MixStatement, ShownRows, TriedStatement } from '#model/statements/statements.ts';
import { notTriedText } from '#model/statements/try-rules.ts';
import { type ControlRequest, plansOf } from '#protocol/messages.ts';
import { capture, capturedAs } from './captured.ts';
import { prepareStep, stepBatch, stepDeclared, wrongRows } from './mix-steps.ts';
import { everyStep, planItems, type StatementStep } from './plan-items.ts';
import { beginOr, valueText, withoutChanges } from './reading.ts';
import { createTableKeys } from './table-keys.ts';

type TryRequest = ControlRequest & { readonly call: 'tryOnce' };

/** Maximum number of shown rows, and of characters per value. */
const mostShown = 100;
const mostCharacters = 2_000;
/** Maximum number of rows that are counted if the file expects a number of rows. */
const mostCounted = 100_000;

/**
 * Runs the steps of a mix's only item once, with the values of its first call, in a transaction that is rolled back. If
 * the engine cannot roll back a statement's changes, nothing is run, and the reason is the error.
 */
export async function tryOnce(
  engine: EngineDescriptor,
  database: Database,
  request: TryRequest,
  toError: (thrown: unknown) => ErrorData,
): Promise<readonly TriedStatement[]> {
  const { statements } = engine;
  const { mix, tables, settings, options, seed, declaredReads } = request;
  if (!statements) throw new DynoError('unsupported', 'This engine runs no custom statements.');
  if (mix.items.length === 0) throw new DynoError('internal', 'Nothing to try.');
  const items = planItems(mix, seed, createTableKeys(tables, settings, 0), { documents: settings.documents });
  const planned = items[0]!;
  const path = everyStep(planned.steps);
  const batch = planned.batchOfAll(0);
  const captured: Captured = { values: [...planned.slots], declared: [] };
  await using session = await database.openSession(
    options,
    settings.isolation,
    requireSessionSettings(engine, request.session ?? {}),
  );
  const onlyReads = path.every(({ statement }) => {
    const { name, text } = mix.statements[statement]!;
    return readsOnly(text, statements) && declaredReads[name] !== false;
  });
  // Statements are prepared before the transaction: some drivers take another connection for some methods.
  const steps: Step[] = [];
  const plan = { mix, items, method: settings.method, tables: plansOf(tables), options };
  for (const step of path) steps.push(await prepared(session, step, plan, toError));
  // SQL reads are rolled back, too: they may call a function that changes something.
  const noRollback =
    onlyReads && statements.language !== 'sql' ? 'Only reads.' : await beginOr(() => session.begin(), toError);
  const refusals = path.map(({ statement }) => {
    const { name, text } = mix.statements[statement]!;
    return notTriedText(text, statements, declaredReads[name], noRollback);
  });
  const tried: TriedStatement[] = [];
  try {
    for (const [i, step] of path.entries()) {
      const { name, text } = mix.statements[step.statement]!;
      const values = stepBatch(step, batch, captured.values);
      const head: TriedStatement = {
        name,
        text,
        // A file must not declare a text that may write as a read, because notUndoneText() would not be called for it.
        isRead: declaredReads[name] !== false && readsOnly(text, statements),
        parameters: step.parameters.map(({ name: parameter, type }, p) => ({
          name: parameter,
          value: valueText(decodeColumn(values.columns[p]!, type, 1)[0]!),
        })),
        shown: null,
        asExpected: null,
        plan: null,
        planNote: null,
        elapsedMs: null,
        error: null,
      };
      const error = refusalOf(i, refusals) ?? afterFailure(tried);
      tried.push(error ? { ...head, error } : await tryStep(steps[i]!, head, values, captured, toError));
    }
  } finally {
    if (noRollback === null) await (async () => session.rollback())().catch(() => {});
  }
  return tried;
}

/** A statement that cannot be undone would make the whole transaction permanent. */
function refusalOf(index: number, refusals: readonly (string | null)[]): ErrorData | null {
  const others = refusals.some((one) => one !== null) ? 'Another step of the transaction cannot be tried.' : null;
  const reason = refusals[index] ?? others;
  return reason === null ? null : new DynoError('unsupported', reason).data;
}

const afterFailure = (tried: readonly TriedStatement[]): ErrorData | null =>
  tried.some(({ error }) => error !== null) ? new DynoError('cancelled', 'A step before it failed.').data : null;

/** Captured values by slot, and the types that their answers declare for them. */
interface Captured {
  readonly values: ColumnVector[];
  readonly declared: (string | null)[];
}

/** The values as text. */
const shownOf = ({ columns, rows, count, hasMore }: AnsweredRows): ShownRows => ({
  columns,
  rows: rows.slice(0, mostShown).map((row) => row.map(shortened)),
  count,
  ...(hasMore && { hasMore }),
});

const shortened = (value: string | null): string | null =>
  value !== null && value.length > mostCharacters ? `${value.slice(0, mostCharacters)}…` : value;

/** Number of fetched rows: enough to show, and enough to compare with the expected number. */
const fetchedOf = ({ expectRows }: MixStatement): number => {
  if (expectRows === null) return mostShown;
  const { min, max } = expectRows;
  return Math.max(mostShown, Math.min(max === Number.MAX_SAFE_INTEGER ? min : max, mostCounted));
};

type Step = Awaited<ReturnType<typeof prepareStep>> | { readonly error: ErrorData };

async function prepared(
  session: Session,
  step: StatementStep,
  plan: Parameters<typeof prepareStep>[2],
  toError: (thrown: unknown) => ErrorData,
): Promise<Step> {
  try {
    return await prepareStep(session, step, plan);
  } catch (thrown) {
    return { error: toError(thrown) };
  }
}

async function tryStep(
  step: Step,
  head: TriedStatement,
  values: Batch,
  captured: Captured,
  toError: (thrown: unknown) => ErrorData,
): Promise<TriedStatement> {
  if ('error' in step) return { ...head, error: step.error };
  const { own, spec } = step;
  try {
    const notUndone = head.isRead ? null : ((await own.notUndoneText?.()) ?? null);
    if (notUndone !== null) return { ...head, error: new DynoError('unsupported', notUndone).data };
    const start = performance.now();
    const declared = stepDeclared(step, captured.declared);
    const answer = await own.show(own.encode(values, declared), fetchedOf(spec));
    const elapsedMs = performance.now() - start;
    const shown = shownOf(answer);
    const wrong = wrongRows(spec, shown.count, shown.hasMore);
    for (const { spec: one, slot } of wrong ? [] : step.captures) {
      captured.values[slot] = capture(one, answer);
      captured.declared[slot] = capturedAs(one, answer);
    }
    const asExpected = spec.expectRows === null || shown.count === null ? null : wrong === null;
    const explained = await explain(() => own.explain(own.encode(values, declared)), toError);
    return { ...head, shown, elapsedMs, asExpected, ...explained, error: wrong };
  } catch (thrown) {
    return { ...head, error: toError(thrown) };
  }
}

async function explain(
  work: () => Promise<string>,
  toError: (thrown: unknown) => ErrorData,
): Promise<Pick<TriedStatement, 'plan' | 'planNote'>> {
  try {
    return { plan: await work(), planNote: null };
  } catch (thrown) {
    return { plan: null, planNote: toError(thrown).message };
  }
}

/** The first rows of a query's answer, with what their values are as parameters. */
export async function query(
  { statements }: EngineDescriptor,
  database: Database,
  { text, tables, options, most, isUndone }: ControlRequest & { readonly call: 'query' },
  toError: (thrown: unknown) => ErrorData,
): Promise<AnsweredRows> {
  await using session = await database.openSession(options);
  if (!session.prepareStatement) throw new DynoError('unsupported', 'This engine runs no custom statements.');
  const plan: StatementPlan = { text, parameters: [], method: 'bind', tables, options, isRead: true };
  const statement = await session.prepareStatement(plan);
  const show = async () => await statement.show(statement.encode({ rows: 1, columns: [] }), most);
  // The result is awaited here, before the session is closed.
  return isUndone ? await withoutChanges(session, statements, show, toError) : await show();
}
