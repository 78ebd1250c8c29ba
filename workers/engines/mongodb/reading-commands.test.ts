import type { Document } from 'mongodb';
import { test as anyTest, expect } from 'vitest';
import { findMongod } from '#managed-servers/install/tools.ts';
import { startMongod } from '#managed-servers/servers/mongodb.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { batchOf } from '#model/batch/encode.ts';
import { isReadingName } from '#model/statements/reading-commands.ts';
import { readsOnly } from '#model/statements/reads-only.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { prepareOwn } from '../shared/test-table.fixture.ts';
import { config, type MongoConfig } from './config.ts';
import { type Connected, connect } from './connection/connect.ts';
import { descriptor } from './descriptor.ts';
import { engine } from './engine.ts';
import { readOptions } from './options.ts';

/** Judges texts as Dyno does, and sends them to a real server by the way that experiments have. */
const test = anyTest.skipIf(isSkipped('mongodb') || findMongod() === null);
const signal = new AbortController().signal;

let raw: Record<string, unknown>;
let admin: Connected;
beforeTests(async (opened) => {
  const server = opened.use(await startInFolder((inside) => startMongod(inside, () => {}, {})));
  raw = server.raw;
  const parsed = config.parse(server.admin) as MongoConfig;
  admin = await connect(parsed, { tag: 'test-admin', connections: 2, options: readOptions({}) });
  opened.defer(() => admin.client.close());
});

/** Names of collections, users and roles, and a hash of all documents: another after any change. */
async function stateOf(): Promise<string> {
  const db = admin.client.db('dyno');
  const { collections, md5 } = await db.command({ dbHash: 1 });
  const listed = await db.listCollections({}, { nameOnly: false }).toArray();
  const indexes = await Promise.all(
    listed.filter(({ type }) => type === 'collection').map(({ name }) => db.collection(name).indexes()),
  );
  const { users } = await db.command({ usersInfo: 1 });
  const { databases } = await db.admin().listDatabases({ nameOnly: true });
  const { was } = await db.command({ profile: -1 });
  const sorted = listed.sort((a, b) => a.name.localeCompare(b.name));
  return JSON.stringify([collections, md5, sorted, indexes, users, databases, was]);
}

async function fill(): Promise<void> {
  const db = admin.client.db('dyno');
  await db.dropDatabase();
  for (const { name } of (await db.admin().listDatabases({ nameOnly: true })).databases)
    if (!['admin', 'config', 'local'].includes(name)) await admin.client.db(name).dropDatabase();
  await db.command({ dropAllUsersFromDatabase: 1 });
  await db.command({ profile: 0 });
  const orders = [1, 2, 3].map((_id) => ({ _id, total: _id * 10, tags: ['a'] }));
  await db.command({ insert: 'orders', documents: orders });
  await db.createIndex('orders', { total: 1 });
}

/** Sends a text, as a measured call and as `dyno try` do; resolves with the error of the server, or null. */
async function send(text: string, parameters: Readonly<Record<string, string>> = {}): Promise<string | null> {
  await using database = await engine.open(config.parse(raw), 'dyno-test', signal);
  await using session = await database.openSession({});
  const type = { kind: 'text', maxLength: 400, fixed: false, ascii: false, document: true } as const;
  const names = Object.keys(parameters);
  try {
    const own = await prepareOwn(session, text, 'bind', {
      parameters: names.map((name) => ({ name, type, nullable: false })),
    });
    const batch = batchOf(
      [Object.values(parameters)],
      names.map(() => type),
    );
    await own.show(own.encode(batch), 10);
    await own.run(own.encode(batch));
    await own.explain(own.encode(batch)).catch(() => {});
    await own.queryPlan?.(own.encode(batch)).catch(() => {});
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const reads = (text: string): boolean => readsOnly(text, descriptor.statements!);

/** A pipeline over the orders, with these stages as they are written. */
const over = (stages: string): string => `{"aggregate":"orders","pipeline":[${stages}],"cursor":{}}`;
const merge = '{"$merge":{"into":"stolen"}}';

/** Texts that change something, or run code, on a server that lets them. */
const hostile: readonly string[] = [
  '{"find":"orders","noCursorTimeout":true}',
  '{"find":"orders","readConcern":{"level":"linearizable"}}',
  '{"find":"orders","readConcern":{"level":"$level"}}',
  '{"delete":"orders","deletes":[{"q":{"_id":1},"limit":1}]}',
  '{"drop":"orders"}',
  '{"dropDatabase":1}',
  '{"insert":"orders","documents":[{"_id":9}]}',
  '{"update":"orders","updates":[{"q":{},"u":{"$set":{"total":0}},"multi":true}]}',
  '{"findAndModify":"orders","query":{"_id":1},"remove":true}',
  '{"findandmodify":"orders","query":{"_id":2},"update":{"$set":{"total":0}}}',
  '{"create":"stolen"}',
  '{"createIndexes":"orders","indexes":[{"key":{"tags":1},"name":"tags_1"}]}',
  '{"dropIndexes":"orders","index":"*"}',
  '{"deleteIndexes":"orders","index":"*"}',
  '{"collMod":"orders","validationLevel":"off"}',
  '{"renameCollection":"dyno.orders","to":"dyno.gone"}',
  '{"convertToCapped":"orders","size":4096}',
  '{"createUser":"intruder","pwd":"x","roles":["root"]}',
  '{"profile":2}',
  '{"applyOps":[{"op":"d","ns":"dyno.orders","o":{"_id":1}}]}',
  '{"bulkWrite":1,"ops":[{"delete":0,"filter":{"_id":1}}],"nsInfo":[{"ns":"dyno.orders"}]}',
  '{"mapReduce":"orders","map":{"$code":"function(){emit(1,1)}"},"reduce":{"$code":"function(){return 1}"},"out":"stolen"}',
  '{"mapReduce":"orders","map":{"$code":"function(){emit(1,1)}"},"reduce":{"$code":"function(){return 1}"},"out":{"inline":1}}',
  '{"killCursors":"orders","cursors":[]}',
  '{"fsync":1}',
  '{"compact":"orders"}',
  '{"reIndex":"orders"}',
  '{"validate":"orders","full":true}',
  '{"setParameter":1,"notablescan":true}',
  over('{"$out":"stolen"}'),
  over(merge),
  over('{"\\u0024out":"stolen"}'),
  over('{"\\u0024\\u006f\\u0075\\u0074":"stolen"}'),
  over('{"\\u0024merge":{"into":"orders","whenMatched":"replace"}}'),
  over('{"$match":{}},{"$out":{"db":"elsewhere","coll":"stolen"}}'),
  over('{"$out":"stolen","$out":"stolen"}'),
  over('{"$out":{"$param":"t"}}'),
  over(`{"$facet":{"a":[{"$match":{}},${merge}]}}`),
  over(`{"$lookup":{"from":"orders","as":"x","pipeline":[${merge}]}}`),
  over(`{"$unionWith":{"coll":"orders","pipeline":[{"$out":"stolen"}]}}`),
  over('{"$match":{"total":1},"$out":"stolen"}'),
  over('{"$laterStage":{}}'),
  over('{"$_internalInhibitOptimization":{}}'),
  over('{"$project":{"x":{"$function":{"body":"function(){return 1}","args":[],"lang":"js"}}}}'),
  over('{"$match":{"$expr":{"$function":{"body":"function(){return true}","args":[],"lang":"js"}}}}'),
  over(
    '{"$group":{"_id":1,"x":{"$accumulator":{"init":"function(){return 1}","accumulate":"function(){return 1}","accumulateArgs":[],"merge":"function(){return 1}","lang":"js"}}}}',
  ),
  over('{"$facet":{"a":[{"$match":{"$where":"sleep(1)||true"}}]}}'),
  '{"find":"orders","filter":{"$where":"sleep(1) || true"}}',
  '{"find":"orders","filter":{"\\u0024where":"true"}}',
  '{"find":"orders","filter":{"$or":[{"a":1},{"$and":[{"$where":"true"}]}]}}',
  '{"find":"orders","projection":{"x":{"$function":{"body":"function(){return 1}","args":[],"lang":"js"}}}}',
  '{"count":"orders","query":{"$where":"true"}}',
  '{"distinct":"orders","key":"_id","query":{"$where":"true"}}',
  '{"find":"orders","find":"orders"}',
  '{"find":"orders","delete":"orders","deletes":[{"q":{},"limit":0}]}',
  '{"find":"orders","lsid":{"id":1},"txnNumber":1,"startTransaction":true,"autocommit":false}',
  '{"explain":{"delete":"orders","deletes":[{"q":{},"limit":0}]},"verbosity":"executionStats"}',
  '{"explain":{"aggregate":"orders","pipeline":[{"$out":"stolen"}],"cursor":{}},"verbosity":"executionStats"}',
  '{"explain":{"findAndModify":"orders","query":{},"remove":true}}',
  '{"1":1,"find":"orders"}',
  '{"__proto__":{"find":"orders"}}',
  '{"FIND":"orders"}',
  '{"$eval":"db.orders.drop()"}',
  '{"eval":"db.orders.drop()"}',
  '[{"find":"orders"}]',
  '"find"',
  '{"find":"orders"',
  '',
];

/** Texts in which a parameter stands where its value could be more than a value. */
const misplaced: readonly string[] = [
  '{"$param":"p"}',
  '{"explain":"$p"}',
  '{"explain":{"$param":"p"}}',
  '{"aggregate":"orders","pipeline":"$p","cursor":{}}',
  '{"aggregate":"orders","pipeline":{"$param":"p"},"cursor":{}}',
  over('"$p"'),
  over('{"$param":"p"}'),
  over('{"$match":{}},"$p"'),
  over('{"$facet":{"a":"$p"}}'),
  over('{"$facet":{"a":["$p"]}}'),
  over('{"$facet":{"$param":"p"}}'),
  over('{"$lookup":{"from":"orders","as":"x","pipeline":["$p"]}}'),
  over('{"$lookup":{"from":"orders","as":"x","pipeline":"$p"}}'),
  over('{"$lookup":"$p"}'),
  over('{"$unionWith":{"$param":"p"}}'),
  over('{"$unionWith":{"coll":"orders","pipeline":["$p"]}}'),
  over('{"$match":"$p"}'),
  over('{"$match":{"$param":"p"}}'),
  over('{"$match":{"$or":["$p"]}}'),
  '{"find":"orders","filter":"$p"}',
  '{"find":"orders","filter":{"$param":"p"}}',
  '{"find":"orders","filter":{"$and":[{"$param":"p"}]}}',
  '{"find":"orders","filter":{"$where":"$p"}}',
  '{"count":"orders","query":"$p"}',
];

/** Places in which a parameter stands for data, whatever its value is. */
const dataPlaces: readonly string[] = [
  '{"find":"orders","filter":{"tags":"$p"}}',
  '{"find":"orders","filter":{"tags":{"$eq":"$p"}}}',
  '{"find":"orders","filter":{"tags":{"$elemMatch":"$p"}}}',
  '{"find":"orders","filter":{"$expr":"$p"}}',
  '{"find":"orders","projection":"$p"}',
  '{"find":"orders","projection":{"x":"$p"}}',
  '{"find":"orders","let":{"v":"$p"}}',
  '{"find":"orders","let":"$p"}',
  '{"find":"orders","sort":"$p"}',
  '{"find":"orders","hint":"$p"}',
  '{"find":"$p"}',
  '{"aggregate":"$p","pipeline":[],"cursor":{}}',
  '{"aggregate":"orders","pipeline":[],"cursor":"$p"}',
  over('{"$project":{"x":"$p"}}'),
  over('{"$project":{"filter":"$p","query":"$p","q":"$p"}}'),
  over('{"$project":"$p"}'),
  over('{"$set":{"x":["$p"]}}'),
  over('{"$replaceWith":"$p"}'),
  over('{"$group":{"_id":"$p"}}'),
  over('{"$group":{"_id":1,"x":"$p"}}'),
  over('{"$match":{"tags":"$p"}}'),
  over('{"$match":{"$expr":{"$eq":["$tags","$p"]}}}'),
  over('{"$unionWith":"$p"}'),
  over('{"$lookup":{"from":"orders","as":"x","let":{"v":"$p"},"pipeline":[{"$match":{"tags":"$p"}}]}}'),
  over('{"$documents":"$p"}'),
  over('{"$geoNear":{"near":"$p","distanceField":"d","query":{"x":"$p"}}}'),
  over('{"$graphLookup":{"from":"orders","startWith":"$p","connectFromField":"_id","connectToField":"x","as":"y"}}'),
];

const documents = [
  '{"$out":"stolen"}',
  '{"$merge":{"into":"stolen"}}',
  '[{"$out":"stolen"}]',
  '{"delete":"orders","deletes":[{"q":{},"limit":0}]}',
  '{"aggregate":"orders","pipeline":[{"$out":"stolen"}],"cursor":{}}',
];
/** A server without JavaScript refuses each where it would run; one that has it fails there. */
const javascript = [
  '{"$where":"throw new Error(\'code\' + \' ran\')"}',
  '{"$function":{"body":"function(){throw new Error(\'code\' + \' ran\')}","args":[],"lang":"js"}}',
  '{"x":{"$function":{"body":"function(){throw new Error(\'code\' + \' ran\')}","args":[],"lang":"js"}}}',
];

const wantsCode = /code ran|globalScriptEngine|server-side javascript/i;

/** Ordinary texts that read. */
const ordinary: readonly string[] = [
  '{ "find": "orders" }',
  '{ "find": "orders", "filter": { "total": { "$gt": 5 }, "$or": [{ "tags": "a" }, { "_id": { "$in": [1, 2] } }] }, "sort": { "total": -1 }, "limit": 2, "projection": { "total": 1 } }',
  '{ "find": "orders", "filter": { "_id": { "$oid": "65a000000000000000000001" }, "at": { "$gte": { "$date": "2024-01-01T00:00:00Z" } } }, "readConcern": { "level": "majority" }, "comment": "a $out b", "maxTimeMS": 1000 }',
  '{ "find": "orders", "filter": { "tags": { "$regularExpression": { "pattern": "^a", "options": "i" } }, "note": "$out" } }',
  '{ "count": "orders", "query": { "total": { "$gte": { "$numberLong": "10" } } } }',
  '{ "distinct": "orders", "key": "tags" }',
  '{ "listCollections": 1, "nameOnly": true, "filter": { "name": { "$regex": "^o" } } }',
  '{ "listIndexes": "orders" }',
  '{ "ping": 1 }',
  '{ "hello": 1 }',
  '{ "buildInfo": 1 }',
  '{ "dbStats": 1, "scale": 1024 }',
  '{ "collStats": "orders" }',
  '{ "connectionStatus": 1, "showPrivileges": true }',
  '{ "serverStatus": 1, "repl": 0, "metrics": 0 }',
  '{ "explain": { "find": "orders", "filter": { "total": 10 } }, "verbosity": "executionStats" }',
  '{ "explain": { "aggregate": "orders", "pipeline": [{ "$match": { "total": 10 } }], "cursor": {} } }',
  over('{"$match":{"total":{"$gt":5}}},{"$group":{"_id":"$tags","n":{"$sum":1}}},{"$sort":{"n":-1}},{"$limit":3}'),
  over(
    '{"$lookup":{"from":"orders","let":{"t":"$total"},"pipeline":[{"$match":{"$expr":{"$lt":["$total","$$t"]}}}],"as":"less"}},{"$unwind":{"path":"$less","preserveNullAndEmptyArrays":true}}',
  ),
  over('{"$facet":{"n":[{"$count":"n"}],"b":[{"$bucket":{"groupBy":"$total","boundaries":[0,15,99]}}]}}'),
  over('{"$unionWith":{"coll":"orders","pipeline":[{"$project":{"total":1}}]}},{"$unionWith":"orders"}'),
  over(
    '{"$setWindowFields":{"sortBy":{"total":1},"output":{"r":{"$rank":{}},"s":{"$sum":"$total","window":{"documents":["unbounded","current"]}}}}}',
  ),
  over(
    '{"$graphLookup":{"from":"orders","startWith":"$_id","connectFromField":"_id","connectToField":"_id","as":"g"}}',
  ),
  over(
    '{"$project":{"d":{"$dateToString":{"date":{"$date":"2024-01-01T00:00:00Z"},"format":"%Y"}},"c":{"$cond":[{"$gt":["$total",1]},"$total",{"$literal":"$x"}]},"m":{"$map":{"input":"$tags","as":"t","in":{"$toUpper":"$$t"}}}}}',
  ),
  over('{"$sample":{"size":2}},{"$addFields":{"x":{"$getField":"total"}}},{"$unset":"x"}'),
  over('{"$indexStats":{}}'),
  over('{"$collStats":{"count":{}}}'),
];

test('no text that writes, or runs code at the server, passes as one that reads; these texts do change the server', async () => {
  expect(hostile.filter(reads)).toEqual([]);
  const changing: string[] = [];
  let before = '';
  for (const text of hostile.filter((one) => !/"(setParameter|fsync)"/.test(one))) {
    if (before === '') {
      await fill();
      before = await stateOf();
    }
    await send(text, text.includes('$param') ? { t: 'stolen' } : {});
    if ((await stateOf()) === before) continue;
    changing.push(text);
    before = '';
  }
  expect(changing.length).toBeGreaterThanOrEqual(15);
}, 240_000);

test('ordinary texts that read are taken for what they are, and change nothing', async () => {
  expect(ordinary.filter((text) => !reads(text))).toEqual([]);
  await fill();
  const before = await stateOf();
  for (const text of ordinary) expect(await send(text), text).toBeNull();
  expect(await stateOf()).toBe(before);
}, 120_000);

test('a parameter is no command, stage, pipeline or whole condition', () => {
  expect(misplaced.filter(reads)).toEqual([]);
});

test('a document that is bound is data wherever a text that reads has a parameter', async () => {
  expect(dataPlaces.filter((text) => !reads(text))).toEqual([]);
  await fill();
  expect(await send(over(javascript[2]!.replace('{', '{"$project":{').concat('}')))).toMatch(wantsCode);
  expect(await send('{"find":"orders","filter":"$p"}', { p: javascript[0]! })).toMatch(wantsCode);
  const before = await stateOf();
  for (const text of dataPlaces)
    for (const document of [...documents, ...javascript]) {
      const error = await send(text, { p: document });
      expect(error ?? '', `${text} with ${document}`).not.toMatch(wantsCode);
    }
  expect(await stateOf()).toBe(before);
}, 240_000);

test('a document that is bound in the place of a stage or of an expression is no code', async () => {
  await fill();
  const before = await stateOf();
  for (const text of misplaced.filter((one) => !/^\{"(\$param|explain)"/.test(one)))
    for (const document of documents) await send(text, { p: document });
  expect(await stateOf()).toBe(before);
}, 240_000);

/** Stages and operators that the server has, and that no text may have which passes as one that reads. */
const refused = new Set(
  (
    '$out $merge $where $function $accumulator $listCachedAndActiveUsers $listCatalog $listClusterCatalog ' +
    '$listMqlEntities $mergeCursors $queue $searchBeta $setMetadata $setVariableFromSubPipeline'
  ).split(' '),
);

anyTest('what administrators ask a server reads, and what is like it and changes something does not', () => {
  const language = descriptor.statements!;
  const asked = [
    '{ "currentOp": 1, "active": true }',
    '{ "replSetGetConfig": 1 }',
    '{ "getCmdLineOpts": 1 }',
    '{ "getLog": "global" }',
    '{ "usersInfo": 1, "showPrivileges": false }',
    '{ "rolesInfo": 1 }',
    '{ "connPoolStats": 1 }',
    '{ "lockInfo": 1 }',
  ];
  expect(asked.filter((text) => !readsOnly(text, language))).toEqual([]);
  const changing = [
    '{ "currentOp": 1, "a": { "$where": "1" } }',
    '{ "killOp": 1, "op": 1 }',
    '{ "replSetReconfig": {} }',
    '{ "profile": 2 }',
    '{ "usersInfo": 1, "showCredentials": true }',
  ];
  expect(changing.filter((text) => readsOnly(text, language))).toEqual([]);
});

test('every stage and operator of the server is known as one that reads, or as one that does not', async () => {
  const { metrics } = await admin.client.db('admin').command({ serverStatus: 1 });
  const groups: readonly Document[] = [metrics.aggStageCounters, ...Object.values<Document>(metrics.operatorCounters)];
  const names = groups.flatMap((group) => Object.keys(group)).filter((name) => !/^\$(_|internal)/.test(name));
  expect(names.length).toBeGreaterThan(200);
  expect(names.filter((name) => isReadingName(name) === refused.has(name))).toEqual([]);
});
