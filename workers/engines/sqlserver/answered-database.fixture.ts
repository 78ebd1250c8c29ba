import type { Database } from '#engine-api/database.ts';
import { config } from './config.ts';
import { serverSql } from './connection/server.ts';
import { engine } from './engine.ts';
import { sqlBatch } from './wire/request.ts';
import { batchText, done, resultTokens, tdsServer } from './wire/tds-server.fixture.ts';

/**
 * The database of a stand-in for SQL Server 2022, for tests only. It answers each batch with the tokens of `answer`.
 * Null: the batch has no result. `babelfish`: the version of Babelfish that the server reports.
 */
export async function answeredDatabase(
  answer: (text: string) => Buffer | null,
  babelfish: string | null = null,
): Promise<AsyncDisposable & { readonly database: Database }> {
  const about = resultTokens(
    ['version', 'edition', 'engine_edition', 'babelfish'],
    [['16.0.1', 'Stub', '3', babelfish]],
  );
  const server = await tdsServer((body, type) => {
    if (type !== sqlBatch) return { tokens: done(1) };
    const text = batchText(body);
    return { tokens: text === serverSql ? about : (answer(text) ?? done(1)) };
  });
  const raw = { host: '127.0.0.1', port: server.port, user: 'app', password: 'x', encrypt: 'false' };
  const database = await engine.open(config.parse(raw), 'dyno-test', new AbortController().signal);
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
