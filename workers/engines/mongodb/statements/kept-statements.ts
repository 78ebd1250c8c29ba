import type { Db, Document, MongoClient } from 'mongodb';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { countedTexts } from '../../shared/kept-statements.ts';
import { toError } from '../errors.ts';
import { profiledCall, textOf } from './profiled-call.ts';

const mostShapes = 5_000;
const mostProfiled = 20_000;

type Counted = Parameters<typeof countedTexts>[0][number];

/**
 * The commands of this database that the server has counted ($queryStats), or else those that its profiler has kept,
 * which include writes. Names of parameters take the place of values.
 */
export async function readKeptStatements(client: MongoClient, db: Db, since: Date | null): Promise<KeptStatements> {
  const shapes = await readShapes(client, db, since).catch((thrown: unknown) => {
    if (goneKinds.has(toError(thrown).kind)) throw thrown;
    return null;
  });
  if (shapes && shapes.length > 0)
    return countedTexts(
      shapes.map(({ counted }) => counted),
      { ...totalsOf(shapes, '$queryStats'), ...(since !== null && { countsSince: 'texts' }) },
    );
  const profiled = await readProfile(db, since);
  if (profiled.length === 0)
    throw new DynoError(
      'unsupported',
      since === null
        ? 'The server counts no commands of this database.'
        : 'The server has counted no commands of this database since then.',
      {
        hint: `Profile for a while, db.setProfilingLevel(2) in mongosh, and set it back to 0: the profiler writes every command with its values to system.profile. Or let the server count shapes of queries, which have no values: ${'--setParameter internalQueryStatsRateLimit=-1'}, from MongoDB 8.0. The user needs clusterMonitor.`,
      },
    );
  return countedTexts(
    profiled.map(({ counted }) => counted),
    { ...totalsOf(profiled, 'system.profile'), ...(since !== null && { countsSince: 'calls' }) },
  );
}

const goneKinds: ReadonlySet<string> = new Set(['serverGone', 'unreachable', 'timeout', 'cancelled']);

interface Dated {
  readonly counted: Counted;
  readonly at: Date | null;
}

function totalsOf(all: readonly Dated[], source: string) {
  const times = all.flatMap(({ at }) => (at ? [at.getTime()] : []));
  return {
    totalMs: all.reduce((sum, { counted }) => sum + counted.ms, 0),
    totalCalls: all.reduce((sum, { counted }) => sum + counted.calls, 0),
    source,
    since: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
  };
}

/** Shapes of queries with their counts (manual, "$queryStats"). */
async function readShapes(client: MongoClient, db: Db, since: Date | null): Promise<readonly Dated[]> {
  const found = await client
    .db('admin')
    .aggregate([
      { $queryStats: {} },
      {
        $match: {
          'key.queryShape.cmdNs.db': db.databaseName,
          ...(since !== null && { 'metrics.latestSeenTimestamp': { $gte: since } }),
        },
      },
      { $sort: { 'metrics.totalExecMicros.sum': -1 } },
      { $limit: mostShapes },
    ])
    .toArray();
  return found.map(({ key, metrics }) => {
    const shape = key.queryShape as Document;
    const verb = String(shape.command);
    return {
      counted: {
        ...textOf(String(shape.cmdNs.coll), verb, shape, key.client?.application?.name),
        calls: Number(metrics.execCount),
        ms: Number(metrics.totalExecMicros.sum) / 1_000,
        rows: Number(metrics.docsReturned.sum),
      },
      at: metrics.firstSeenTimestamp instanceof Date ? metrics.firstSeenTimestamp : null,
    };
  });
}

/** The last commands that the profiler has kept, the newest first (manual, "Database Profiler Output"). */
async function readProfile(db: Db, since: Date | null): Promise<readonly Dated[]> {
  const found = await db
    .collection('system.profile')
    .find({
      ns: { $regex: `^${db.databaseName.replaceAll(/\W/g, '\\$&')}\\.` },
      ...(since !== null && { ts: { $gte: since } }),
    })
    .sort({ $natural: -1 })
    .limit(mostProfiled)
    .toArray();
  return found.map((one) => ({ counted: profiledCall(one), at: one.ts instanceof Date ? one.ts : null }));
}
