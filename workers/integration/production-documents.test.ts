import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { config as mongoConfig } from '#engines/mongodb/config.ts';
import { engine as mongodbEngine } from '#engines/mongodb/engine.ts';
import { config as ravenConfig } from '#engines/ravendb/config.ts';
import { engine as ravendbEngine } from '#engines/ravendb/engine.ts';
import { prepareOwn } from '#engines/shared/test-table.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { ravendb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Connection, FieldValues } from '#model/connections.ts';
import { toErrorData } from '#model/error.ts';
import { checkTarget } from '#orchestrator/check/check-connection.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { usersConnection } from '#workspace/trust/gate.ts';
import { testHome } from './home.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

const stores = [
  {
    ...{ kind: mongodb, engine: mongodbEngine, config: mongoConfig },
    fill: '{"insert":"orders","documents":[{"_id":1},{"_id":2}]}',
    look: '{"find":"orders"}',
    withValue: '{"find":"orders","filter":{"_id":"$b"}}',
    writes: [
      '{"delete":"orders","deletes":[{"q":{"_id":1},"limit":1}]}',
      '{"drop":"orders"}',
      '{"aggregate":"orders","pipeline":[{"\\u0024out":"orders"}],"cursor":{}}',
      '{"aggregate":"orders","pipeline":[{"$match":{"_id":0}},{"$out":"orders"}],"cursor":{}}',
    ],
  },
  {
    ...{ kind: ravendb, engine: ravendbEngine, config: ravenConfig },
    fill: '{"Commands":[{"Type":"PUT","Id":"orders/1","Document":{"@metadata":{"@collection":"orders"}}},{"Type":"PUT","Id":"orders/2","Document":{"@metadata":{"@collection":"orders"}}}]}',
    look: 'from orders',
    withValue: 'from orders where a = $b',
    writes: [
      '{"Type":"DELETE","Id":"orders/1"}',
      '{"Commands":[{"Type":"DELETE","Id":"orders/1"}]}',
      'from orders update { del(id(this)) }',
    ],
  },
];

const yamlOf = (parts: object): string =>
  JSON.stringify({
    ...{ dyno: 1, name: 'A look', question: 'How long does it take?', targets: ['live'] },
    workload: { operation: 'statement', method: 'bind', connections: 1, load: 'open', arrivalsPerSecond: 20 },
    measure: { repeats: 1, until: { seconds: 0.5 }, warmupSeconds: 0 },
    ...parts,
  });

describe.each(smokeOf(stores))('a production connection to $kind.label', ({ kind, engine, config, ...texts }) => {
  const { id } = engine.descriptor;
  it.skipIf(isSkipped(kind.id) || isSkipped(id))(
    'sends nothing that writes: no statement, no check, and no query of a parameter',
    async (context) => {
      if ((await kind.missing()) !== null) return context.skip();
      await using server = await startTestServer(kind);
      const signal = new AbortController().signal;
      await using database = await engine.open(config.parse(server.raw), 'dyno-test', signal);
      await database.prepareSchema({ name: 'dyno_first', key: null, columns: [], options: {} }).catch(() => {});
      await using session = await database.openSession({});
      const send = async (text: string) => {
        const own = await prepareOwn(session, text, 'bind', { isRead: false });
        return (await own.show(own.encode({ rows: 1, columns: [] }), 10)).count;
      };
      const fill = await prepareOwn(session, texts.fill, 'bind', { isRead: false });
      await fill.run(fill.encode({ rows: 1, columns: [] }));
      expect(await send(texts.look)).toBe(2);

      await using test = testHome();
      const secrets = Object.entries(server.raw as Record<string, string>).filter(([name]) => /password/i.test(name));
      const values = Object.fromEntries(Object.entries(server.raw).filter(([name]) => !/password/i.test(name)));
      const connection = {
        ...{ name: 'live', engine: id, values: values as FieldValues, production: {} },
        passwords: Object.fromEntries(secrets.map(([name]) => [name, 'ask' as const])),
      };
      const saved = openConnectionStore(test.home).save({ id: null, ...connection });
      const passwords = { [saved.id]: Object.fromEntries(secrets) };
      const given = { home: test.home, passwords, confirmed: ['127.0.0.1'] };
      for (const text of texts.writes) {
        const places = [
          { statements: { look: { text } } },
          { statements: { look: { text: texts.look } }, checks: { after: { text } } },
          {
            statements: { look: { text: texts.withValue, parameters: { b: { type: 'query', text } } } },
          },
        ];
        for (const parts of places) {
          const refused = await newTrustedRun({ yaml: yamlOf(parts), ...given }).then(
            () => 'It is planned.',
            (thrown: unknown) => toErrorData(thrown).message,
          );
          expect(refused, JSON.stringify(parts)).toMatch(/writes, or may do so/);
        }
        expect(await send(texts.look), text).toBe(2);
      }
      const run = await newTrustedRun({ yaml: yamlOf({ statements: { look: { text: texts.look } } }), ...given });
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
      expect(await send(texts.look)).toBe(2);

      const report = await checkTarget({
        ...{ home: test.home, passwords, signal, variables: {}, onChange: () => {} },
        target: usersConnection({ ...connection, id: saved.id } as Connection),
      });
      expect(report.steps.find(({ step }) => step === 'rights')).toMatchObject({ state: 'skipped' });
      expect(report.cautions).toContainEqual(expect.stringContaining('Only Dyno’s reading of the texts protects'));
    },
  );
});
