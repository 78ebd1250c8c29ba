import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { partsOf, type StatementLanguage } from '#model/statements/statement-text.ts';

const uuidLength = 36;

/**
 * Prepares a statement of an engine that stores the UUIDs of Dyno's tables as bytes. In a statement that names none of
 * these tables they are texts of 36 characters, because a user's own text column would read the bytes as characters.
 */
export async function withTextUuids<C>(
  plan: StatementPlan,
  language: StatementLanguage,
  prepare: (plan: StatementPlan) => CustomStatement<C> | Promise<CustomStatement<C>>,
): Promise<CustomStatement<C>> {
  const isUuid = plan.parameters.map(({ type }) => type.kind === 'uuid');
  if (!isUuid.includes(true) || partsOf(plan.text, language).some(({ kind }) => kind === 'table')) return prepare(plan);
  const type = { kind: 'text', maxLength: uuidLength, fixed: true, ascii: true } as const;
  const parameters = plan.parameters.map((one, p) => (isUuid[p] ? { ...one, type } : one));
  const statement = await prepare({ ...plan, parameters });
  const asText = ({ rows, columns }: Batch): Batch => ({
    rows,
    columns: columns.map((column, c) => (isUuid[c] ? textColumn(column, rows) : column)),
  });
  return { ...statement, encode: (batch, declared) => statement.encode(asText(batch), declared) };
}

function textColumn(column: ColumnVector, rows: number): ColumnVector {
  const texts = decodeColumn(column, { kind: 'uuid' }, rows).map((text) => text ?? ' '.repeat(uuidLength));
  const bytes = Buffer.from(texts.join(''));
  return { kind: 'fixed', bytes, offset: 0, stride: uuidLength, width: uuidLength, nulls: column.nulls };
}
