import type { DrdaConnection, Value } from '#drda/index.ts';

type Rows = readonly (readonly Value[])[];

/** Reads all rows of a query with few rows, within the current unit of work. */
export async function readAll(connection: DrdaConnection, sql: string, values: readonly Value[] = []): Promise<Rows> {
  const statement = await connection.prepare(sql);
  try {
    const cursor = await statement.open(values.length > 0 ? statement.encode([values]) : null);
    const rows: (readonly Value[])[] = [];
    for (let block = await cursor.fetch(); block !== null; block = await cursor.fetch()) rows.push(...block);
    await cursor.close();
    return rows;
  } finally {
    await statement.close();
  }
}

/** Does the same as {@link readAll} and ends the unit of work, so that it holds no locks of the catalog. */
export async function query(connection: DrdaConnection, sql: string, values: readonly Value[] = []): Promise<Rows> {
  try {
    return await readAll(connection, sql, values);
  } finally {
    if (connection.isAlive) await connection.commit();
  }
}

/** The first column of the first row. */
export const one = async (connection: DrdaConnection, sql: string, values: readonly Value[] = []): Promise<Value> =>
  (await query(connection, sql, values))[0]?.[0] ?? null;

export const run = (connection: DrdaConnection, sql: string): Promise<number> =>
  connection.execute(sql, { commit: true });
