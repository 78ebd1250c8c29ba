import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Session } from '#engine-api/session.ts';
import { config } from '#engines/noop/config.ts';
import { engine } from '#engines/noop/engine.ts';
import { RateCap } from '../timing/rate-cap.ts';
import { cappedDatabase } from './capped-database.ts';

test('sessions of a production connection end with the block that uses them', async () => {
  await using opened = await engine.open(config.parse({}), 'dyno-test', new AbortController().signal);
  const cap = new RateCap(100);
  let ended = 0;
  const database = cappedDatabase(
    {
      ...opened,
      async openSession(options, isolation) {
        const session = await opened.openSession(options, isolation);
        return {
          ...session,
          async [Symbol.asyncDispose]() {
            ended++;
            await session[Symbol.asyncDispose]();
          },
        };
      },
    },
    cap,
  );
  // This is Node's own "await using", as in programs; the compiler of the tests would replace it.
  const use = runInThisContext('async (session) => { await using used = session; return typeof used.begin; }') as (
    session: Session,
  ) => Promise<string>;
  expect(await use(await database.openSession({}))).toBe('function');
  expect(ended).toBe(1);
});
