import { convertsNull } from '#engine-api/support/converts-null.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import { descriptor } from '../descriptor.ts';

/** pg_type.oid of what nulls are declared as. */
const oids = { asFloat: 701, asText: 25 } as const;
/** For the server to find out. */
const untyped = 0;
const none: readonly number[] = [];

/** The types that Parse names for the nulls of a batch's only row. Empty: the server infers all types. */
export function declaredTypes(batch: Batch, types: readonly ColumnType[], nulls: NullBinding): readonly number[] {
  if (nulls !== 'asFloat' && nulls !== 'asText') return none;
  const form = descriptor.nullBindings![nulls]!;
  const declared = batch.columns.map(({ nulls: isNull }, c) =>
    isNull?.[0] === 1 && convertsNull(form, types[c]!) ? oids[nulls] : untyped,
  );
  return declared.some((oid) => oid !== untyped) ? declared : none;
}
