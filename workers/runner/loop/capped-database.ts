import type { Database } from '#engine-api/database.ts';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement } from '#engine-api/statement.ts';
import { mostOfCall } from '#model/statements/most-statements.ts';
import type { RateCap } from '../timing/rate-cap.ts';

/**
 * A database of which every statement waits until a cap lets it go: those of its sessions, and the cheapest statement.
 * A call that waits is timed with its wait, and never goes to the server early.
 */
export const cappedDatabase = (database: Database, cap: RateCap): Database =>
  changed(database, {
    ping: async () => {
      await cap.mayGo(1);
      await database.ping();
    },
    openSession: async (options, isolation) => cappedSession(await database.openSession(options, isolation), cap),
  });

function cappedSession(session: Session, cap: RateCap): Session {
  const alone = (send: () => Promise<void> | void) => async (): Promise<void> => {
    await cap.mayGo(1);
    await send();
  };
  return changed<Session>(session, {
    prepare: async (plan) => {
      await cap.mayGo(1);
      const statements = mostOfCall(plan.method, plan.settings.rowsPerCall);
      return cappedOperation(await session.prepare(plan), cap, statements);
    },
    ...(session.prepareStatement && {
      prepareStatement: async (plan) => {
        await cap.mayGo(1);
        return cappedStatement(await session.prepareStatement!(plan), cap);
      },
    }),
    begin: alone(() => session.begin()),
    ...(session.beginReading && { beginReading: alone(() => session.beginReading!()) }),
    commit: alone(() => session.commit()),
    rollback: alone(() => session.rollback()),
    // Callers without promises would not wait.
    transact: undefined,
  });
}

const cappedOperation = (operation: Operation, cap: RateCap, statements: number): Operation =>
  changed<Operation>(operation, {
    run: async (call) => {
      await cap.mayGo(statements);
      return operation.run(call);
    },
    start: undefined,
    ...(operation.queryPlan && {
      queryPlan: async (batch) => {
        await cap.mayGo(1);
        return operation.queryPlan!(batch);
      },
    }),
    ...(operation.blocks && { blocks: () => cappedBlocks(operation.blocks!(), cap) }),
  });

async function* cappedBlocks<T>(blocks: AsyncIterable<T>, cap: RateCap): AsyncIterable<T> {
  await cap.mayGo(1);
  for await (const block of blocks) {
    yield block;
    await cap.mayGo(1);
  }
}

function cappedStatement(statement: CustomStatement, cap: RateCap): CustomStatement {
  const { queryPlan, whyNotUndone } = statement;
  return changed<CustomStatement>(statement, {
    run: async (call) => {
      await cap.mayGo(1);
      return statement.run(call);
    },
    start: undefined,
    first: async (call) => {
      await cap.mayGo(1);
      return statement.first(call);
    },
    show: async (call, most) => {
      await cap.mayGo(1);
      return statement.show(call, most);
    },
    explain: async (call) => {
      await cap.mayGo(1);
      return statement.explain(call);
    },
    ...(queryPlan && {
      queryPlan: async (call) => {
        await cap.mayGo(1);
        return queryPlan.call(statement, call);
      },
    }),
    ...(whyNotUndone && {
      whyNotUndone: async () => {
        await cap.mayGo(1);
        return whyNotUndone.call(statement);
      },
    }),
  });
}

type Changes<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** The same object with other members; those that it keeps still find its private fields. */
function changed<T extends object>(object: T, changes: Changes<T>): T {
  return new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(changes, name)) return changes[name as keyof T];
      const value: unknown = Reflect.get(target, name, target);
      // "await using" of Node 24 takes no bound function for the one that disposes of the object.
      return typeof value === 'function' ? (...given: unknown[]) => value.apply(target, given) : value;
    },
  });
}
