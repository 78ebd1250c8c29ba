import type { Batch } from '#model/batch/batch.ts';
import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import type { Link } from '../connection/link.ts';
import { readOptions } from '../options.ts';
import { idPrefix, rowMaker } from '../values/documents.ts';
import { deleteDocuments } from './tables.ts';

interface Stored {
  readonly Results: readonly { readonly '@id': string }[];
}

/**
 * Loads with one transaction for each batch; the next batch is written while the server stores the current one.
 * Existing ids are refused. No transaction spans all batches, so a failed load deletes the documents that it has
 * stored.
 */
export async function load(link: Link, ...[table, batches, onRows, signal]: LoadArguments): Promise<void> {
  const rows = rowMaker(table, readOptions(table.options).dates);
  const first = (await link.ask({ path: `/docs?startsWith=${encodeURIComponent(idPrefix(table))}&pageSize=1` })) as {
    readonly Results: readonly unknown[];
  } | null;
  const wasEmpty = first === null || first.Results.length === 0;
  /** The documents that were stored. They are deleted one by one if the collection also holds documents of others. */
  const stored: string[] = [];
  const insert = {
    encode: (batch: Batch) =>
      JSON.stringify({
        Commands: rows(batch).map(({ id, entity }) => ({ Id: id, ChangeVector: '', Document: entity, Type: 'PUT' })),
      }),
    async run(body: string) {
      const { Results: results } = (await link.ask({
        method: 'POST',
        path: '/bulk_docs',
        body,
      })) as Stored;
      if (!wasEmpty) stored.push(...results.map((one) => one['@id']));
      return results.length;
    },
  };
  try {
    await sendBatches(insert, batches, onRows, signal);
  } catch (error) {
    await (wasEmpty ? deleteDocuments(link, table) : deleteIds(link, stored)).catch(() => {});
    throw error;
  }
}

const idsPerRequest = 1_000;

async function deleteIds(link: Link, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += idsPerRequest) {
    const commands = ids.slice(at, at + idsPerRequest).map((Id) => ({ Id, ChangeVector: null, Type: 'DELETE' }));
    await link.ask({ method: 'POST', path: '/bulk_docs', body: JSON.stringify({ Commands: commands }) });
  }
}
