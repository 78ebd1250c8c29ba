import type { Session } from '#engine-api/session.ts';
import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import type { PlansByName } from '#model/dataset/dataset.ts';
import { DynoError, type ErrorData } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import type { MixStatement, StatementMix } from '#model/statements/statements.ts';
import type { PlannedItem, StatementStep } from './plan-items.ts';

export interface MixPlan {
  readonly mix: StatementMix;
  readonly items: readonly PlannedItem[];
  readonly method: MethodName;
  readonly tables: PlansByName;
  readonly options: Options;
}

export interface PreparedStep extends StatementStep {
  readonly own: CustomStatement;
  readonly spec: MixStatement;
}

/** Prepares a step of an item. Rejects with the engine's own errors, and with DynoErrors that name the statement. */
export async function prepareStep(
  session: Session,
  step: StatementStep,
  { mix, method, tables, options }: Omit<MixPlan, 'items'>,
): Promise<PreparedStep> {
  const spec = mix.statements[step.statement]!;
  if (!session.prepareStatement) throw new DynoError('unsupported', 'This engine runs no custom statements.');
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
    // The caller maps an engine's errors. Dyno's own errors get the statement's name here.
    if (!(thrown instanceof DynoError)) throw thrown;
    throw new DynoError(thrown.data.kind, `${spec.name}: ${thrown.message}`, thrown.data);
  }
}

/** Picks the values of a step out of its item's batch and of the captured values. */
export const stepBatch = (
  { places }: Pick<StatementStep, 'places'>,
  { columns }: Batch,
  captured: readonly ColumnVector[],
): Batch => {
  const own = new Array<ColumnVector>(places.length);
  for (let i = 0; i < own.length; i++) {
    const place = places[i]!;
    own[i] = place < 0 ? captured[-1 - place]! : columns[place]!;
  }
  return { rows: 1, columns: own };
};

/** The types that a step's parameters are declared as; null: by value. `slots`: the types that answers declare. */
export const stepDeclared = (
  { places }: Pick<StatementStep, 'places'>,
  slots: readonly (string | null)[],
): readonly (string | null)[] => places.map((place) => (place < 0 ? (slots[-1 - place] ?? null) : null));

/**
 * Returns the error of a statement with a wrong number of rows; null if the number is right, not expected, or unknown.
 * `hasMore` is true if there are more rows.
 */
export function wrongRows(
  { name, expectRows, isRead }: MixStatement,
  rows: number | null,
  hasMore = false,
): ErrorData | null {
  if (expectRows === null || rows === null) return null;
  if (rows >= expectRows.min && (hasMore ? rows < expectRows.max : rows <= expectRows.max)) return null;
  const { min, max } = expectRows;
  const wanted = min === max ? `${min}` : max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  const did = isRead ? 'returned' : 'touched';
  const counted = `${rows} ${rows === 1 ? 'row' : 'rows'}${hasMore ? ' and more' : ''}`;
  const message = `“${name}” ${did} ${counted}; ${wanted} expected.`;
  const hint = 'Look at expectRows, and at what the parameters are drawn from.';
  return new DynoError('wrongResult', message, { hint }).data;
}
