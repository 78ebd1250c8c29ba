import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { eachIndex } from '../../shared/each-index.ts';
import type { Link } from '../connection/link.ts';
import { isIndexOf, ownIndex } from '../queries.ts';

/** The answer of /collections/stats/detailed. */
interface DetailedStats {
  readonly Collections: Readonly<Record<string, { readonly DocumentsSize?: { readonly SizeInBytes: number } }>>;
}

/** The answer of /debug/storage/report, with an environment for documents, for configuration and for every index. */
interface StorageReport {
  readonly Results: readonly {
    readonly Name: string;
    readonly Type: string;
    readonly Report: { readonly DataFile: { readonly UsedSpaceInBytes: number } };
  }[];
}

/** Documents, and the index files without their free pages. */
export async function storedBytes(link: Link, table: TablePlan): Promise<StoredBytes> {
  const detailed = (await link.ask({ path: '/collections/stats/detailed' })) as DetailedStats;
  const { Results: results } = (await link.ask({ path: '/debug/storage/report' })) as StorageReport;
  const indexes = results.filter(({ Name: name, Type: type }) => type === 'Index' && isIndexOf(table, name));
  return {
    tableBytes: detailed.Collections[table.name]?.DocumentsSize?.SizeInBytes ?? 0,
    indexBytes: indexes.reduce((sum, one) => sum + one.Report.DataFile.UsedSpaceInBytes, 0),
    eachIndex: eachIndex(
      table,
      indexes.map((one) => [one.Name, one.Report.DataFile.UsedSpaceInBytes]),
      { nameOf: (name) => ownIndex({ name }) },
    ),
  };
}
