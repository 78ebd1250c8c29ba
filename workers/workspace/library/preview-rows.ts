import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { openGiven } from '#platform/given-file.ts';
import type { Preview } from '#protocol/preview.ts';
import { makePreview } from '#runner/generator/preview.ts';
import { firstRows } from '#runner/rows/store-rows.ts';
import { withRowsInMemory } from '#runner/rows/stored-rows.ts';
import { rowFilePath } from './list-files.ts';

/**
 * The first rows of a dataset, those of its file included, which is below `folder`. There are fewer than `rows` if the
 * file has fewer and its key is a column of the file. Throws 'badInput' for a value that does not fit its column.
 */
export async function previewOf(folder: string, dataset: Dataset, rows: number, longest?: number): Promise<Preview> {
  const { from, key, columns } = dataset;
  if (from === undefined) return makePreview(dataset, rows, longest);
  const path = rowFilePath(folder, from.file);
  await (await openGiven(path)).close();
  const ofFile = Object.entries(columns).filter((one): one is [string, FileColumnSpec] => one[1].type === 'file');
  const request = { from, path, columns: Object.fromEntries(ofFile), most: rows };
  const read = await firstRows(request, new AbortController().signal);
  const shown = ofFile.some(([name]) => name === key) ? read.rows : rows;
  return withRowsInMemory(read, (stored) => makePreview({ ...dataset, stored }, shown, longest));
}
