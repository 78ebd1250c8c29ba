import type { Db, Document, MongoClient } from 'mongodb';
import type { KeptStatements, OtherKind } from '#engine-api/kept-statements.ts';
import { DynoError } from '#model/error.ts';
import { countedTexts } from '../../shared/kept-statements.ts';
import { toError } from '../errors.ts';
import { isKeptVerb, keptCommand } from './kept-commands.ts';

const mostShapes = 5_000;
const mostProfiled = 20_000;

type Counted = Parameters<typeof countedTexts>[0][number];

/**
 * The commands of this database that the server has counted ($queryStats), or else those that its profiler has kept,
 * which include writes. Names of parameters take the place of values.
 */
export async function readKeptStatements(client: MongoClient, db: Db): Promise<KeptStatements> {
  const shapes = await readShapes(client, db).catch((thrown: unknown) => {
    if (goneKinds.has(toError(thrown).kind)) throw thrown;
    return null;
  });
  if (shapes && shapes.length > 0)
    return countedTexts(
      shapes.map(({ counted }) => counted),
      totalsOf(shapes, '$queryStats'),
    );
  const profiled = await readProfile(db);
  if (profiled.length === 0)
    throw new DynoError('unsupported', 'The server counts no commands of this database.', {
      hint: `Profile for a while, db.setProfilingLevel(2) in mongosh, and set it back to 0: the profiler writes every command with its values to system.profile. Or let the server count shapes of queries, which have no values: ${'--setParameter internalQueryStatsRateLimit=-1'}, from MongoDB 8.0. The user needs clusterMonitor.`,
    });
  return countedTexts(
    profiled.map(({ counted }) => counted),
    totalsOf(profiled, 'system.profile'),
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

/** Collections of the server and of Dyno. */
const kindOf = (collection: string): OtherKind | null =>
  collection.startsWith('dyno_') ? 'dyno' : /^system\.|^\$cmd/.test(collection) ? 'catalog' : null;

/** `client`: the name of the program that has sent the command. Each connection of Dyno begins its name with “dyno”. */
function textOf(
  collection: string,
  verb: string,
  command: Document,
  client: unknown,
): { text: string } | { kind: OtherKind; words: string } {
  const kind = typeof client === 'string' && /^dyno\b/i.test(client) ? 'dyno' : kindOf(collection);
  const kept = kind === null ? keptCommand(collection, verb, command) : null;
  return kept ? { text: kept.text } : { kind: kind ?? otherKind(verb), words: verb };
}

const definitions = /^(create|drop|collMod|renameCollection|validate|compact|reIndex)/;
const otherKind = (verb: string): OtherKind =>
  definitions.test(verb) ? 'definition' : isKeptVerb(verb) ? 'cut' : 'session';

/** Shapes of queries with their counts (manual, "$queryStats"). */
async function readShapes(client: MongoClient, db: Db): Promise<readonly Dated[]> {
  const found = await client
    .db('admin')
    .aggregate([
      { $queryStats: {} },
      { $match: { 'key.queryShape.cmdNs.db': db.databaseName } },
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
async function readProfile(db: Db): Promise<readonly Dated[]> {
  const found = await db
    .collection('system.profile')
    .find({ ns: { $regex: `^${db.databaseName.replaceAll(/\W/g, '\\$&')}\\.` } })
    .sort({ $natural: -1 })
    .limit(mostProfiled)
    .toArray();
  return found.map((one) => {
    const collection = String(one.ns).slice(db.databaseName.length + 1);
    const isMore = one.op === 'getmore';
    const [verb, command] = commandOf(String(one.op), (isMore ? one.originatingCommand : one.command) ?? {});
    const rows = one.nreturned ?? one.nModified ?? one.ninserted ?? one.ndeleted ?? 0;
    return {
      counted: {
        ...textOf(collection, verb, command, one.appName),
        // The next batches of a cursor belong to the call that has opened it.
        calls: isMore ? 0 : 1,
        ms: Math.max(Number(one.millis ?? 0), Number(one.cpuNanos ?? 0) / 1e6),
        rows: Number(rows),
      },
      at: one.ts instanceof Date ? one.ts : null,
    };
  });
}

/** The profiler keeps each change of an update or delete as a document of its own. */
function commandOf(op: string, command: Document): readonly [verb: string, command: Document] {
  if (op === 'update' && 'q' in command)
    return [
      'update',
      { updates: [{ q: command.q, u: command.u, multi: command.multi === true, upsert: command.upsert === true }] },
    ];
  if (op === 'remove' && 'q' in command)
    return ['delete', { deletes: [{ q: command.q, limit: Number(command.limit ?? 0) }] }];
  const verb = Object.keys(command)[0] ?? op;
  return [verb === 'findandmodify' ? 'findAndModify' : verb, command];
}
