import type { TableChecksum } from '#contract/batch.ts';
import type { Column } from '#contract/dataset.ts';
import type { OperationName } from '#contract/settings.ts';
import { createChecksumSum } from './checksum.ts';
import type { Generator } from './generator.ts';
import type { Ledger } from './ledger.ts';

const rowsPerBlock = 8_192;

/**
 * What the server acknowledged, made again from row numbers after the clock. insert: rows and checksum (rows alone where the server made
 * them); update, delete: rows touched, no checksum; reads: null.
 */
export async function acknowledgedRows(
  operation: OperationName,
  ledgers: ReadonlySet<Ledger>,
  generator: Generator,
  columns: readonly Column[],
  serverData: boolean,
  emptyIsNull = false,
): Promise<TableChecksum | null> {
  if (operation !== 'insert' && operation !== 'update' && operation !== 'delete') return null;
  if (operation !== 'insert' || serverData) {
    let rows = 0;
    for (const ledger of ledgers) for (const call of ledger.acknowledged()) rows += ledger.numbering.rows(call);
    return { rows, columns: columns.map(() => null) };
  }
  const sum = createChecksumSum(
    columns.map(({ type }) => type),
    emptyIsNull,
  );
  const block = new Float64Array(rowsPerBlock);
  let filled = 0;
  const flush = async () => {
    sum.add(generator.pick(block.subarray(0, filled)));
    filled = 0;
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  for (const { numbering, call } of acknowledgedCalls(ledgers)) {
    const first = numbering.first(call);
    for (let row = first, end = first + numbering.rows(call); row < end; row++) {
      block[filled++] = row;
      if (filled === rowsPerBlock) await flush();
    }
  }
  if (filled > 0) await flush();
  return sum.total();
}

function* acknowledgedCalls(ledgers: ReadonlySet<Ledger>) {
  for (const ledger of ledgers) for (const call of ledger.acknowledged()) yield { numbering: ledger.numbering, call };
}
