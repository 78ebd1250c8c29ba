import { ravendb } from '#managed-servers/servers/ravendb/ravendb.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Alternative } from '../conformance/conformance.ts';
import type { StartTestServer } from '../conformance/test-server.ts';
import { config, type RavenConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { readOptions } from './options.ts';
import { ensureDatabase } from './schema/tables.ts';
import { listedValues, typedValues } from './typed-values.fixture.ts';

export const alternatives: readonly Alternative[] = [
  {
    options: {
      api: 'command',
      scan: 'pages',
      index: 'static',
      indexWhen: 'beforeLoad',
      waitForNonStale: true,
      dates: 'ticks',
    },
    unchanged: ['foreignKeys', 'injection', 'readOnlySessions', 'cells'],
  },
  {
    options: { indexWhen: 'beforeLoad', waitForNonStale: true, dates: 'text' },
    unchanged: [
      'transactions',
      'isolation',
      'cancel',
      'foreignKeys',
      'injection',
      'readOnlySessions',
      'queryPlans',
      'probes',
      'cells',
    ],
  },
];

/**
 * DYNO_TEST_RAVENDB=http://host:port/database names a server that is not secured; without it a secured server is
 * started.
 */
export const startTestServer: StartTestServer = async () => {
  const server = await givenOrTestServer(ravendb);
  const parsed = config.parse(server.raw) as RavenConfig;
  const { link } = await connect(parsed, { tag: 'test-fixture', options: readOptions({}) });
  await ensureDatabase(link); // takes a while on a new server
  const write = (command: object) =>
    link.ask({ method: 'POST', path: '/bulk_docs', body: JSON.stringify({ Commands: [command] }) });
  const id = (name: string) => `others/${name}`;
  return {
    raw: server.raw,
    values: typedValues,
    listed: listedValues,
    slow: { raw: server.raw, method: 'bind', rows: 1 },
    indexes: {
      async list(name) {
        const { Results: all } = (await link.ask({ path: '/indexes' })) as {
          readonly Results: readonly { readonly Name: string }[];
        };
        const own = all.filter((index) => index.Name.startsWith(`dyno/${name}_i`));
        return Object.fromEntries(own.map((index) => [index.Name.replace('dyno/', ''), JSON.stringify(index)]));
      },
      samples: {
        include: { change: () => ({ include: [4] }), shown: /"Storage":"Yes"|entry\.@?price/ },
        path: {
          change: () => ({ parts: [{ column: 8, path: ['details', 'b'] }] }),
          shown: /row\.@?details\.@?details\.@?b/,
        },
      },
    },
    foreign: {
      create: async (name) =>
        void (await write({
          Type: 'PUT',
          Id: id(name),
          ChangeVector: null,
          Document: { x: 1, '@metadata': { '@collection': name } },
        })),
      async count(name) {
        const { Collections: found } = (await link.ask({ path: '/collections/stats' })) as {
          readonly Collections: Readonly<Record<string, number>>;
        };
        return found[name] ?? 0;
      },
      drop: async (name) => void (await write({ Type: 'DELETE', Id: id(name), ChangeVector: null })),
    },
    async [Symbol.asyncDispose]() {
      link.close();
      await server[Symbol.asyncDispose]();
    },
  };
};
