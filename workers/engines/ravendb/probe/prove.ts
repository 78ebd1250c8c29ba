import { noServer, surprise } from '../../shared/server-proof.ts';
import type { Link } from '../connection/link.ts';
import { descriptor } from '../descriptor.ts';
import { hasDatabase } from '../schema/tables.ts';

const leastIds = 3;
const mostIds = 20;

/**
 * Asks for a number of missing documents: the server answers with a null for each. If the database is missing, the
 * server has said so. Throws 'other' if neither answer is that of a server.
 */
export async function prove(link: Link): Promise<void> {
  if (!(await hasDatabase(link))) return;
  const count = leastIds + surprise(mostIds);
  const ids = Array.from({ length: count }, (_, i) => `dyno-no-document/${surprise()}-${i}`);
  const body = JSON.stringify({ Ids: ids });
  const answer = (await link.ask({ method: 'POST', path: '/docs', body })) as { readonly Results?: unknown } | null;
  const { Results: results } = answer ?? {};
  if (!Array.isArray(results) || results.length !== count || results.some((one) => one !== null))
    throw noServer(descriptor.label);
}
