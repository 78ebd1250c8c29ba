import type { Database } from '#engine-api/database.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement } from '#engine-api/statement.ts';
import { mostOfCall } from '#model/statements/most-statements.ts';
import type { RateCap } from '../timing/rate-cap.ts';

/**
 * A database whose statements all wait for a cap: the statements of its sessions, and the cheapest statement. The wait
 * is part of the call's time, and no call goes to the server early.
 */
export const cappedDatabase = (database: Database, cap: RateCap): Database =>
  changed(database, {
    ping: paced(cap, 1, () => database.ping()),
    openSession: async (options, isolation, settings) =>
      cappedSession(await database.openSession(options, isolation, settings), cap),
  });

/** Calls `send` when the cap allows this number of statements. */
const paced =
  <Given extends readonly unknown[], Answer>(
    cap: RateCap,
    statements: number,
    send: (...given: Given) => Answer | Promise<Answer>,
  ): ((...given: Given) => Promise<Answer>) =>
  async (...given) => {
    await cap.mayGo(statements);
    return send(...given);
  };

function cappedSession(session: Session, cap: RateCap): Session {
  return changed<Session>(session, {
    prepare: paced(cap, 1, async (plan) => {
      const statements = mostOfCall(plan.method, plan.settings.rowsPerCall);
      return cappedOperation(await session.prepare(plan), cap, statements);
    }),
    ...(session.prepareStatement && {
      prepareStatement: paced(cap, 1, async (plan) => cappedStatement(await session.prepareStatement!(plan), cap)),
    }),
    ...(session.readSettings && { readSettings: paced(cap, 1, (names) => session.readSettings!(names)) }),
    ...(session.readTls && { readTls: paced(cap, 1, () => session.readTls!()) }),
    begin: paced(cap, 1, () => session.begin()),
    ...(session.beginReading && { beginReading: paced(cap, 1, () => session.beginReading!()) }),
    commit: paced(cap, 1, () => session.commit()),
    rollback: paced(cap, 1, () => session.rollback()),
    // Callers that use no promises would not wait.
    transact: undefined,
  });
}

const cappedOperation = (operation: Operation, cap: RateCap, statements: number): Operation =>
  changed<Operation>(operation, {
    run: paced(cap, statements, (call) => operation.run(call)),
    start: undefined,
    ...(operation.queryPlan && { queryPlan: paced(cap, 1, (batch) => operation.queryPlan!(batch)) }),
    ...(operation.blocks && { blocks: () => cappedBlocks(operation.blocks!(), cap) }),
  });

async function* cappedBlocks<T>(blocks: AsyncIterable<T>, cap: RateCap): AsyncIterable<T> {
  await cap.mayGo(1);
  for await (const block of blocks) {
    yield block;
    await cap.mayGo(1);
  }
}

const cappedStatement = (statement: CustomStatement, cap: RateCap): CustomStatement =>
  changed<CustomStatement>(statement, {
    run: paced(cap, 1, (call) => statement.run(call)),
    start: undefined,
    answer: paced(cap, 1, (call, most) => statement.answer(call, most)),
    show: paced(cap, 1, (call, most) => statement.show(call, most)),
    explain: paced(cap, 1, (call) => statement.explain(call)),
    ...(statement.queryPlan && { queryPlan: paced(cap, 1, (call) => statement.queryPlan!(call)) }),
    ...(statement.notUndoneText && { notUndoneText: paced(cap, 1, () => statement.notUndoneText!()) }),
  });

type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Returns the object with some members replaced. The other members can still read its private fields. */
function changed<T extends object>(object: T, changes: Changes<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return changes[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      // "await using" of Node 24 does not accept a bound function that disposes of the object.
      return typeof value === 'function' ? (...given: unknown[]) => value.apply(target, given) : value;
    },
  });
}
