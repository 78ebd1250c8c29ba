import type { StoredBytes } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Link } from '../connection/link.ts';
import { toError } from '../errors.ts';
import { isIndexOf } from '../statements/queries.ts';

/** /collections/stats/detailed, which there is since 5.0. */
interface DetailedStats {
  readonly Collections: Readonly<Record<string, { readonly DocumentsSize?: { readonly SizeInBytes: number } }>>;
}

/** /debug/storage/report: an environment each for documents, configuration and every index. */
interface StorageReport {
  readonly Results: readonly {
    readonly Name: string;
    readonly Type: string;
    readonly Report: { readonly DataFile: { readonly UsedSpaceInBytes: number } };
  }[];
}

/**
 * Documents, and the index files without their free pages. Null before 5.0: such a server tells of whole databases
 * alone, and what those have grown by says little, as the space of deleted documents counts as used and is used again.
 */
export async function storedBytes(link: Link, table: TablePlan): Promise<StoredBytes | null> {
  const detailed = await detailedStats(link);
  if (detailed === null) return null;
  const { Results: results } = (await link.ask({ path: '/debug/storage/report' })) as StorageReport;
  const indexes = results.filter(({ Name: name, Type: type }) => type === 'Index' && isIndexOf(table, name));
  return {
    tableBytes: detailed.Collections[table.name]?.DocumentsSize?.SizeInBytes ?? 0,
    indexBytes: indexes.reduce((sum, one) => sum + one.Report.DataFile.UsedSpaceInBytes, 0),
  };
}

async function detailedStats(link: Link): Promise<DetailedStats | null> {
  try {
    return (await link.ask({ path: '/collections/stats/detailed' })) as DetailedStats;
  } catch (error) {
    if (toError(error).code === 'RouteNotFoundException') return null;
    throw error;
  }
}
