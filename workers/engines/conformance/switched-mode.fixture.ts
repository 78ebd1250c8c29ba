import { expect } from 'vitest';
import type { ConfigParser } from '#engine-api/config.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { Session } from '#engine-api/session.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { failureOf } from '../shared/failure.fixture.ts';

/** A server of an engine, with two views that its owner has made. */
interface Switching {
  readonly engine: Engine;
  readonly config: ConfigParser;
  readonly raw: Readonly<Record<string, unknown>>;
  /** Options of a session, each tried by itself. */
  readonly options: readonly Options[];
  /** Reads a view that calls a function, which switches the session to writing. */
  readonly switches: string;
  /** Reads a view that calls a function, which writes a row. */
  readonly writes: string;
  /** The rows that have been written. */
  count(): Promise<number>;
}

const methods: readonly MethodName[] = ['literal', 'bind', 'prepared'];

/**
 * Expects that a read-only session stays one, also after a call that has switched it off: alone, in transactions, and
 * for what is shown.
 */
export async function expectStillReadOnly(server: Switching): Promise<void> {
  const { engine, config, raw, options: sets } = server;
  const asked = config.readOnly!(config.parse(raw));
  await using database = await engine.open(asked, 'dyno-switched', new AbortController().signal);
  for (const own of sets)
    for (const method of methods)
      for (const [way, run] of Object.entries(ways)) {
        const options = { ...optionsFor(engine.descriptor, defaultSettings), ...own };
        await using session = await database.openSession(options);
        const place = { session, method, options };
        const attempt = async () =>
          run(session, await prepared(server.switches, place), await prepared(server.writes, place));
        const refused = await failureOf(engine)(attempt());
        const at = `${JSON.stringify(own)} ${method}, ${way}`;
        expect(refused, at).toMatchObject({ kind: 'permission', hint: expect.stringContaining('production') });
        expect(await server.count(), at).toBe(0);
      }
}

interface Place {
  readonly session: Session;
  readonly method: MethodName;
  readonly options: Options;
}

type Call = (isShown?: boolean) => Promise<void>;

/** Statements are prepared before a transaction begins: some drivers take another connection for some methods. */
async function prepared(text: string, { session, method, options }: Place): Promise<Call> {
  const plan = { text, method, parameters: [], tables: {}, options, isRead: true };
  const statement = await session.prepareStatement!(plan);
  return async (isShown = false) => {
    const encoded = statement.encode({ rows: 1, columns: [] });
    if (isShown) await statement.show(encoded, 1);
    else await statement.run(encoded);
  };
}

const ways: Readonly<Record<string, (session: Session, switches: Call, writes: Call) => Promise<void>>> = {
  async 'a call behind another'(_, switches, writes) {
    await switches();
    await writes();
  },
  async 'what is shown'(_, switches, writes) {
    await switches(true);
    await writes(true);
  },
  async 'in one transaction'(session, switches, writes) {
    await session.begin();
    await switches();
    await writes();
    await session.commit();
  },
  async 'in the next transaction'(session, switches, writes) {
    await session.begin();
    await switches();
    await session.commit();
    await session.begin();
    await writes();
    await session.commit();
  },
  async 'behind a transaction'(session, switches, writes) {
    await session.begin();
    await switches();
    await session.rollback();
    await writes();
  },
};
