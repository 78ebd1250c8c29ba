import pg from 'pg';

/** A connection past Dyno; it ends when it is disposed of. */
export async function connectedClient(config: Readonly<Record<string, unknown>>): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ ...config });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}
