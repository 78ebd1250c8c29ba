import { BSON, type ClientSession, type Db, type Document, MongoServerError } from 'mongodb';
import type { AnsweredRows, CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import { jsonProblem } from '#model/statements/shell-words.ts';
import { tableOfString } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { fieldsOf, objectOf } from '#model/text/json-in-order.ts';
import { shownRows, tableOf, unknownParameter } from '../../shared/custom-statement.ts';
import { mostOwnColumns } from '../../shared/user-tables.ts';
import { descriptor } from '../descriptor.ts';
import { readOptions } from '../options.ts';
import { bsonValues } from '../values/documents.ts';
import {
  exactCommand,
  fieldsInOrder,
  isBson,
  isFloat,
  parameterOfType,
  shown,
  valueOfType,
} from '../values/exact-values.ts';
import { ownText } from '../values/own-values.ts';
import { explainedBy, queryPlanOf } from './query-plan.ts';

const { EJSON } = BSON;

/**
 * A command of the user's own as (extended) JSON. A string "$name" stands for the parameter of that name, if there is
 * one; `{"$param": "name"}` always does: in pipelines "$name" is a field, too. `{"$oid": "$name"}` and the other types
 * of Extended JSON give the parameter's value that type.
 */
export function prepareCustomStatement(
  db: Db,
  session: ClientSession,
  plan: StatementPlan,
  readsSnapshots: boolean,
): CustomStatement<Document> {
  supportOf(descriptor, 'statement', plan.method);
  const sent = (call: Document) => concerned(call, readsSnapshots && !session.inTransaction());
  const { parameters } = plan;
  const { timestamps } = readOptions(plan.options);
  const make = templateOf(parsed(plan.text, isParameterOf(plan)), plan);
  const command = (batch: Batch): Document =>
    make(batch.columns.map((column, c) => bsonValues(column, parameters[c]!.type, 1, timestamps)[0])) as Document;
  const rowsOf = ({ documents, count, hasMore }: Answer, most: number): AnsweredRows => {
    const columns = [...new Set(documents.flatMap((fields) => fields.map(([name]) => name)))];
    const rows = documents.map((fields) => {
      const byName = new Map(fields);
      return columns.map((name) => byName.get(name));
    });
    return {
      ...shownRows(
        columns,
        rows.map((row) => row.map(shown)),
        most,
        count,
      ),
      ...(hasMore && { hasMore }),
      types: columns.map(() => 'own'),
      own: rows.map((row) => row.map(ownText)),
      rounded: columns.map((_, c) => rows.some((row) => isFloat(row[c]))),
    };
  };
  return {
    encode: command,
    run: async (call) => (await answered(db, session, sent(call), 0)).count,
    async answer(call, most) {
      const answer = await answered(db, session, sent(call), most);
      return { count: answer.count, read: () => rowsOf(answer, most) };
    },
    show: async (call, most) =>
      rowsOf(await answered(db, session, sent(call), most, { raw: true, whole: false }), most),
    queryPlan: (call) => queryPlanOf(db, call, plan.isRead),
    async explain(call) {
      // No transaction can contain it.
      const answer = await explainedBy(db, call, 'queryPlanner');
      const planner = answer.queryPlanner ?? answer.stages?.[0]?.$cursor?.queryPlanner ?? answer;
      return EJSON.stringify(planner.winningPlan ?? planner, undefined, 2, { relaxed: true });
    },
  };
}

/** A command without parameters. */
export const fixedCommand = ({ text, tables }: Pick<StatementPlan, 'text' | 'tables'>): Document =>
  templateOf(
    parsed(text, () => false),
    { tables, parameters: [] },
  )([]) as Document;

/** The tables and parameters that the placeholders of a command stand for. */
type Named = Pick<StatementPlan, 'tables' | 'parameters'>;

const isParameterOf =
  ({ parameters }: Named) =>
  (name: string): boolean =>
    parameters.some((one) => one.name === name);

function parsed(text: string, isParameter: (name: string) => boolean): Document {
  try {
    const value: unknown = exactCommand(text, isParameter);
    const fields = fieldsOf(value, isBson);
    if (fields) return Object.fromEntries(fields);
  } catch (error) {
    if (error instanceof DynoError) throw error;
    const problem = jsonProblem(text);
    if (problem)
      throw new DynoError(
        'syntax',
        `The command is no JSON in line ${problem.line}, column ${problem.column}: ${problem.found}`,
        { hint: problem.write && `Write ${problem.write}` },
      );
    throw new DynoError('syntax', `The command is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  throw new DynoError('syntax', 'The command is no JSON object.');
}

type Make = (values: readonly unknown[]) => unknown;

/** The part of a command around a value: in an expression a parameter's value has to be told from code. */
type Place = 'command' | 'changes' | 'data' | 'expression' | 'geoNear';

/** The place of a field's value; `place` is that of its document. */
function placeOf(place: Place, name: string, field: unknown): Place {
  switch (place) {
    case 'command':
      if (name === 'explain') return 'command';
      if (name === 'updates' || name === 'ops') return 'changes';
      // A change that is a list is a pipeline.
      return ['pipeline', 'let', 'projection', 'fields'].includes(name) || (name === 'update' && Array.isArray(field))
        ? 'expression'
        : 'data';
    case 'changes':
      return (name === 'u' || name === 'updateMods') && Array.isArray(field) ? 'expression' : 'data';
    case 'geoNear':
      return name === 'query' ? 'data' : 'expression';
    case 'data':
      return name === '$expr' ? 'expression' : 'data';
    case 'expression':
      if (name === '$geoNear') return 'geoNear';
      return plainStages.has(name) || name === 'restrictSearchWithMatch' ? 'data' : 'expression';
  }
}

/** Stages and operators within expressions whose values stand for themselves. */
const plainStages = new Set(['$match', '$literal', '$elemMatch', '$search', '$searchMeta', '$vectorSearch']);

/**
 * In an expression "$price" is a field and an object is evaluated, so values are wrapped in $literal (manual,
 * "$literal").
 */
const asLiteral = (value: unknown): unknown =>
  (typeof value === 'string' && value.startsWith('$')) ||
  (typeof value === 'object' && value !== null && !isBson(value))
    ? { $literal: value }
    : value;

/** Makes a value with the parameters in their places. A value without parameters is made once. */
function templateOf(value: unknown, plan: Named, place: Place = 'command'): Make {
  const parameter = (name: string): Make => {
    const index = plan.parameters.findIndex((one) => one.name === name);
    if (index === -1) throw unknownParameter(name);
    return place === 'expression' || place === 'geoNear'
      ? (values) => asLiteral(values[index])
      : (values) => values[index];
  };
  if (typeof value === 'string') {
    const table = tableOfString(value);
    if (table !== null) {
      const { name } = tableOf(plan.tables, table);
      return () => name;
    }
    const name = value.startsWith('$') ? value.slice(1) : '';
    return isParameterOf(plan)(name) ? parameter(name) : () => value;
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => templateOf(item, plan, place));
    return (values) => items.map((item) => item(values));
  }
  const entries = fieldsOf(value, isBson);
  if (!entries) return () => value;
  if (entries.length === 1 && entries[0]![0] === '$param') return parameter(String(entries[0]![1]));
  const ofType = parameterOfType(value, isParameterOf(plan));
  if (ofType) {
    const { type, name } = ofType;
    const index = plan.parameters.findIndex((one) => one.name === name);
    return (values) => valueOfType(type, name, values[index]);
  }
  const fields = entries.map(([name, field]) => [name, templateOf(field, plan, placeOf(place, name, field))] as const);
  return (values) => objectOf(fields.map(([name, make]) => [name, make(values)]));
}

const withCursor = new Set(['find', 'aggregate', 'listCollections', 'listIndexes']);

/** Outside of transactions a command ignores the session's read concern, and only these commands accept one. */
const readsOfSnapshots = new Set(['find', 'aggregate', 'distinct']);

const concerned = (command: Document, readsSnapshots: boolean): Document =>
  readsSnapshots && readsOfSnapshots.has(Object.keys(command)[0] ?? '')
    ? { ...command, readConcern: command.readConcern ?? { level: 'snapshot' } }
    : command;

/** `documents`: the fields of each document. */
interface Answer {
  readonly documents: readonly (readonly (readonly [string, unknown])[])[];
  readonly count: number | null;
  readonly hasMore?: true;
}

/** The way in which an answer is read. */
interface Reading {
  /** Fields have the order that they have at the server; the driver's objects would put names like "2023" first. */
  readonly raw: boolean;
  /** True: all documents are fetched; otherwise the cursor is closed behind the first ones. */
  readonly whole: boolean;
}

/** Keeps the first `most` documents of a command's answer. */
async function answered(
  db: Db,
  session: ClientSession,
  command: Document,
  most: number,
  { raw, whole }: Reading = { raw: false, whole: true },
): Promise<Answer> {
  if (withCursor.has(Object.keys(command)[0] ?? '')) {
    const documents: Answer['documents'][number][] = [];
    let count = 0;
    const cursor = db.runCursorCommand(command, { session, raw, promoteValues: most === 0 });
    for await (const document of cursor as AsyncIterable<Document>) {
      // The cursor is closed at the server.
      if (!whole && count === most) return { documents, count, hasMore: true };
      if (count++ < most) documents.push(raw ? fieldsInOrder(document as Uint8Array) : Object.entries(document));
    }
    return { documents, count };
  }
  const answer = await db.command(command, { session, promoteValues: most === 0 });
  const [failed] = answer.writeErrors ?? (answer.writeConcernError ? [answer.writeConcernError] : []);
  if (failed) throw new MongoServerError(failed);
  const { $clusterTime: _, operationTime: __, ok: ___, ...rest } = answer;
  if (Array.isArray(rest.values))
    return { documents: rest.values.slice(0, most).map((value) => [['value', value]]), count: rest.values.length };
  const isCount = 'count' in command;
  const touched: unknown = isCount ? 1 : (rest.lastErrorObject?.n ?? rest.n);
  return { documents: [Object.entries(rest)], count: touched === undefined ? null : Number(touched) };
}

/** Lists collections, with the fields of their first documents. */
export async function userTables(db: Db, session: ClientSession): Promise<readonly UserTable[]> {
  const collections = await db
    .listCollections({ name: { $not: /^(dyno_|system\.)/ } }, { session, nameOnly: true })
    .toArray();
  const tables: UserTable[] = [];
  for (const { name } of collections.slice(0, mostOwnColumns / 10)) {
    const found = await db.collection(name).find({}, { session, limit: 20 }).toArray();
    tables.push({ schema: null, name, columns: [...new Set(found.flatMap((one) => Object.keys(one)))] });
  }
  return tables.sort((a, b) => a.name.localeCompare(b.name));
}
